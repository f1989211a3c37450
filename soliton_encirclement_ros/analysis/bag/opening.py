"""Finds the files of a bag."""

from pathlib import Path
from typing import NamedTuple

from soliton_encirclement_ros.analysis.bag.mcap_file import McapFile
from soliton_encirclement_ros.analysis.bag.raw import Storage
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.finished_run import is_run, read_run
from soliton_encirclement_ros.core.run_folder import BAG
from soliton_encirclement_ros.core.scenario import Scenario, scenario_from_dict


class Opened(NamedTuple):
    """A bag.

    Attributes:
        storages: Its files, in order of time.
        expected: How many messages there should be, 0 if unknown.
        problems: What is wrong with it as a whole.
        scenario: What was flown, where it lies in a run's folder.
    """

    storages: list[Storage]
    expected: int
    problems: list[str]
    scenario: Scenario | None


def open_bag(path: Path) -> Opened:
    """Find everything that belongs to a bag.

    Raises:
        RunError: There is no bag.
    """
    if not path.exists():
        raise RunError(f'{path}: no such file or folder')
    scenario, problems = None, []
    if path.is_dir() and is_run(path):
        scenario = _scenario(path, problems)
        path = path / BAG
    files = [path] if path.is_file() else sorted(path.glob('*.mcap'))
    if not files:
        raise RunError(f'{path}: holds no bag')
    return Opened([McapFile(file) for file in files], 0, problems, scenario)


def _scenario(folder: Path, problems: list[str]) -> Scenario | None:
    try:
        content = dict(read_run(folder).scenario)
        return scenario_from_dict(content, 'run', str(folder))
    except RunError as error:
        problems.append(str(error))
        return None
