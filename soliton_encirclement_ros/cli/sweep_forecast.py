"""``swarm sweep --dry-run``: how many runs, where, and how long they take; nothing is written."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

from rich.console import Console
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.machine_check import wall_time
from soliton_encirclement_ros.cli.views.compiling import get_ready_visibly
from soliton_encirclement_ros.core.files.path_kind import is_there
from soliton_encirclement_ros.sim import flight
from soliton_encirclement_ros.sim.sweeps import PlannedRun, Store, Sweep
from soliton_encirclement_ros.sim.sweeps.store import DATABASE

SAMPLE = 100_000
"""Agent-ticks of one run simulated for the estimate."""

Kind = tuple[str, str, bool]
"""Law, random numbers and filter, which determine the time per agent-tick."""


class Forecast(NamedTuple):
    """Forecast of a sweep.

    Attributes:
        folder: Its output folder.
        runs: Total number of runs.
        kept: Number of runs already stored.
        jobs: Number of parallel runs; None on a cluster.
        core_time: Wall time [s] on one core of this machine.
    """

    folder: Path
    runs: int
    kept: int
    jobs: Optional[int]
    core_time: float

    @property
    def wall(self) -> Optional[float]:
        """Expected wall time [s]; None on a cluster."""
        flown = self.runs - self.kept
        return None if self.jobs is None else self.core_time / max(1, min(self.jobs, flown))


def forecast(planned: Sweep, folder: Path, jobs: Optional[int]) -> Forecast:
    """Return the forecast of a sweep, from a few short runs.

    Args:
        planned: The sweep.
        folder: Its output folder.
        jobs: Number of parallel runs here; None on a cluster.

    Raises:
        RunError: The content of the folder cannot be used.
    """
    missing = planned.runs
    if is_there(folder / DATABASE):
        with Store(folder) as store:
            missing = store.missing(planned.runs)
    kept = len(planned.runs) - len(missing)
    return Forecast(folder, len(planned.runs), kept, jobs, core_time(missing))


def core_time(runs: Sequence[PlannedRun]) -> float:
    """Return the wall time [s] of some runs on one core, from a short one of each kind."""
    rates = _measured(runs)
    return sum(_agent_ticks(run) * rates[_kind(run)] for run in runs)


def print_forecast(planned: Sweep, found: Forecast, console: Console) -> None:
    """Print the forecast of a sweep."""
    points, seeds = len(planned.points), len(planned.seeds)
    new = '' if is_there(found.folder) else ' (new)'
    lines = (
        f'{planned.name}: {points} x {seeds} (points x seeds) = '
        f'{counted(found.runs, "run")}, {found.kept} kept from before, '
        f'{found.runs - found.kept} to fly',
        f'folder: {found.folder}{new}',
        f'time: {_time(found)}',
    )
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True, markup=False)


def _time(found: Forecast) -> str:
    """Return the duration of the runs, as text."""
    missing = found.runs - found.kept
    if not missing:
        return 'no runs, only tables and pictures'
    if found.jobs is None or found.wall is None:
        return f'about {wall_time(found.core_time)} on one core like this'
    at_once = min(found.jobs, missing)
    return f'about {wall_time(found.wall)}, {at_once} in parallel; then tables and pictures'


def forecast_json(planned: Sweep, found: Forecast) -> dict[str, Any]:
    """Return the forecast of a sweep for JSON; times in s."""
    return {
        'sweep': planned.name,
        'folder': str(found.folder),
        'runs': found.runs,
        'kept': found.kept,
        'jobs': found.jobs,
        'expected_s': found.wall,
        'expected_core_s': found.core_time,
    }


def _measured(runs: Sequence[PlannedRun]) -> dict[Kind, float]:
    """Return the wall time of an agent's tick [s] for every kind of run, by flying one of each."""
    get_ready_visibly(run.scenario for run in runs)
    samples = {_kind(run): run for run in runs}
    return {kind: _rate(run) for kind, run in samples.items()}


def _rate(run: PlannedRun) -> float:
    scenario = run.scenario
    ticks = max(1, min(scenario.ticks, SAMPLE // scenario.run.num_agents))
    length = ticks * scenario.swarm.control_period
    short = scenario.with_changes({'run': {'sim_duration': length}}, 'forecast')
    began = time.monotonic()
    flight.fly(short)
    return (time.monotonic() - began) / (ticks * scenario.run.num_agents)


def _agent_ticks(run: PlannedRun) -> int:
    return run.scenario.ticks * run.scenario.run.num_agents


def _kind(run: PlannedRun) -> Kind:
    scenario = run.scenario
    return scenario.control.controller, scenario.run.rng, scenario.is_filtered
