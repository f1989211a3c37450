"""The tables and the summary of a run in progress; a full disk ends them, not the run."""

import time
from collections.abc import Callable
from typing import Any

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.observer import ObservedSample
from soliton_encirclement_ros.core.run.run_folder import RunLog

SUMMARY_PERIOD = 2.0
"""Wall time [s] between two summaries on disk, so that a killed run has one."""


class FaultTolerantLog:
    """A log that stops at the first error and reports it once; everything before is kept."""

    def __init__(
        self,
        log: RunLog | None,
        summary: Callable[[], dict[str, Any]],
        give_up: Callable[[OSError], None],
    ) -> None:
        """Write to a log.

        Args:
            log: Where to write; None writes nowhere.
            summary: Returns the summary of the run so far.
            give_up: Takes the error that ended the log.
        """
        self._log = log
        self._summary = summary
        self._give_up = give_up
        self._summarised = 0.0

    def add_agent(self, row: TelemetryRow) -> None:
        """Write one agent's row."""
        self._write(lambda log: log.add_agent(row))

    def add_sample(self, sample: ObservedSample) -> None:
        """Write one row of metrics, and the summary now and then."""
        self._write(lambda log: log.add_sample(sample))
        if time.monotonic() - self._summarised > SUMMARY_PERIOD:
            self._summarised = time.monotonic()
            self._write(lambda log: log.write_summary(self._summary()))

    def close(self) -> None:
        """Put the tables on disk, then the last summary; nothing is written afterwards."""
        self._write(RunLog.close)
        self._write(lambda log: log.write_summary(self._summary()))
        self._log = None

    def _write(self, write: Callable[[RunLog], None]) -> None:
        if self._log is None:
            return
        try:
            write(self._log)
        except OSError as error:
            self._log = None
            self._give_up(error)
