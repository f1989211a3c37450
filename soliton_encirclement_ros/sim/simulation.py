"""One scenario flown into a run folder: the same tables and summary as a lockstep run."""

import math
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.figures.original_study import as_published, corrected
from soliton_encirclement_ros.core.run.observer import RunObservation
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.compilation.numba_import import say
from soliton_encirclement_ros.sim.decimation import Decimation
from soliton_encirclement_ros.sim.engine import Engine, Pace
from soliton_encirclement_ros.sim.fault_tolerant_summary import FaultTolerantSummary
from soliton_encirclement_ros.sim.recorded_data import RecordedData
from soliton_encirclement_ros.sim.sinks import BackgroundSinks, make_sinks
from soliton_encirclement_ros.sim.stuck_law import watched

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
            told=taken or 'bag' in recording.formats, external=external, is_compiled=is_compiled,
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
    def seen(self) -> RunObservation:
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
        kept = self._thinning.pick(chunk)
        if self._sinks and len(kept.times):
            self._telemetry.write(kept)
        self._summary.write_if_due()


def _plain(figures: dict[str, float]) -> dict[str, float | None]:
    """Return figures for JSON, which has no NaN."""
    return {name: None if math.isnan(value) else value for name, value in figures.items()}
