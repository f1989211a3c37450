"""Run folders read back: the scenario from the manifest, and the summary."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.path_kind import is_file, is_there
from soliton_encirclement_ros.core.run_folder import MANIFEST, SUMMARY, TARGET_CSV

Series = Mapping[str, Sequence[float]]


class FinishedRun(NamedTuple):
    """One run: where it lies, when it was begun, its scenario by section and key, its summary."""

    name: str
    created: str
    scenario: Mapping[str, Any]
    summary: Mapping[str, Any]

    @property
    def controller(self) -> str:
        """The law that flew."""
        return str(self.scenario['control']['controller'])

    @property
    def seed(self) -> int:
        """The seed of every random stream."""
        return int(self.scenario['run']['seed'])

    @property
    def flaw(self) -> str:
        """Why its figures do not count, empty if they do."""
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
    found: dict[Path, FinishedRun] = {}
    for path in paths:
        folders = [path] if is_run(path) else _inside(path)
        if not folders:
            raise RunError(
                f'{path}: no run folder and none inside (a run folder has {MANIFEST}): name a '
                'folder that `swarm run` or `swarm simulate` has left'
            )
        for folder in folders:
            found.setdefault(folder.resolve(), read_run(folder))
    return list(found.values())


def is_run(folder: Path) -> bool:
    """Say whether a folder is a run's.

    Raises:
        RunError: Nobody can tell.
    """
    return is_there(folder) and is_file(folder / MANIFEST)


def read_run(folder: Path) -> FinishedRun:
    """Read a run folder; a run that never came to a summary has an empty one.

    Raises:
        RunError: A file cannot be read or is none of ours.
    """
    manifest = _read(folder / MANIFEST)
    summary = _read(folder / SUMMARY) if is_file(folder / SUMMARY) else {}
    run = FinishedRun(
        str(folder), str(manifest.get('created', '')), manifest.get('scenario', {}), summary
    )
    try:
        run.controller, run.seed, run.scenario['name']
    except (KeyError, TypeError, ValueError):
        raise RunError(f'{folder / MANIFEST}: no manifest of a run: a key is missing') from None
    return run


def read_samples(folder: Path) -> Series:
    """Read the metrics of a run over time, by name, with their ``time`` [s].

    Raises:
        RunError: The table cannot be read.
    """
    path = folder / TARGET_CSV
    names = ('time', *METRIC_NAMES)
    try:
        with path.open(encoding='utf-8', newline='') as file:
            _, *rows = csv.reader(file)
        columns = zip(*(map(float, row) for row in rows), strict=True)
        return dict(zip(names, map(list, columns), strict=True))
    except OSError as error:
        raise RunError(f'{path}: cannot read: {error.strerror}') from None
    except ValueError:
        raise RunError(f'{path}: not a table of {", ".join(names)}') from None


def _inside(path: Path) -> list[Path]:
    """Return the run folders in a folder, none for a file; ``latest`` is one of the others."""
    if is_file(path):
        return []
    try:
        folders = sorted(folder for folder in path.iterdir() if not folder.is_symlink())
    except OSError as error:
        raise RunError(f'{path}: cannot read: {error.strerror}') from None
    return [folder for folder in folders if is_run(folder)]


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding='utf-8'))
    except OSError as error:
        raise RunError(f'{path}: cannot read: {error.strerror}') from None
    except ValueError:
        raise RunError(f'{path}: not valid JSON') from None
    if not isinstance(content, dict):
        raise RunError(f'{path}: must hold a JSON object, not {type(content).__name__}')
    return content
