"""Finds the recordings among paths and names them. Imports little: every comparison loads it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from soliton_encirclement_ros.analysis.bag.storage.bag_files import NOT_THERE
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import is_file, is_folder, is_there
from soliton_encirclement_ros.core.run.finished_run import find_runs, is_run, read_run
from soliton_encirclement_ros.core.run.run_folder import BAG

BAG_FILES = (
    '*.mcap', '*.mcap.zstd', '*.mcap.zst', '*.db3', '*.db3.zstd', '*.db3.zst', '*.bag',
)  # fmt: skip
INDEX = 'metadata.yaml'

LOGS, LOCKED = ('.ulg', '.bin', '.tlog'), ('.ulge', '.ulgc')
"""Endings of the names of logs of autopilots, and of PX4's encrypted ones."""


def is_log(path: Path) -> bool:
    """Return whether a path is by its name the log of an autopilot."""
    return path.suffix.lower() in (*LOGS, *LOCKED)


def logs_in(folder: Path) -> list[Path]:
    """Return the logs in a folder, those of one flight, in order of their names."""
    return sorted(path for path in folder.iterdir() if is_log(path))


def is_recording(path: Path) -> bool:
    """Return whether a path is a bag or a log, rather than a run's folder, or a folder of runs.

    Raises:
        RunError: The path cannot be accessed.
    """
    if is_file(path):
        return is_log(path) or any(path.match(pattern) for pattern in BAG_FILES)
    return not is_run(path) and (is_bag(path) or bool(is_folder(path) and logs_in(path)))


def is_bag(folder: Path) -> bool:
    """Return whether files of a bag lie in a folder."""
    return any(next(folder.glob(kind), None) for kind in (*BAG_FILES, INDEX))


def are_one_flight(paths: Sequence[Path]) -> bool:
    """Return whether at least two run folders have the same scenario, law and seed.

    Then single flights are compared, for example a real and a simulated one, not laws. False if a
    path is no run folder.

    Raises:
        RunError: A run folder cannot be read.
    """
    if not all(map(is_run, paths)):
        return False
    runs = [read_run(path) for path in {path.resolve() for path in paths}]
    kinds = {(run.scenario['name'], run.controller, run.seed) for run in runs}
    return len(kinds) < len(runs)


def expand_paths(paths: Sequence[Path]) -> list[Path]:
    """Return bags and run folders; a folder of runs is replaced by its runs.

    The bag in a run's folder is replaced by that folder, which has the scenario.

    Raises:
        RunError: A path is none of them.
    """
    recordings: list[Path] = []
    for path in paths:
        if is_recording(path) or is_run(path):
            recordings.append(path.parent if path.name == BAG and is_run(path.parent) else path)
        elif not is_there(path):
            raise RunError(f'{path}: {NOT_THERE}')
        elif is_file(path):
            raise RunError(f'{path}: is neither a bag nor a log: its name does not end with '
                           '.mcap, .db3, .bag, .ulg, .bin or .tlog')  # fmt: skip
        else:
            recordings += [Path(run.name) for run in find_runs([path])]
    return recordings


def names_of(paths: Sequence[Path]) -> list[str]:
    """Return short distinct names of recordings."""
    short = [_name(path) for path in paths]
    twice = {name for name, count in Counter(short).items() if count > 1}
    names = [str(path) if name in twice else name for name, path in zip(short, paths, strict=True)]
    return [
        f'{name} ({names[:i].count(name) + 1})' if name in names[:i] else name
        for i, name in enumerate(names)
    ]


def _name(path: Path) -> str:
    path = path.resolve()
    return (path.parent if path.name == BAG else path).name or str(path)
