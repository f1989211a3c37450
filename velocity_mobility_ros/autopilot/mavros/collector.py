"""Reports from the messages of MAVROS: each message tells a part of one."""

from collections.abc import Callable
from typing import Any

from velocity_mobility_ros.autopilot.bridge.bridge_records import Known
from velocity_mobility_ros.autopilot.mavros import reading
from velocity_mobility_ros.autopilot.mavros.dialects import Dialect, mode_trouble
from velocity_mobility_ros.autopilot.mavros.topics import (
    BATTERY,
    ESTIMATOR,
    EXTENDED_STATE,
    ODOMETRY,
    ORIGIN,
    STATE,
    SYSTEM,
)
from velocity_mobility_ros.autopilot.reports import Reference
from velocity_mobility_ros.autopilot.standard_messages import battery, reference

ESTIMATE_TIME = 3.0
"""Age from which on what the estimator said of itself does not count any more [s]."""


class MavrosReports:
    """The last report of each kind.

    Attributes:
        known: The reports.
        trouble: Why the vehicle cannot be flown; empty: nothing.
    """

    def __init__(self, dialect: Dialect) -> None:
        """Know nothing.

        Args:
            dialect: How the autopilot is spoken to.
        """
        self.known, self.trouble = Known(), ''
        self._dialect = dialect
        self._origin: Reference | None = None
        self._estimate: reading.Estimate | None = None
        self._passes_preflight = True
        self._takers: dict[str, Callable[[Any, float], None]] = {
            STATE: self._take_state,
            EXTENDED_STATE: self._take_land,
            SYSTEM: self._take_system,
            ODOMETRY: self._take_odometry,
            ORIGIN: self._take_origin,
            BATTERY: self._take_battery,
            ESTIMATOR: self._take_estimate,
        }

    @property
    def has_origin(self) -> bool:
        """Whether the origin of the estimator is known."""
        return self._origin is not None

    def take(self, topic: str, message: Any, received: float) -> None:
        """Take a message.

        Args:
            topic: Its topic, below the namespace of MAVROS.
            message: The message.
            received: Monotonic time of its arrival [s].
        """
        self._takers[topic](message, received)

    def _know(self, **reports: Any) -> None:
        self.known = self.known._replace(**reports)

    def _take_state(self, message: Any, received: float) -> None:
        status = reading.vehicle_status(message, self._dialect, received)
        if status is None:
            return
        self.trouble = mode_trouble(self._dialect, message.mode)
        self._know(status=status._replace(passes_preflight=self._passes_preflight))

    def _take_land(self, message: Any, received: float) -> None:
        self._know(land=reading.land_state(message, received))

    def _take_system(self, message: Any, received: float) -> None:
        self._passes_preflight = reading.passes_preflight(message)
        status = self.known.status
        if status is not None:
            self._know(status=status._replace(passes_preflight=self._passes_preflight))

    def _take_origin(self, message: Any, received: float) -> None:
        self._origin = reference(message) or self._origin

    def _take_battery(self, message: Any, received: float) -> None:
        self._know(battery=battery(message, received))

    def _take_estimate(self, message: Any, received: float) -> None:
        self._estimate = reading.estimate(message, received)

    def _take_odometry(self, message: Any, received: float) -> None:
        odometry = reading.odometry(message, received)
        if odometry is None:
            return
        valid = self._estimate
        if valid is None or received - valid.received > ESTIMATE_TIME:
            valid = reading.Estimate(received)
        covariance = message.pose.covariance
        local = reading.local_position(odometry, covariance, valid, self._origin)
        self._know(odometry=odometry, local=local)
