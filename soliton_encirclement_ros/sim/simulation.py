"""One scenario flown into a run folder: tables and summary as a lockstep run leaves them."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.observer import Observer, Sample
from soliton_encirclement_ros.core.run_folder import RunLog
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.summary import summarise
from soliton_encirclement_ros.sim.loop import SwarmLoop

SUMMARY_PERIOD = 2.0
"""Wall time [s] between two summaries on disk, so that a killed run has one."""


class Simulation:
    """One run; ``error`` is one line when not everything could be written."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        """Open the tables in a run's folder, which exists.

        Args:
            scenario: What to fly.
            folder: Where to leave tables and summary.
        """
        self.error = ''
        self._folder = folder
        self._loop = SwarmLoop(scenario)
        self._log: RunLog | None = None
        self._began = self._summarised = time.monotonic()
        self._ended = False
        self._open(CONTROLLERS[scenario.control.controller].telemetry_names)
        self._loop.on_row = lambda row: self._write(lambda log: log.add_agent(row))
        self._loop.on_sample = self._take_sample

    @property
    def observer(self) -> Observer:
        """What was seen so far."""
        return self._loop.observer

    def fly(
        self, stop: Callable[[], bool] = lambda: False, each_tick: Callable[[], None] | None = None
    ) -> dict[str, Any]:
        """Fly to the end, or until ``stop`` says so; put everything on disk.

        Returns:
            The summary.
        """
        try:
            self._ended = self._loop.fly(stop, each_tick)
        finally:
            self._write(RunLog.close)
            self._write(lambda log: log.write_summary(self.summary()))
            self._log = None
        return self.summary()

    def summary(self) -> dict[str, Any]:
        """Return the summary of the run so far; wall time in s."""
        wall, series = time.monotonic() - self._began, self.observer.series['time']
        facts = {
            'wall_s': wall,
            'real_time_factor': series[-1] / wall if len(series) and wall > 0.0 else None,
            'missed_answers': 0,
        }
        judged = summarise(self._loop.scenario, self.observer, facts)
        return {**judged, 'interrupted': not self._ended, 'complete': not self.error}

    def _take_sample(self, sample: Sample) -> None:
        self._write(lambda log: log.add_sample(sample))
        if time.monotonic() - self._summarised > SUMMARY_PERIOD:
            self._summarised = time.monotonic()
            self._write(lambda log: log.write_summary(self.summary()))

    def _open(self, names: tuple[str, ...]) -> None:
        try:
            self._log = RunLog(self._folder, names)
        except OSError as error:
            self._give_up(error)

    def _write(self, write: Callable[[RunLog], None]) -> None:
        """Write if there is a log; a full disk ends the log, not the run."""
        if self._log is None:
            return
        try:
            write(self._log)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self._log = None
        self.error = (
            f'{self._folder}: cannot write: {error.strerror}; the tables end here, everything '
            'before is kept: make room and run again'
        )
