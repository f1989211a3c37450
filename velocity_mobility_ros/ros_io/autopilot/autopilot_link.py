"""What every autopilot's side of a bridge provides."""

from typing import Protocol

from velocity_mobility_ros.autopilot.bridge.bridge_records import BridgeOutputs, Known, LinkFacts
from velocity_mobility_ros.autopilot.outputs import Answer
from velocity_mobility_ros.autopilot.traits import Traits


class AutopilotLink(Protocol):
    """The topics and services of one autopilot; times are monotonic [s]."""

    kind: str
    """Name of the autopilot, such as ``px4``."""

    traits: Traits
    """What is particular to it."""

    def take(self, now: float) -> Known:
        """Read what has arrived; return the last report of each kind."""
        ...

    def answers(self) -> list[Answer]:
        """Return the answers to requests since the last call."""
        ...

    def facts(self, now: float) -> LinkFacts:
        """Return what the middleware knows: who listens, who else sends, what does not fit."""
        ...

    def send(self, outputs: BridgeOutputs, now: float) -> None:
        """Send heartbeat, setpoint and request."""
        ...

    def odometry_stamp_ns(self, now_ns: int) -> int | None:
        """Return the stamp of the last odometry in the clock of this computer [ns].

        None: that message is not to be passed on.

        Args:
            now_ns: Time of this computer [ns].
        """
        ...

    def values(self) -> dict[str, object]:
        """Return what is shown in diagnostics."""
        ...
