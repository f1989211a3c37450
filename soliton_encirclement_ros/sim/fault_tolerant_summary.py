"""The summary of a flight in progress; a full disk ends the summary, not the flight."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from soliton_encirclement_ros.core.run.run_folder import SUMMARY, SUMMARY_PERIOD, write_json

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
