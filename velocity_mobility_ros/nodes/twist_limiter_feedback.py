"""The measured motion of a vehicle, in the frame of its commands, and how often it is limited.

The limiter may begin at what the vehicle really does. It reports how often it limits, and what is
wrong.
"""

import math
from collections.abc import Callable, Iterator

from nav_msgs.msg import Odometry

from velocity_mobility_ros.core.coordinate_frames import rotate_z
from velocity_mobility_ros.core.step_time import lasting, to_ns, to_seconds
from velocity_mobility_ros.core.twist_smoothing import STILL, ChainState, Motion
from velocity_mobility_ros.core.user_errors import MalformedMessageError, shown
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.endpoints import STATE_INPUT
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    OdometryValues, body_of, check_stamp
)
from velocity_mobility_ros.ros_io.messages.serialized_messages import SerializedOdometry
from velocity_mobility_ros.ros_io.messages.vehicle_input import Refuse
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME, ODOM, names_of


class VelocityFeedback:
    """Takes the odometry of one vehicle once per update."""

    def __init__(self, node: PollingNode, body: str, in_body: bool, timeout: float) -> None:
        """Subscribe.

        Args:
            node: The node.
            body: Frame of the body.
            in_body: Whether the commands are in the frame of the body, levelled; else in map.
            timeout: Age at which a measurement is no longer used [s].
        """
        self._topic = node.resolve_topic_name(ODOM)
        self._arrived: Callable[[], Iterator[bytes]] = node.poll(Odometry, ODOM, STATE_INPUT)
        self._reader = SerializedOdometry()
        self._body, self._in_body, self._timeout = body, in_body, timeout
        self._motion, self._stamp_ns = STILL, 0
        self._is_known = False
        node.node_time.on_step(self._on_step)

    def _on_step(self, step_ns: int) -> None:
        """Keep the age after a step of the clock [ns], and drop messages from before it."""
        self._arrived()
        self._stamp_ns += step_ns

    def update(self, now_ns: int, refuse: Refuse) -> tuple[Motion, bool]:
        """Read all messages; return the measured motion, and whether it may be used.

        Args:
            now_ns: Time [ns].
            refuse: Counts a refused message.
        """
        for data in self._arrived():
            try:
                values = self._reader.read(data)
                check_stamp(values.stamp_ns, now_ns, self._timeout, 'odom_timeout')
                self._motion, self._stamp_ns = self._read(values), values.stamp_ns
                self._is_known = True
            except MalformedMessageError as error:
                refuse(ODOM, str(error), type(error).__name__)
        return self._motion, self._is_known and not self._is_old(now_ns)

    def conditions(self, now_ns: int) -> list[Condition]:
        """Return the fault if there is no odometry; the limiter then works without."""
        if not self._is_known:
            reason = f'no odometry received yet on {self._topic}'
            return [Condition(Level.STALE, reason, unheard=self._topic)]
        if not self._is_old(now_ns):
            return []
        age = to_seconds(now_ns - self._stamp_ns)
        reason = f'no odometry on {self._topic} for {lasting(age)}: works without feedback'
        return [Condition(Level.WARN, reason, self._topic)]

    def _is_old(self, now_ns: int) -> bool:
        return abs(now_ns - self._stamp_ns) > to_ns(self._timeout)

    def _read(self, values: OdometryValues) -> Motion:
        """Return the motion of an odometry in the frame of the commands.

        Raises:
            MalformedMessageError: A number is not finite, or a frame is wrong.
        """
        if values.body not in names_of(self._body):
            raise MalformedMessageError(
                f'child_frame_id = {shown(values.body)} must be {self._body!r}'
            )
        if not self._in_body and values.frame != MAP_FRAME:
            raise MalformedMessageError(
                f'frame_id = {shown(values.frame)} must be {MAP_FRAME!r}, as cmd_vel_frame'
            )
        _, velocity, yaw = body_of(values)
        yaw_rate = values.angular[2]
        if not math.isfinite(yaw_rate):
            raise MalformedMessageError(f'twist.angular.z = {yaw_rate} must be finite')
        if self._in_body:
            velocity = (*rotate_z(velocity[0], velocity[1], -yaw), velocity[2])
        return Motion(velocity, yaw_rate)


class LimitTally:
    """Outputs since the last status, and how many of them were limited."""

    def __init__(self) -> None:
        """Begin without outputs."""
        self._outputs = self._limited = 0
        self._smallest = 1.0

    def add(self, state: ChainState) -> None:
        """Count an output."""
        self._outputs += 1
        if state.limiter.factor < 1.0:
            self._limited += 1
            self._smallest = min(self._smallest, state.limiter.factor)

    def take(self) -> dict[str, object]:
        """Return the values since the last call: share limited, and the smallest factor."""
        share = self._limited / self._outputs if self._outputs else 0.0
        values = {'limited_share': f'{share:.3f}', 'smallest_factor': f'{self._smallest:.3f}'}
        self._outputs = self._limited = 0
        self._smallest = 1.0
        return values
