"""Reports from the messages of AP_DDS: each message tells a part of one.

The position comes from the pose about HOME, in a frame that stays when HOME is moved (``home``).
"""

import math
from collections.abc import Callable
from typing import Any

from velocity_mobility_ros.autopilot.ardupilot import reading
from velocity_mobility_ros.autopilot.ardupilot.home import HomeFrame, moved, placed
from velocity_mobility_ros.autopilot.ardupilot.topics import (
    BATTERY,
    FIX,
    GEOPOSE,
    POSE,
    STATUS,
    TWIST,
)
from velocity_mobility_ros.autopilot.bridge.bridge_records import Known
from velocity_mobility_ros.autopilot.reports import (
    LandState,
    LocalPosition,
    VehicleOdometry,
)
from velocity_mobility_ros.autopilot.standard_messages import battery
from velocity_mobility_ros.core.frames import yaw_from_quaternion

FIX_TIME = 3.0
"""Age of the last fix of the receiver after which there is none [s]."""

GAP, SETTLE = 1.0, 2.0
"""After a silence of the first time the last status is not believed for the second one [s]."""


class ArduPilotReports:
    """The last report of each kind.

    Attributes:
        known: The reports.
        trouble: Why the vehicle cannot be flown; empty: nothing.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self.known, self.trouble = Known(), ''
        self._frame = HomeFrame()
        self._speed: reading.Speed | None = None
        self._fix: tuple[float, float] | None = None
        self._passes_preflight, self._ekf_failed = True, False
        self._heard, self._trusted_from = math.inf, -math.inf
        self._takers: dict[str, Callable[[Any, float], None]] = {
            STATUS: self._take_status,
            GEOPOSE: self._take_place,
            TWIST: self._take_speed,
            POSE: self._take_pose,
            BATTERY: self._take_battery,
            FIX: self._take_fix,
        }

    def take(self, topic: str, message: Any, received: float) -> None:
        """Take a message.

        Args:
            topic: Its topic, without the prefix.
            message: The message.
            received: Monotonic time of its arrival [s].
        """
        self._takers[topic](message, received)

    def take_preflight(self, passes: bool) -> None:
        """Take the answer of the checks before arming."""
        self._passes_preflight = passes
        status = self.known.status
        if status is not None:
            self._know(status=status._replace(passes_preflight=passes))

    def _know(self, **reports: Any) -> None:
        self.known = self.known._replace(**reports)

    def _take_status(self, message: Any, received: float) -> None:
        self.trouble = reading.vehicle_trouble(message)
        self._ekf_failed = reading.EKF_FAILSAFE in message.failsafe
        status, self._trusted_from = reading.vehicle_status(message, received), -math.inf
        status = status._replace(passes_preflight=self._passes_preflight)
        self._know(status=status, land=LandState(received, not message.flying))

    def _take_speed(self, message: Any, received: float) -> None:
        self._speed = reading.speed(message, received) or self._speed

    def _take_place(self, message: Any, received: float) -> None:
        place = reading.place(message, received)
        if place is not None:
            self._frame = placed(self._frame, place, self._stands)

    def _take_battery(self, message: Any, received: float) -> None:
        self._know(battery=battery(message, received))

    def _take_fix(self, message: Any, received: float) -> None:
        self._fix = received, reading.horizontal_deviation(message)

    def _take_pose(self, message: Any, received: float) -> None:
        """Make the reports: the pose completes the velocity that has come before."""
        self._keep_alive(received)
        pose, speed = reading.pose(message), self._speed
        if pose is None or speed is None:
            return
        both, is_valid = min(received, speed.received), not self._ekf_failed
        self._frame = moved(self._frame, pose.position, speed.velocity, self._stands, received)
        position = self._frame.local or pose.position
        local = LocalPosition(
            both, position, speed.velocity, yaw_from_quaternion(*pose.attitude),
            xy_valid=is_valid, v_xy_valid=is_valid, eph=self._deviation(received),
            reference=self._frame.reference,
        )  # fmt: skip
        odometry = VehicleOdometry(
            both, pose.stamp_us, position, pose.attitude, speed.velocity, speed.angular_velocity
        )
        self._know(local=local, odometry=odometry)

    @property
    def _stands(self) -> bool:
        return self.known.land is None or self.known.land.landed

    def _keep_alive(self, received: float) -> None:
        """Let the status, which comes on change only, be as young as the pose.

        After a gap it may have changed unheard; if it has, that arrives soon.
        """
        status = self.known.status
        if received - self._heard > GAP:
            self._trusted_from = received + SETTLE
        self._heard = received
        if status is not None and received >= self._trusted_from:
            self._know(status=status._replace(received=received))

    def _deviation(self, now: float) -> float:
        """Return the standard deviation of the place [m]; 0 where no receiver tells one."""
        if self._fix is None:
            return 0.0
        received, deviation = self._fix
        return deviation if now - received <= FIX_TIME else math.inf
