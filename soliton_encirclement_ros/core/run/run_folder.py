"""A run's folder: created once, valid at any moment, ``latest`` points to the newest.

A full disk ends the tables and the summary of a run in progress, not the run. The version of the
code is a digest of every source of both packages.
"""

import csv
import dataclasses
import datetime
import functools
import hashlib
import itertools
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, TextIO

from soliton_encirclement_ros import __version__
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing, why_not_written
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.observer import ObservedSample
from soliton_encirclement_ros.core.scenario.plugin_sections import chosen_files
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario
from velocity_mobility_ros.core.environment.parameter_files import Changed, begin_table
from velocity_mobility_ros.core.parameter_declaration import declarations

AGENT_CSV = 'agent_telemetry.csv'
TARGET_CSV = 'target_telemetry.csv'
MANIFEST = 'manifest.json'
PARAMETERS = 'parameters.csv'
SUMMARY = 'summary.json'
BAG = 'bag'
LOG = 'log'

PLACE = ('x', 'y', 'z', 'vx', 'vy', 'vz')
"""The last columns of both tables: position [m] and velocity [m/s] in map."""

TARGET_HEADER = ('timestamp', *METRIC_NAMES, *PLACE)

FLUSH_PERIOD = 0.5
"""Wall time [s] after which rows are on disk at the latest."""

SUMMARY_PERIOD = 2.0
"""Wall time [s] between two summaries on disk, so that a killed run has one."""

LIBRARIES = ('numpy', 'transforms3d', 'rosbags', 'ros-rclpy')


def create_run_folder(root: Path, scenario: Scenario, command: list[str], label: str = '') -> Path:
    """Create ``ROOT/STAMP-SCENARIO`` with its first files and point ``ROOT/latest`` at it.

    Args:
        root: Folder of all runs.
        scenario: The scenario of the run.
        command: The command line.
        label: Suffix of the folder's name.

    Raises:
        RunError: The folder cannot be written.
    """
    stamp = utc_stamp()
    content = manifest(scenario, command)  # first, as it takes time in which ctrl-C may come
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder = _fresh(root, '-'.join(filter(None, (stamp, scenario.name, label))))
        try:
            write_json(folder / MANIFEST, content)
            begin_table(folder / PARAMETERS, changed_values(scenario))
            for file in chosen_files(scenario):  # the user may change them tomorrow
                shutil.copyfile(file, folder / file.name)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        _point_latest(root, folder)
    except OSError as error:
        raise RunError(f'{root}: cannot write the run folder: {why_not_written(error)}') from None
    return folder


def bag_folders(folder: Path) -> Iterator[Path]:
    """Iterate over the places of a run's bags: ``bag``, and one more per restarted recorder."""
    yield folder / BAG
    yield from (folder / f'{BAG}_{number}' for number in itertools.count(2))


def utc_stamp() -> str:
    """Return the present time for the name of a folder: ``20260102T030405Z``."""
    return datetime.datetime.now(datetime.timezone.utc).strftime('%Y%m%dT%H%M%SZ')


def _fresh(root: Path, name: str) -> Path:
    for attempt in range(1, 1000):
        folder = root / (name if attempt == 1 else f'{name}-{attempt}')
        try:
            folder.mkdir()
        except FileExistsError:
            continue  # a run of the same second; the next number
        return folder
    raise RunError(f'{root / name}: a thousand runs with this name exist; use another --out')


def _point_latest(root: Path, folder: Path) -> None:
    link = root / 'latest'
    if link.exists() and not link.is_symlink():
        return  # a user's own file or folder of that name stays
    fresh = root / f'.latest-{os.getpid()}'
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(folder.name)
    fresh.replace(link)


def write_json(path: Path, content: Any) -> None:
    """Write a file atomically."""
    with replacing(path) as part:
        part.write_text(json.dumps(content, indent=2, allow_nan=False) + '\n', encoding='utf-8')


def to_plain(value: Any, infinite: str | None = None) -> Any:
    """Return a value for JSON: records as objects, None for values that are not finite.

    ``infinite`` stands for positive infinity.
    """
    if hasattr(value, '_asdict'):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): to_plain(item, infinite) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item, infinite) for item in value]
    if hasattr(value, 'item'):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return infinite if value > 0.0 else None
    return value


def manifest(scenario: Scenario, command: list[str]) -> dict[str, Any]:
    """Return everything needed to repeat a run."""
    return {
        'created': datetime.datetime.now(datetime.timezone.utc).isoformat(),
        'command': command,
        'scenario': dataclasses.asdict(scenario),
        'seed': scenario.run.seed,
        'version': __version__,
        'git_commit': _git_commit(),
        'python': sys.version.split()[0],
        'libraries': {name: _library(name) for name in LIBRARIES},
        'ros': {
            key: os.environ.get(key)
            for key in ('ROS_DISTRO', 'RMW_IMPLEMENTATION', 'ROS_DOMAIN_ID')
        },
        'machine': {
            'system': platform.platform(),
            'processor': platform.machine(),
            'cores': os.cpu_count(),
        },
    }


def changed_values(scenario: Scenario) -> list[Changed]:
    """Return the values of a scenario that are not the defaults, and where each comes from."""
    changed = []
    for section in SECTIONS:
        record = getattr(scenario, section)
        for name, declared in declarations(type(record)).items():
            key, value = f'{section}.{name}', getattr(record, name)
            if value != declared.default:
                origin = scenario.origins.get(key, scenario.name)
                changed.append(Changed(key, value, declared.default, declared.unit, origin))
    return changed


def _library(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _git_commit(folder: Path = Path(__file__).parent) -> str | None:
    """Return the commit of the source tree that runs, or None outside of one.

    git writes nothing for it: a git lock file would remain where a slow machine hits a timeout.
    """
    try:
        commit = _git(folder, 'rev-parse', 'HEAD')
        changed = commit and _git(folder, 'status', '--porcelain', '--untracked-files=no')
    except (OSError, subprocess.TimeoutExpired):
        return None
    return f'{commit}-dirty' if changed else commit or None


def _git(folder: Path, *arguments: str) -> str:
    """Return the output of git, nothing if it fails."""
    output = subprocess.run(
        ('git', '--no-optional-locks', *arguments), cwd=folder, capture_output=True, text=True,
        timeout=5, check=False,
    )  # fmt: skip
    return output.stdout.strip() if output.returncode == 0 else ''


def agent_header(telemetry_names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the agents' table, given those of the controller."""
    return ('node_id', 'timestamp', *telemetry_names, 'velocity_norm', *PLACE)


class RunLog:
    """The two CSV tables of a run, on disk within half a second, and its summary.

    It stops at the first error, which it reports once; everything before is kept.
    """

    def __init__(
        self,
        folder: Path,
        telemetry_names: tuple[str, ...],
        summary: Callable[[], dict[str, Any]] | None = None,
        give_up: Callable[[OSError], None] | None = None,
    ) -> None:
        """Create both files with their headers.

        Args:
            folder: The run's folder.
            telemetry_names: Columns of the controller.
            summary: Returns the summary of the run so far; None: none is written.
            give_up: Takes the error that ended the log; None: it is raised.

        Raises:
            FileExistsError: The folder holds the tables of a run.
            OSError: It cannot be written.
        """
        self._folder, self._summary, self._give_up = folder, summary, give_up
        self._agents = (folder / AGENT_CSV).open('x', encoding='utf-8', newline='')
        self._target = (folder / TARGET_CSV).open('x', encoding='utf-8', newline='')
        self._agent_rows = _writer(self._agents)
        self._target_rows = _writer(self._target)
        self._agent_rows.writerow(agent_header(telemetry_names))
        self._target_rows.writerow(TARGET_HEADER)
        self._flushed = self._summarised = 0.0
        self._has_ended = False
        self._flush_if_due()

    def add_agent(self, row: TelemetryRow) -> None:
        """Write one agent's row."""
        place = _unsigned((*row.position, *row.velocity))
        values = row.agent_id, row.time, *row.values, row.speed, *place
        self._try(lambda: self._agent_rows.writerow(values))
        self._try(self._flush_if_due)

    def add_sample(self, sample: ObservedSample) -> None:
        """Write one row of metrics, and the summary now and then."""
        values = sample.time, *sample.metrics, *_unsigned(sample.target)
        self._try(lambda: self._target_rows.writerow(values))
        self._try(self._flush_if_due)
        if time.monotonic() - self._summarised > SUMMARY_PERIOD:
            self._summarised = time.monotonic()
            self._try(self._write_summary)

    def close(self) -> None:
        """Put the tables on disk, then the last summary; nothing is written afterwards."""
        self._try(self._agents.close)
        self._try(self._target.close)
        self._try(self._write_summary)
        self._has_ended = True

    def _write_summary(self) -> None:
        if self._summary is not None:
            write_json(self._folder / SUMMARY, self._summary())

    def _flush_if_due(self) -> None:
        now = time.monotonic()
        if now - self._flushed > FLUSH_PERIOD:
            self._flushed = now
            self._agents.flush()
            self._target.flush()

    def _try(self, write: Callable[[], object]) -> None:
        if self._has_ended:
            return
        try:
            write()
        except OSError as error:
            self._has_ended = True
            if self._give_up is None:
                raise
            self._give_up(error)


def _unsigned(values: Sequence[float]) -> list[float]:
    """Return numbers whose zeros have no sign, which messages lose in turning to another frame."""
    return [value + 0.0 for value in values]


def _writer(file: TextIO) -> Any:
    return csv.writer(file, lineterminator='\n')


PACKAGES = ('soliton_encirclement_ros', 'velocity_mobility_ros')


@functools.cache
def code_version() -> str:
    """Return a digest of the sources that this process runs; it changes with every edit."""
    import velocity_mobility_ros

    roots = (Path(__file__).parents[2], Path(velocity_mobility_ros.__file__).parent)
    return digest_of(dict(zip(PACKAGES, roots, strict=True)))


def digest_of(packages: dict[str, Path]) -> str:
    """Return the digest of some packages; it does not depend on their location.

    Args:
        packages: Folder of every package by its name.
    """
    digest = hashlib.sha256()
    for name, root in packages.items():
        for path in sorted(root.rglob('*.py')):
            content = path.read_bytes()
            digest.update(f'{name}/{path.relative_to(root).as_posix()}\0{len(content)}\0'.encode())
            digest.update(content)
    return digest.hexdigest()[:16]
