"""One scenario flown into a run folder: tables and summary as a lockstep run leaves them."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.lasting_log import LastingLog
from soliton_encirclement_ros.core.observer import Observer
from soliton_encirclement_ros.core.run_folder import RunLog
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.summary import summarise
from soliton_encirclement_ros.sim.loop import SwarmLoop


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
        self._began = time.monotonic()
        self._ended = False
        self._log = LastingLog(self._open_log(scenario), self.summary, self._end_log)
        self._loop.on_row = self._log.add_agent
        self._loop.on_sample = self._log.add_sample

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
            self._log.close()
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

    def _open_log(self, scenario: Scenario) -> RunLog | None:
        try:
            return RunLog(self._folder, CONTROLLERS[scenario.control.controller].telemetry_names)
        except OSError as error:
            self._end_log(error)
            return None

    def _end_log(self, error: OSError) -> None:
        self.error = (
            f'{self._folder}: cannot write: {error.strerror}; the tables end here, everything '
            'before is kept: make room and run again'
        )
