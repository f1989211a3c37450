"""One scenario flown into a run folder: the same tables and summary as a lockstep run.

It is flown in memory, too, for its summary, its study and its curves alone (``fly``). A full disk
ends the summary of a flight in progress, not the flight. A run is flown again by its manifest,
with the bag that it did not leave (``flight_again``).

A user's law may not return in the compiled engine, which nothing can interrupt.

Machine code hears neither ctrl-C nor an exception of another thread. So a thread looks whether
ticks go by; if not, it repeats the steps of all agents in plain Python, within a limit of time.
"""

import math
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.estimation.estimator import ESTIMATORS
from soliton_encirclement_ros.core.files import is_there
from soliton_encirclement_ros.core.flight_statistics.original_study import (
    as_published, corrected, study
)
from soliton_encirclement_ros.core.laws.law_registry import is_of_user
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.finished_run import (
    is_run, read_command, read_flown, read_summary
)
from soliton_encirclement_ros.core.run.observer import RunRecord
from soliton_encirclement_ros.core.run.run_folder import (
    BAG, MANIFEST, SUMMARY, SUMMARY_PERIOD, write_json
)
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_of_run
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.chunk import Chunk, Decimation
from soliton_encirclement_ros.sim.compilation.numba_import import say
from soliton_encirclement_ros.sim.engine import Engine, Pace
from soliton_encirclement_ros.sim.flight_constants import setup_of
from soliton_encirclement_ros.sim.recorded_data import RecordedData
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import BackgroundSinks, make_sinks

LARGEST_SHARE = 0.05
"""Share of the wall time that summaries of a long flight may take, approximately."""


class FaultTolerantSummary:
    """``summary.json``, written from the first samples on; ``error`` is one line, or empty."""

    def __init__(self, folder: Path, summary: Callable[[], dict[str, Any]]) -> None:
        """Write nothing yet.

        Args:
            folder: The run's folder.
            summary: Returns the summary of the run so far.
        """
        self.error = ''
        self._folder = folder
        self._summary = summary
        self._due = 0.0

    def write_if_due(self) -> None:
        """Write it from time to time, so that a killed run has one."""
        began = time.monotonic()
        if began >= self._due:
            self.write(self._summary())
            now = time.monotonic()
            self._due = now + max(SUMMARY_PERIOD, (now - began) / LARGEST_SHARE)

    def write(self, summary: dict[str, Any]) -> None:
        """Replace the file on disk."""
        try:
            write_json(self._folder / SUMMARY, summary)
        except OSError as error:
            self.error = f'{self._folder}: cannot write: {error.strerror}; there is no summary'
        else:
            self.error = ''


PATIENCE = 10.0
"""Wall time [s] without a tick after which the steps are repeated."""

POLL = 0.5
"""Wall time [s] between two looks."""


@contextmanager
def watched(engine: Engine, end: Callable[[str], None]) -> Iterator[None]:
    """Watch a flight with code of a user meanwhile.

    Args:
        engine: The engine that flies in this context.
        end: Called in another thread with the line for the author of what does not return. The
            thread of the flight is lost then.
    """
    if not has_own_code(engine.scenario):
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_watch, args=(engine, end, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def has_own_code(scenario: Scenario) -> bool:
    """Say whether a law, a layer or an estimator of a user flies."""
    own = scenario.is_estimated and ESTIMATORS.is_foreign(scenario.target_sensing.estimator)
    return own or is_of_user(setup_of(scenario, uav(1)))


def _watch(engine: Engine, end: Callable[[str], None], over: threading.Event) -> None:
    ticks, since = engine.ticks, time.monotonic()
    while not over.wait(POLL):
        if engine.ticks != ticks:
            ticks, since = engine.ticks, time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            line = engine.endless_step()
            if line and engine.ticks == ticks and not over.is_set():
                end(line)
                return
            since = time.monotonic()


CSV_ONLY = RecordedData()


class Simulation:
    """One run. Telemetry, and from time to time the summary, are written during the run."""

    def __init__(
        self,
        scenario: Scenario,
        folder: Path,
        recording: RecordedData = CSV_ONLY,
        on_chunk: Callable[[Chunk], None] | None = None,
        external: Collection[str] = (),
        is_compiled: Callable[[], bool] | None = None,
    ) -> None:
        """Place all members, and open the telemetry in a run's folder, which exists.

        Args:
            scenario: Scenario of the flight.
            folder: Folder for telemetry and summary.
            recording: Data to record.
            on_chunk: Takes all samples as they are taken.
            external: Names of members that are flown elsewhere.
            is_compiled: As of ``Engine``.
        """
        self._scenario = scenario
        self._study = recording.study
        self._on_chunk = on_chunk
        taken = on_chunk is not None
        self._engine = Engine(
            scenario, telemetry=bool(recording.formats) or recording.pictures or taken,
            study=recording.study, trails=recording.pictures,
            gossip=taken or 'bag' in recording.formats, external=external, is_compiled=is_compiled,
        )  # fmt: skip
        self._engine.on_chunk = self._take
        self._began = time.monotonic()
        self._ended = False
        self._thinning = Decimation(recording.every)
        self._sinks = make_sinks(recording.formats, folder, scenario)
        self._telemetry = BackgroundSinks(self._sinks)
        self._summary = FaultTolerantSummary(folder, self.summary)

    @property
    def engine(self) -> Engine:
        """The engine that flies."""
        return self._engine

    @property
    def seen(self) -> RunRecord:
        """The data observed so far."""
        return self._engine.seen

    @property
    def ticks(self) -> int:
        """Ticks flown so far."""
        return self._engine.ticks

    @property
    def errors(self) -> list[str]:
        """One line for every file that could not be written, the summary last."""
        errors = dict.fromkeys(sink.error for sink in self._sinks if sink.error)
        return [*errors] or [error for error in [self._summary.error] if error]

    def fly(
        self,
        stop: Callable[[], bool] = lambda: False,
        each_turn: Callable[[], None] | None = None,
        pace: Pace | None = None,
        lost: Callable[[str], None] = say,
    ) -> dict[str, Any]:
        """Fly to the end, or until ``stop`` returns true; write everything to disk.

        Args:
            stop: Called a few times per second of wall time.
            each_turn: Called as often.
            pace: As of ``Engine.fly``.
            lost: Called in another thread, with a line for the author, if a user's law does not
                return: this call will not return either. What was recorded is on disk.

        Returns:
            The summary.
        """
        try:
            with watched(self._engine, lambda line: self._break_off(line, lost)):
                self._ended = self._engine.fly(stop, each_turn, pace)
        finally:
            self._telemetry.close()
            last = self._last_summary()
            self._summary.write(last)
        return {**last, 'complete': not self.errors}

    def summary(self) -> dict[str, Any]:
        """Return the summary of the run so far; wall time in s."""
        wall, times = time.monotonic() - self._began, self.seen.series['time']
        facts = {
            'wall_s': wall,
            'real_time_factor': times[-1] / wall if len(times) and wall > 0.0 else None,
            'missed_answers': 0,
            **self._engine.seen.commands.facts,
        }
        judged = summarise(self._scenario, self.seen, facts)
        return {**judged, 'interrupted': not self._ended, 'complete': not self.errors}

    def _last_summary(self) -> dict[str, Any]:
        """Return the summary with the study; an interrupted flight has no study."""
        if not (self._study and self._ended):
            return self.summary()
        record = self._engine.study
        variants = {'as_published': as_published(record), 'corrected': corrected(record)}
        return {**self.summary(), 'study': {k: _plain(v) for k, v in variants.items()}}

    def _break_off(self, line: str, lost: Callable[[str], None]) -> None:
        """Write what was recorded until a law did not return."""
        self._engine.hand_out()
        self._telemetry.close()
        self._summary.write(self.summary())
        lost(line)

    def _take(self, chunk: Chunk) -> None:
        if self._on_chunk is not None:
            self._on_chunk(chunk)
        samples = self._thinning.pick(chunk)
        if self._sinks and len(samples.times):
            self._telemetry.write(samples)
        self._summary.write_if_due()


def _plain(figures: dict[str, float]) -> dict[str, float | None]:
    """Return figures for JSON, which has no NaN."""
    return {name: None if math.isnan(value) else value for name, value in figures.items()}


CURVE_PERIOD = 1.0
"""Time [s] between two samples of a curve, approximately."""


class FlightResult(NamedTuple):
    """Result of a flight; the same to the last bit on every machine and at any time.

    Attributes:
        summary: As ``core.run.summary.summarise`` returns it, without facts of the wall clock.
        study: The scalar metrics of the original's study by name; empty without a study.
        curves: ``time`` [s], the metrics and ``alive``, about once a second.
    """

    summary: dict[str, Any]
    study: dict[str, float]
    curves: dict[str, list[float]]


def fly(scenario: Scenario) -> FlightResult:
    """Fly a scenario to its end with the compiled laws."""
    engine = Engine(scenario, telemetry=False, study=True)
    engine.fly()
    series = engine.seen.series
    step = max(1, round(CURVE_PERIOD / scenario.swarm.control_period))
    names = ('time', *METRIC_NAMES, 'alive')
    curves = {name: series[name][step - 1 :: step].tolist() for name in names}
    return FlightResult(
        summarise(scenario, engine.seen, engine.seen.commands.facts), study(engine.study), curves
    )


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
    return scenario_of_run(read_flown(run), MANIFEST)


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
