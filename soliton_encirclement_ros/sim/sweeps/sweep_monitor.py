"""Interface to which the runners of a sweep report."""

from collections.abc import Sequence
from typing import Protocol

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.sim.sweeps.run_result import RunResult
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun


class BrokenOffError(RunError):
    """The sweep was stopped by an external cause; finished runs are kept, it can be resumed."""


Finished = Sequence[tuple[PlannedRun, RunResult]]

TURN = 0.2
"""Longest wall time [s] between two calls of ``turn``."""


class SweepMonitor(Protocol):
    """Receives finished runs; all methods are called from one thread."""

    def take(self, finished: Finished) -> None:
        """Store finished runs, and report those that failed."""
        ...

    def note(self, line: str) -> None:
        """Print one line for the user."""
        ...

    def turn(self) -> bool:
        """Update the progress display; return whether to continue."""
        ...
