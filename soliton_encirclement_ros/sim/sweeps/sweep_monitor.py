"""What those who fly runs report to."""

from collections.abc import Sequence
from typing import Protocol

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.sim.sweeps.run_result import RunResult
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun


class BrokenOffError(RunError):
    """Something outside ended the flights; what was finished is kept, the rest can still come."""


Finished = Sequence[tuple[PlannedRun, RunResult]]

TURN = 0.2
"""Wall time [s] between two turns at most."""


class SweepMonitor(Protocol):
    """Takes finished runs in; everything is called from one thread."""

    def take(self, finished: Finished) -> None:
        """Keep finished runs, and note those that failed."""
        ...

    def say(self, line: str) -> None:
        """Tell people one line."""
        ...

    def turn(self) -> bool:
        """Show how far it is; return whether to go on."""
        ...
