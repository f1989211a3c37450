"""Run folders read back: the scenario from the manifest, and the summary.

The outcome of a run is the entries in its summary, and the exit code.
"""

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import is_file, is_there, refuse_endless
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    BEYOND, CHANGE, JERK, NOT_FINITE, OUTSIDE
)
from soliton_encirclement_ros.core.flight_statistics.filter_tally import SHARE
from soliton_encirclement_ros.core.flight_statistics.gap_recovery import (
    STEADY, STEADY_SHARE, Series
)
from soliton_encirclement_ros.core.flight_statistics.near_misses import RATES
from soliton_encirclement_ros.core.parameters.renamed_parameters import with_present_names
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.run_folder import MANIFEST, SUMMARY, TARGET_CSV, write_json
from velocity_mobility_ros.core.user_errors import shown

NUMBERS = (
    'duration_s', 'agents', 'settling_time_s', 'min_separation_m', 'min_separation_time_s',
    'neighbour_switches_per_min', *RATES, SHARE, BEYOND, NOT_FINITE, OUTSIDE, CHANGE, JERK,
    STEADY_SHARE,
    *(
        name.format(kind)
        for kind in ('failure', 'recovery')
        for name in (
            'time_to_close_after_{}_s', 'closed_after_{}', 'unclosed_after_{}',
            'peak_G_max_after_{}',
        )
    ),
)  # fmt: skip
"""Values of a summary that are a number or null, if present; other versions may lack some."""

LARGEST = 1e300
"""Upper bound of valid figures; so any can be added, divided and printed."""


class FinishedRun(NamedTuple):
    """One run: its folder, its start, its scenario by section and key, its summary."""

    name: str
    created: str
    scenario: Mapping[str, Any]
    summary: Mapping[str, Any]

    @property
    def controller(self) -> str:
        """The law of the run."""
        return self.scenario['control']['controller']

    @property
    def seed(self) -> int:
        """The seed of every random stream."""
        return self.scenario['run']['seed']

    @property
    def flaw(self) -> str:
        """Why its figures are not valid, empty if they are."""
        if not self.summary:
            return f'no {SUMMARY}'
        if self.summary.get('interrupted'):
            return 'interrupted'
        return '' if self.summary.get('complete', True) else 'incomplete'


def find_runs(paths: Iterable[Path]) -> list[FinishedRun]:
    """Return the runs in some folders, each once, in order of their names.

    Args:
        paths: Run folders, or folders that contain run folders.

    Raises:
        RunError: A path holds no run, or a file in it cannot be read.
    """
    runs: dict[Path, FinishedRun] = {}
    for path in paths:
        folders = [path] if is_run(path) else _inside(path)
        if not folders:
            raise RunError(
                f'{path}: no run folder and none inside (a run folder has {MANIFEST}): name a '
                'folder that `swarm run` or `swarm simulate` has left'
            )
        for folder in folders:
            runs.setdefault(folder.resolve(), read_run(folder))
    return list(runs.values())


def is_run(folder: Path) -> bool:
    """Return whether a folder is a run's.

    Raises:
        RunError: The folder cannot be read.
    """
    return is_there(folder) and is_file(folder / MANIFEST)


def read_run(folder: Path) -> FinishedRun:
    """Read a run folder; a run that ended without a summary has an empty one.

    Raises:
        RunError: A file cannot be read or was not written by this package.
    """
    manifest = _manifest(folder)
    summary = read_summary(folder)
    return FinishedRun(
        str(folder), str(manifest.get('created', '')), manifest['scenario'], summary
    )


def read_flown(folder: Path) -> Mapping[str, Any]:
    """Read the scenario of a run, by section and key, whatever its summary contains.

    Raises:
        RunError: The manifest cannot be read or was not written by this package.
    """
    return _manifest(folder)['scenario']


def read_command(folder: Path) -> list[str]:
    """Read the command line that made a run, empty if the manifest has none.

    Raises:
        RunError: The manifest cannot be read or was not written by this package.
    """
    command = _manifest(folder).get('command')
    return [str(word) for word in command] if isinstance(command, list) else []


def read_summary(folder: Path) -> dict[str, Any]:
    """Read the summary of a run, empty if there is none.

    Raises:
        RunError: It cannot be read or was not written by this package.
    """
    if not is_file(folder / SUMMARY):
        return {}
    summary = _read(folder / SUMMARY)
    _check_summary(summary, folder / SUMMARY)
    return summary


def _manifest(folder: Path) -> dict[str, Any]:
    manifest = _read(folder / MANIFEST)
    scenario: Any = manifest.get('scenario')
    _check_scenario(scenario, folder / MANIFEST)
    return {**manifest, 'scenario': with_present_names(scenario)[0]}


def _check_scenario(scenario: Any, path: Path) -> None:
    """Refuse a manifest without a complete scenario."""
    wanted = (
        ('name', str), ('control', Mapping), ('run', Mapping), ('control.controller', str),
        ('run.seed', int), ('run.num_agents', int),
    )  # fmt: skip
    if not isinstance(scenario, Mapping):
        raise RunError(f'{path}: no manifest of a run: scenario = {shown(scenario)} is none')
    for name, kind in wanted:
        section, _, key = name.partition('.')
        value: Any = scenario.get(section)
        value = value.get(key) if key else value
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RunError(
                f'{path}: no manifest of a run: scenario.{name} = {shown(value)} must be '
                f'{_WORDS[kind]}'
            )


_WORDS = {str: 'a text', int: 'a whole number', Mapping: 'a mapping'}


def _check_summary(summary: Mapping[str, Any], path: Path) -> None:
    """Refuse a summary with figures that are not numbers."""
    figures = {name: summary.get(name) for name in NUMBERS}
    for key, averages in (
        ('metrics_mean', summary.get('metrics_mean')), (STEADY, summary.get(STEADY) or {})
    ):  # fmt: skip
        if not isinstance(averages, Mapping):
            raise RunError(
                f'{path}: no summary of a run: {key} = {shown(averages)} must map metrics to '
                'numbers'
            )
        figures |= {f'{key}.{name}': averages.get(name) for name in METRIC_NAMES}
    for name, value in figures.items():
        if value is not None and not _is_number(value):
            raise RunError(
                f'{path}: no summary of a run: {name} = {shown(value)} must be a number or null'
            )


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and -LARGEST < value < LARGEST


def read_samples(folder: Path) -> Series:
    """Read the metrics of a run over time, by name, with their ``time`` [s].

    A table of an earlier version lacks the last metrics: they are NaN.

    Raises:
        RunError: The table cannot be read.
    """
    path = folder / TARGET_CSV
    names = METRIC_NAMES
    try:
        with path.open(encoding='utf-8', newline='') as file:
            head, *rows = csv.reader(file)
        columns = zip(*(map(float, row) for row in rows), strict=True)
        by_name = dict(zip(head, map(list, columns), strict=True))
        series = {'time': by_name['timestamp'], 'E_gap': by_name['E_gap']}
        series |= {name: by_name.get(name, [math.nan] * len(rows)) for name in names}
    except OSError as error:
        raise RunError(f'{path}: cannot read: {error.strerror}') from None
    except (ValueError, KeyError, csv.Error):
        raise RunError(f'{path}: not a table of time, {", ".join(names)}') from None
    times = series['time']
    if not all(-LARGEST < time < LARGEST for time in times) or sorted(times) != times:
        raise RunError(f'{path}: its times must be numbers in ascending order')
    return series


def _inside(path: Path) -> list[Path]:
    """Return the run folders in a folder, none for a file; ``latest`` is one of the others."""
    if is_file(path):
        return []
    refuse_endless(path)
    try:
        folders = sorted(folder for folder in path.iterdir() if not folder.is_symlink())
    except FileNotFoundError:
        reason = 'no such file or folder; name a run folder, or a folder of some'
        raise RunError(f'{path}: {reason}') from None
    except OSError as error:
        raise RunError(f'{path}: cannot read: {error.strerror}') from None
    return [folder for folder in folders if is_run(folder)]


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding='utf-8'))
    except OSError as error:
        raise RunError(f'{path}: cannot read: {error.strerror}') from None
    except (ValueError, RecursionError):
        raise RunError(f'{path}: not valid JSON') from None
    if not isinstance(content, dict):
        raise RunError(f'{path}: must hold a JSON object, not {type(content).__name__}')
    return content


FAILED = 1
INTERRUPTED = 130

FIRST = 'first_sample_s'
"""Key of the time of the first sample [s] in the summary of a run in real time."""

INCOMPLETE = 3
"""Exit code of a monitor whose summary says that data is missing; of a crash it is another."""


class Ending(NamedTuple):
    """Outcome of a run.

    Attributes:
        interrupted: Whether the user stopped it before the end.
        complete: Whether no process died and all observed data is on disk.
        ended_early: Why the run ended early, empty if it did not.
    """

    interrupted: bool = False
    complete: bool = True
    ended_early: str = ''


def with_ending(summary: Mapping[str, Any], ending: Ending) -> dict[str, Any]:
    """Return a summary with the outcome of the run; the verdict on half a run is negative."""
    ended = {**summary, 'interrupted': ending.interrupted, 'complete': ending.complete}
    if ending.ended_early:
        ended['verdict'] = {'encircled': False, 'why': ending.ended_early}
    return ended


def amended_summary(
    folder: Path, deaths: Sequence[str], ended_early: str
) -> dict[str, Any] | None:
    """Return the summary that a monitor has written, completed; None without one.

    Args:
        folder: The run's folder, in which the summary is corrected as well.
        deaths: Processes that died, as text.
        ended_early: Why the run ended early, empty if it did not.
    """
    summary = dict(read_run(folder).summary)
    if not summary:
        return None
    if deaths:
        interrupted = summary['interrupted'] and not ended_early
        summary = with_ending(summary, Ending(interrupted, False, ended_early))
        write_json(folder / SUMMARY, summary)
    return summary


def exit_code(summary: Mapping[str, Any]) -> int:
    """Return the exit code of a single run."""
    if summary['interrupted']:
        return INTERRUPTED
    return 0 if summary['verdict']['encircled'] and summary['complete'] else FAILED


def verdict_line(summary: Mapping[str, Any]) -> str:
    """Return verdict and reason in one line."""
    verdict = summary['verdict']
    return f'{"ENCIRCLED" if verdict["encircled"] else "NOT ENCIRCLED"}: {verdict["why"]}'
