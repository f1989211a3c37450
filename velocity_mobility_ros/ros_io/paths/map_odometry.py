"""Odometry of a vehicle in map: in its frame, up to date, its numbers finite."""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.shown import shown
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.core.timeouts import lasting
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.messages import MalformedMessageError, body_of
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.serialized.odometry import SerializedOdometry
from velocity_mobility_ros.ros_io.stamp_age import check_stamp
from velocity_mobility_ros.ros_io.twist_check import TwistCheck
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, ODOM


class Measured(NamedTuple):
    """An odometry: stamp [ns], position [m], velocity [m/s] and heading [rad] in map."""

    stamp_ns: int
    position: Vector
    velocity: Vector
    yaw: float


class MapOdometry:
    """The last accepted odometry."""

    def __init__(
        self, health: NodeDiagnostics, topic: str, timeout: float, source: str = ODOM
    ) -> None:
        """Begin without odometry.

        Args:
            health: Receives the refusals.
            topic: Full name of the topic, for conditions.
            timeout: Age [s] from which an odometry is not accepted.
            source: Name of the topic in the refusals.
        """
        self._health = health
        self._topic = topic
        self._timeout = timeout
        self._source = source
        self._bytes = SerializedOdometry()
        self._twist = TwistCheck(topic)
        self._last: Measured | None = None

    def take(self, data: bytes, now_ns: int) -> None:
        """Store a serialized odometry received at a time [ns], or report why it is refused."""
        try:
            values = self._bytes.read(data)
            check_stamp(values.stamp_ns, now_ns, self._timeout, 'odom_timeout')
            if values.frame != MAP_FRAME:
                raise MalformedMessageError(
                    f'frame_id = {shown(values.frame)} must be {MAP_FRAME!r}'
                )
            self._last = Measured(values.stamp_ns, *body_of(values))
        except MalformedMessageError as error:
            self._health.refuse(self._source, str(error), type(error).__name__)
            return
        if self._twist.take(values):
            self._health.publish()

    def current(self, now_ns: int) -> Measured | None:
        """Return the last odometry at a time [ns], None if it is too old."""
        last = self._last
        if last is None or abs(now_ns - last.stamp_ns) > to_ns(self._timeout):
            return None
        return last

    def move(self, step_ns: int) -> None:
        """Keep the age of the last odometry after a step of the clock [ns]."""
        if self._last is not None:
            self._last = self._last._replace(stamp_ns=self._last.stamp_ns + step_ns)

    def twist_conditions(self) -> list[Condition]:
        """Return the fault that the twist is in another frame."""
        return self._twist.conditions()

    def conditions(self, now_ns: int) -> list[Condition]:
        """Return the fault at a time [ns]: no odometry, or one with a wrong twist."""
        if self._last is None:
            reason = f'no odometry received yet on {self._topic}'
            return [Condition(Level.STALE, reason, unheard=self._topic)]
        if self.current(now_ns) is not None:
            return self.twist_conditions()
        age = to_seconds(now_ns - self._last.stamp_ns)
        reason = f'odometry lost: none on {self._topic} for {lasting(age)}: no commands are sent'
        return [Condition(Level.ERROR, reason, self._topic)]
