"""What MAVROS sees of an autopilot over MAVLink."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from support.ardupilot_emulator.estimate import Spot
from velocity_mobility_ros.core.coordinate_frames import Quaternion
from velocity_mobility_ros.core.velocity_model import Vector

ACCEPTED, TEMPORARILY_REJECTED, DENIED, UNSUPPORTED, FAILED = range(5)
"""MAV_RESULT."""

STANDBY, ACTIVE, CRITICAL = 3, 4, 5
"""MAV_STATE."""

ON_GROUND, IN_AIR = 1, 2
"""MAV_LANDED_STATE."""


class Heartbeat(NamedTuple):
    """HEARTBEAT, with the name of the mode as MAVROS writes it."""

    armed: bool
    mode: str
    system_status: int


class Motion(NamedTuple):
    """Place and velocity in ENU from the estimator's origin, attitude and rates of the body."""

    position: Vector
    attitude: Quaternion
    velocity: Vector
    rates: Vector
    eph: float


class Target(NamedTuple):
    """SET_POSITION_TARGET_LOCAL_NED in ENU; NaN: left out by the mask."""

    position: Vector
    velocity: Vector
    acceleration: Vector
    yaw: float
    yaw_rate: float


class Side(Protocol):
    """An autopilot."""

    battery: float

    def step(self, dt: float) -> None:
        """Advance by a time [s]."""

    def heartbeat(self) -> Heartbeat:
        """Return the heartbeat."""

    def landed(self) -> int:
        """Return the landed state."""

    def motion(self) -> Motion | None:
        """Return where it is; None: it does not know."""

    def origin(self) -> Spot | None:
        """Return the origin of its estimator if it tells it by itself."""

    def passes_prearm(self) -> bool:
        """Return whether it would arm."""

    def set_mode(self, name: str) -> bool:
        """Take SET_MODE, which has no answer; False: MAVROS does not know the name."""

    def command(self, number: int, params: list[float], done: Callable[[int], None]) -> None:
        """Take COMMAND_LONG; ``done`` gets the result, or nothing."""

    def setpoint(self, target: Target) -> None:
        """Take a setpoint."""
