"""``fly``: a scenario under laws and seeds, as ``swarm simulate`` flies it."""

import json
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from soliton_encirclement_ros.analysis.recording import Recording
from soliton_encirclement_ros.api.flight_data import Flight, Frames, load
from soliton_encirclement_ros.cli.runs.batch_runs import (
    MAX_SEEDS, BatchRunner, Job, JobResult, check_memory, is_complete_run, jobs_of, planned_runs
)
from soliton_encirclement_ros.cli.views.compilation_progress import load_code_or_interpret
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.laws.law_registry import law_labels
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.design import SweepPoint
from soliton_encirclement_ros.experiments.result_tables import (
    RunTable, paired_table, run_table, statistics_table
)
from soliton_encirclement_ros.experiments.sweep_file import SweptRun
from soliton_encirclement_ros.sim.recorded_data import usable_formats
from soliton_encirclement_ros.sim.simulation import Simulation
from velocity_mobility_ros.core.environment.unix_process import Interrupt, interruptible
from velocity_mobility_ros.core.user_errors import shown

if TYPE_CHECKING:
    from soliton_encirclement_ros.analysis.plots.run_plots import Picture

NOTHING: Mapping[str, Any] = {}


class Flights(Frames, Sequence[Flight]):
    """Flights of one scenario; their frames have the columns ``controller`` and ``seed`` in front.

    Example:
        >>> flights = fly('demo', controller=['predictive', 'soliton'], seeds=5)
        >>> flights.summary[['controller', 'seed', 'encircled', 'E_gap', 'E_r']]
        >>> flights[0].plot()
    """

    def __init__(self, flights: Sequence[Flight]) -> None:
        """Take flights that have a summary."""
        self._flights = flights

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._flights)

    def __getitem__(self, place: Any) -> Any:
        """Return one flight, or some."""
        chosen = self._flights[place]
        return Flights(chosen) if isinstance(place, slice) else chosen

    @property
    def encircled(self) -> bool:
        """Whether the swarm encircled its target in all of them."""
        return all(flight.encircled for flight in self)

    @property
    def verdict(self) -> str:
        """The verdict and its reason, a line for each flight."""
        return '\n'.join(flight.verdict for flight in self)

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """All frames by name."""
        parts = [self._label_frames(flight) for flight in self]
        frames = {}
        for name, first in parts[0].items():
            frames[name] = pd.concat([part[name] for part in parts], ignore_index=True)
            frames[name].attrs = first.attrs
        return frames

    def _label_frames(self, flight: Flight) -> dict[str, pd.DataFrame]:
        row = self._labels[flight.summary['controller']], flight.summary['seed']
        frames = {}
        for name, frame in flight.frames.items():
            frames[name] = frame.copy()
            for column, value in zip(('seed', 'controller'), reversed(row), strict=True):
                frames[name].insert(0, column, value)
        return frames

    @cached_property
    def _labels(self) -> dict[str, str]:
        return law_labels({flight.summary['controller'] for flight in self})

    @cached_property
    def _table(self) -> RunTable:
        """The table that ``swarm sweep`` has; its points are the laws."""
        labels = list(self._labels.values())
        return run_table([
            SweptRun(SweepPoint(labels.index(law) + 1, {}, law), summary['seed'], summary, {})
            for summary in (flight.summary for flight in self)
            for law in [self._labels[summary['controller']]]
        ])  # fmt: skip

    @property
    def summary(self) -> pd.DataFrame:
        """A row per flight: law, seed, verdict and figures; columns are those of a sweep."""
        table = self._table.frame.drop(columns='point')
        return table.assign(path=[str(flight.path) for flight in self])

    @property
    def statistics(self) -> pd.DataFrame:
        """A row per law and figure: mean and median over the seeds, with 95 % intervals."""
        return statistics_table(self._table).drop(columns='point')

    @property
    def paired(self) -> pd.DataFrame:
        """A row per pair of laws and figure: the difference, seed by seed."""
        table = self._table
        single_point = table._replace(frame=table.frame.assign(point=1))
        return paired_table(single_point).drop(columns='point')

    def plot(self) -> 'Picture':
        """Return a picture: of one flight itself, of several their metrics by law."""
        if len(self) == 1:
            return self[0].plot()
        from soliton_encirclement_ros.analysis.plots.comparison_plots import curves_of_runs

        runs: dict[str, list[pd.DataFrame]] = {}
        for flight in self:
            curves = flight.metrics.rename(columns={'timestamp': 'time'})
            runs.setdefault(self._labels[flight.summary['controller']], []).append(curves)
        return curves_of_runs(str(self[0].summary['scenario']), runs)

    def __repr__(self) -> str:
        """Say how each flight ended."""
        return '\n'.join(map(repr, self))


def fly(
    scenario: str | Path = 'demo',
    controller: str | Path | Sequence[str] | None = None,
    seeds: int | Sequence[int] = 1,
    *,
    seed: int | None = None,
    agents: int | None = None,
    duration: float | None = None,
    vehicle: str | Path | None = None,
    changes: Mapping[str, Any] = NOTHING,
    out: str | Path = 'runs',
    jobs: int | None = None,
) -> Flights:
    """Fly a scenario under laws and seeds, without ROS, as ``swarm simulate`` does.

    Each flight leaves a run folder: one flight with a bag, several without; their frames are flown
    again when they are asked for, to the same bits. Several fly in parallel processes.

    Args:
        scenario: Scenario file, or name of an installed scenario.
        controller: A law, a ``FILE.py`` of your own, ``'all'``, or several; None: that of the
            scenario.
        seeds: The seeds, or how many, beginning with that of ``seed``.
        seed: The first seed; None: that of the scenario.
        agents: Number of agents; None: that of the scenario.
        duration: Simulated time [s]; None: that of the scenario.
        vehicle: Vehicle file, or name of an installed one.
        changes: Values of parameters by ``section.key``, as of ``--set``.
        out: Folder for the run folders.
        jobs: Flights at once; None: one per core.

    Raises:
        ScenarioError: There is no such scenario, law or vehicle, or a value is refused.
        RunError: It does not fit into this machine, or no flight came to its end.
        KeyboardInterrupt: It was interrupted; what was flown is on disk.

    Example:
        >>> fly('demo', duration=20.0)[0].encircled
        True
        >>> fly('demo', seeds=5, changes={'control.k_s': 1.0}).summary.E_gap.median()
    """
    controllers = [controller] if isinstance(controller, str | Path) else controller or []
    if not isinstance(controllers, Sequence):
        controllers = [controllers]
    for name, values in {'scenario': [scenario], 'controller': controllers}.items():
        _check_names(name, values)
    settings = [f'{key}={_text(value)}' for key, value in changes.items()]
    planned = planned_runs(
        [str(scenario)], [*map(str, controllers)], settings, _check_seeds(seeds),
        None if vehicle is None else str(vehicle), num_agents=agents, sim_duration=duration,
        seed=seed,
    )  # fmt: skip
    options = {'vehicle': vehicle, 'agents': agents, 'duration': duration}
    words = ['swarm', 'simulate', str(scenario)]
    words += [word for key, value in options.items() if value is not None
              for word in (f'--{key}', str(value))]  # fmt: skip
    words += [word for setting in settings for word in ('--set', setting)]
    folder, formats = Path(out), usable_formats(['none' if planned[1:] else 'bag'])
    flights = [
        job
        for planned_run in planned
        for job in jobs_of([planned_run], folder, [*words, *_chosen(planned_run)], formats)
    ]
    return Flights([*_fly_jobs(flights, jobs or len(os.sched_getaffinity(0)), folder)])


def _check_names(name: str, values: Sequence[Any]) -> None:
    """Refuse objects in the place of files and names.

    Raises:
        RunError: One is neither a text nor a path.
    """
    for value in values:
        if not isinstance(value, str | Path):
            raise RunError(
                f'{name} = {shown(value)} must be a file or a name; changes={{...}} changes '
                'parameters of a scenario'
            )


def _chosen(scenario: Scenario) -> list[str]:
    """Return the options that choose the law and the seed of one flight."""
    return ['--controller', scenario.control.controller, '--seed', str(scenario.run.seed)]


def _text(value: Any) -> str:
    """Return a value of a parameter as ``--set`` has it."""
    plain = value.item() if hasattr(value, 'item') else value
    return json.dumps(plain, default=str)


def _check_seeds(seeds: int | Sequence[int]) -> int | list[int]:
    """Return seeds, or how many.

    Raises:
        RunError: There are none, or too many, or one is no whole number.
    """
    chosen = range(seeds) if isinstance(seeds, int) else [*seeds]
    for seed in chosen:
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
            raise RunError(f'seeds: {shown(seed)} must be a whole number')
    if not 1 <= len(chosen) <= MAX_SEEDS:
        raise RunError(f'seeds = {shown(seeds)}: must be 1 to {MAX_SEEDS} seeds')
    return seeds if isinstance(seeds, int) else list(dict.fromkeys(map(int, chosen)))


def _fly_jobs(jobs: Sequence[Job], at_once: int, out: Path) -> Iterator[Flight]:
    """Fly jobs, one here and several in processes; iterate over those that are whole.

    Raises:
        RunError: None is.
        KeyboardInterrupt: They were interrupted.
    """
    check_memory(jobs, at_once, out)
    is_compiled = load_code_or_interpret([job.scenario for job in jobs], at_once)
    ready = [job._replace(is_compiled=is_compiled) for job in jobs]
    with interruptible() as interrupt:
        if len(ready) == 1:
            results = [_one(ready[0], interrupt)]
        else:
            results = BatchRunner(ready, at_once, interrupt).fly(lambda: None)
    errors = [error for result in results for error in result.errors]
    complete = [
        result for result in results if result.folder is not None and is_complete_run(result)
    ]
    if not complete:
        raise RunError('; '.join(errors))
    for error in errors:
        warnings.warn(error, stacklevel=4)
    for result in complete:
        yield Flight(result.folder, partial(_recording, result.folder), summary=result.summary)


def _one(job: Job, interrupt: Interrupt) -> JobResult:
    folder = job.folder()
    simulation = Simulation(
        job.scenario, folder, job.recording, is_compiled=job.is_compiled
    )
    summary = simulation.fly(lambda: bool(interrupt))
    return JobResult(folder, summary, simulation.errors)


def _recording(folder: Path) -> Recording:
    return load(folder).recording
