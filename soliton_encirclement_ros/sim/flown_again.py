"""A run of the engine flown again by its manifest, with the bag that it did not leave."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.files import is_there
from soliton_encirclement_ros.core.run.finished_run import (
    is_run,
    read_command,
    read_flown,
    read_summary,
)
from soliton_encirclement_ros.core.run.run_folder import BAG, MANIFEST, SUMMARY
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_from_dict
from soliton_encirclement_ros.sim.recorded_data import RecordedData
from soliton_encirclement_ros.sim.simulation import Simulation

SAME = ('ticks', 'metrics_last', 'failures', 'min_separation_m')
"""Figures of a summary that are the same if the same is flown again."""


def can_fly_again(path: Path) -> bool:
    """Return whether a run has no bag, and the engine flew all of it."""
    if not is_run(path) or is_there(path / BAG):
        return False
    command = read_command(path)
    return command[1:2] == ['simulate'] and '--publish' not in command


def flown_scenario(run: Path) -> Scenario:
    """Return the scenario of a run.

    Raises:
        RunError: The manifest cannot be read.
        ScenarioError: What was flown is not known.
    """
    return scenario_from_dict(dict(read_flown(run)), 'run', MANIFEST)


def flight_again(
    run: Path, folder: Path, is_compiled: Callable[[], bool] | None = None
) -> Simulation:
    """Return the flight of a run, to be flown into a folder that does not exist, with a bag.

    ``is_compiled`` is that of ``Engine``.

    Raises:
        RunError: It cannot be flown, or the memory does not suffice.
        ScenarioError: What was flown is not known.
    """
    folder.mkdir()
    shutil.copy(run / MANIFEST, folder / MANIFEST)
    recording = RecordedData(formats=('bag',))
    return Simulation(flown_scenario(run), folder, recording, is_compiled=is_compiled)


def difference(run: Path, summary: Mapping[str, Any]) -> str:
    """Return that a run flown again differs, empty if it does not or was not summarised."""
    before = read_summary(run)
    if all(before[key] == summary.get(key) for key in SAME if key in before):
        return ''
    return (
        f'{run}: flown again it differs from {SUMMARY}: it was flown by another version, '
        'or a file of it has changed'
    )
