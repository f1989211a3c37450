"""Checked inputs of a vehicle: velocity commands, its odometry in map, paths.

Commands are those to a vehicle, or those that stand between it and a controller. Odometry is in
its frame, up to date, and its numbers are finite; a twist that is not in the frame in which it is
read is a fault of the node. Paths come from publishers that keep their last message and from
others.

A subscription that asks for kept messages is not served by publishers that keep none, which warn
of it. So there is one that asks for nothing, and, once a publisher keeps its messages, another
one; what such a publisher sends to both counts once.
"""

import math
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from nav_msgs.msg import Odometry, Path
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy
from rclpy.subscription import Subscription

from velocity_mobility_ros.core.coordinate_frames import Attitude, velocity_of
from velocity_mobility_ros.core.odometry_consistency import TwistReading, TwistWatch
from velocity_mobility_ros.core.step_time import lasting, to_ns, to_seconds
from velocity_mobility_ros.core.twist_smoothing import Motion
from velocity_mobility_ros.core.user_errors import MalformedMessageError, StartupError, shown
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED, POLLED_INPUT
from velocity_mobility_ros.ros_io.graph_faults import senders_of_other_type
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    OdometryValues, body_of, check_stamp, checked_command, is_body_frame
)
from velocity_mobility_ros.ros_io.messages.serialized_messages import (
    CommandReader, CommandWriter, SerializedOdometry
)
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode, arrivals, deserialized
from velocity_mobility_ros.ros_io.vehicle_topics import (
    BASE_FRAME, CMD_VEL, CMD_VEL_RAW, MAP_FRAME, ODOM
)

Refuse = Callable[[str, str, str], None]
"""Counts a refused message: topic, reason, kind of the reason."""


class CommandInput:
    """Takes the commands of one vehicle once per update.

    Attributes:
        topic: Full name of their topic.
        writer: Writes commands in their frame, in the spelling of the last one.
    """

    def __init__(self, node: PollingNode, kind: type, body: str, in_body: bool) -> None:
        """Subscribe.

        Args:
            node: The node.
            kind: Class of the messages, Twist or TwistStamped.
            body: Frame of the body.
            in_body: Whether the commands are in the frame of the body; else in map.
        """
        self._arrived = node.poll(kind, CMD_VEL_RAW, COMMAND)
        self._is_stamped = 'header' in kind.get_fields_and_field_types()
        self._reader = CommandReader(self._is_stamped)
        self._node, self._body, self._in_body = node, body, in_body
        self.topic = node.resolve_topic_name(CMD_VEL_RAW)
        self._use(body if in_body else MAP_FRAME)

    def _use(self, frame: str) -> None:
        self._frame, self.writer = frame, CommandWriter(self._is_stamped, frame)

    def take(self, now_ns: int, timeout: float, refuse: Refuse) -> Iterator[Motion]:
        """Iterate over the valid commands that have arrived.

        Args:
            now_ns: Time [ns].
            timeout: Largest difference of a stamp from it [s]; 0: any.
            refuse: Counts a refused message.
        """
        for data in self._arrived():
            try:
                yield self._read(data, now_ns, timeout)
            except MalformedMessageError as error:
                refuse(CMD_VEL_RAW, str(error), type(error).__name__)

    def _read(self, data: bytes, now_ns: int, timeout: float) -> Motion:
        """Return a command.

        Raises:
            MalformedMessageError: Its stamp, its frame or a number is wrong.
        """
        stamp_ns, frame, velocity, yaw_rate = self._reader.read(data)
        if stamp_ns is not None and timeout > 0.0:
            check_stamp(stamp_ns, now_ns, timeout, 'cmd_vel_timeout')
        checked_command(velocity, yaw_rate)
        if frame is not None:
            if is_body_frame(frame, self._body) != self._in_body:
                allowed = f'{self._body!r} or base_link' if self._in_body else repr(MAP_FRAME)
                raise MalformedMessageError(
                    f'frame_id = {frame!r} must be {allowed} (cmd_vel_frame)'
                )
            if frame != self._frame:
                self._use(frame)
        return Motion(velocity, yaw_rate)

    def missing(self, age: float, timeout: float) -> list[Condition]:
        """Return why there is no command; the last one has an age [s], infinite without one."""
        return missing_command(self._node, self.topic, age, timeout)


def missing_command(node: Node, topic: str, age: float, timeout: float) -> list[Condition]:
    """Return why a vehicle has no command.

    Args:
        node: The node.
        topic: Full name of the topic.
        age: Age of the last one [s], infinite without one.
        timeout: Parameter ``cmd_vel_timeout`` [s].
    """
    if others := senders_of_other_type(node, topic):
        return others
    if math.isinf(age):
        reason = f'no command received yet on {topic}'
        return [Condition(Level.WARN, reason, unheard=topic)]
    reason = f'no command on {topic} for {lasting(age)}: stopped (cmd_vel_timeout {timeout:g} s)'
    return [Condition(Level.WARN, reason, topic)]


def refuse_loop(node: Node) -> None:
    """Refuse a node that would receive its own output.

    Raises:
        StartupError: Input and output are one topic.
    """
    topic = node.resolve_topic_name(CMD_VEL)
    if topic == node.resolve_topic_name(CMD_VEL_RAW):
        raise StartupError(
            f'{node.get_fully_qualified_name()}: {CMD_VEL_RAW} and {CMD_VEL} are both '
            f'{topic}; remap one of them, such as -r {CMD_VEL_RAW}:=cmd_vel_nav'
        )


class VehicleCommand(NamedTuple):
    """A command to a vehicle.

    Attributes:
        velocity: Linear velocity [m/s].
        yaw_rate: Angular velocity about the vertical axis [rad/s].
        in_body: Whether the velocity is along the axes of the levelled body; else of map.
    """

    velocity: Vector
    yaw_rate: float
    in_body: bool


class VehicleCommandReader:
    """Reads the commands of one vehicle."""

    def __init__(self, is_stamped: bool, frame: str, body: str, timeout: float) -> None:
        """Read TwistStamped, or Twist.

        Args:
            is_stamped: Whether commands are TwistStamped.
            frame: Frame of a Twist, which names none.
            body: Frame of the body.
            timeout: Largest difference of a stamp from the clock, cmd_vel_timeout [s]; 0: any.
        """
        self._reader = CommandReader(is_stamped)
        self._frame, self._body, self._timeout = frame, body, timeout

    def read(self, data: bytes, now_ns: int) -> VehicleCommand:
        """Return the command in a message.

        Args:
            data: The message.
            now_ns: Time of the node [ns].

        Raises:
            MalformedMessageError: Its stamp, its frame or a number is wrong.
        """
        stamp_ns, frame, velocity, yaw_rate = self._reader.read(data)
        if stamp_ns is not None and self._timeout > 0.0:
            check_stamp(stamp_ns, now_ns, self._timeout, 'cmd_vel_timeout')
        checked_command(velocity, yaw_rate)
        in_body = is_body_frame(self._frame if frame is None else frame, self._body)
        return VehicleCommand(velocity, yaw_rate, in_body)


TWIST_FRAMES = (BASE_FRAME, MAP_FRAME)
"""Frames of a twist: that of the body, as nav_msgs wants it, and that of the pose."""

FAULTS = (TwistReading.OTHER, TwistReading.NEITHER)

BY_PUBLISHER = 'its publisher must turn it into child_frame_id'
"""What to do where no parameter says in which frame a twist is."""


class TwistCheck:
    """Looks at the odometry of one vehicle."""

    def __init__(self, topic: str, frame: str = BASE_FRAME, parameter: str = '') -> None:
        """Start without odometry.

        Args:
            topic: Full name of the topic.
            frame: That of the twist, as it is read: one of ``TWIST_FRAMES``.
            parameter: The parameter that says so; empty: none does.
        """
        self._topic, self._frame, self._parameter = topic, frame, parameter
        self._watch = TwistWatch()

    @property
    def reading(self) -> TwistReading:
        """The axes of the twist, by the displacements so far."""
        return self._watch.reading

    def take(self, odometry: OdometryValues) -> bool:
        """Compare a valid odometry with earlier ones; return whether a fault begins with it."""
        previous = self.reading
        attitude, linear = odometry.attitude, odometry.linear
        velocity = velocity_of(Attitude(attitude, linear, odometry.angular))
        read, other = (velocity, linear) if self._frame == BASE_FRAME else (linear, velocity)
        self._watch.add(to_seconds(odometry.stamp_ns), odometry.position, read, other)
        return self.reading in FAULTS and self.reading is not previous

    def conditions(self) -> list[Condition]:
        """Return the fault."""
        key = f'twist of {self._topic}'
        if self.reading is TwistReading.OTHER:
            of_body = self._frame == BASE_FRAME
            named, true = ('body', 'pose') if of_body else ('pose', 'body')
            remedy = BY_PUBLISHER
            if self._parameter:
                remedy = f'set {self._parameter} to {TWIST_FRAMES[of_body]!r}'
            reason = (
                f'{self._topic}: the twist is in the frame of the {true}, not of the {named}, by '
                f'the displacements: {remedy}'
            )
            return [Condition(Level.ERROR, reason, key)]
        if self.reading is TwistReading.NEITHER:
            reason = (
                f'{self._topic}: the positions do not move as the twist says: it is 0, or in '
                'another frame or unit'
            )
            return [Condition(Level.WARN, reason, key)]
        return []


class OdometrySample(NamedTuple):
    """An odometry: stamp [ns], position [m], velocity [m/s] and heading [rad] in map."""

    stamp_ns: int
    position: Vector
    velocity: Vector
    yaw: float


class MapOdometry:
    """The last accepted odometry.

    Attributes:
        topic: Full name of its topic.
    """

    def __init__(
        self, node: PollingNode, health: NodeDiagnostics, timeout: float, source: str = ODOM
    ) -> None:
        """Subscribe.

        Args:
            node: The node.
            health: Receives the refusals.
            timeout: Age [s] from which an odometry is not accepted.
            source: Name of the topic.
        """
        self._health = health
        self.topic = topic = node.resolve_topic_name(source)
        self._timeout, self._source = timeout, source
        self._arrived = node.poll(Odometry, source, POLLED_INPUT)
        node.node_time.on_step(self._move)
        self._bytes = SerializedOdometry()
        self._twist = TwistCheck(topic)
        self._last: OdometrySample | None = None

    def update(self, now_ns: int) -> OdometrySample | None:
        """Read all messages; return the last odometry at a time [ns], None if it is too old."""
        for data in self._arrived():
            self._take(data, now_ns)
        return self._current(now_ns)

    def _take(self, data: bytes, now_ns: int) -> None:
        """Store a serialized odometry, or report why it is refused."""
        try:
            values = self._bytes.read(data)
            check_stamp(values.stamp_ns, now_ns, self._timeout, 'odom_timeout')
            if values.frame != MAP_FRAME:
                fault = f'frame_id = {shown(values.frame)} must be {MAP_FRAME!r}'
                raise MalformedMessageError(fault)
            self._last = OdometrySample(values.stamp_ns, *body_of(values))
        except MalformedMessageError as error:
            self._health.refuse(self._source, str(error), type(error).__name__)
            return
        if self._twist.take(values):
            self._health.publish()

    def _current(self, now_ns: int) -> OdometrySample | None:
        last = self._last
        is_late = last is not None and abs(now_ns - last.stamp_ns) > to_ns(self._timeout)
        return None if is_late else last

    def _move(self, step_ns: int) -> None:
        """Keep the age of the last odometry after a step of the clock [ns]."""
        if self._last is not None:
            self._last = self._last._replace(stamp_ns=self._last.stamp_ns + step_ns)

    def twist_conditions(self) -> list[Condition]:
        """Return the fault that the twist is in another frame."""
        return self._twist.conditions()

    def conditions(self, now_ns: int) -> list[Condition]:
        """Return the fault at a time [ns]: no odometry, or one with a wrong twist."""
        if self._last is None:
            reason = f'no odometry received yet on {self.topic}'
            return [Condition(Level.STALE, reason, unheard=self.topic)]
        if self._current(now_ns) is not None:
            return self.twist_conditions()
        age = to_seconds(now_ns - self._last.stamp_ns)
        reason = f'odometry lost: none on {self.topic} for {lasting(age)}: no commands are sent'
        return [Condition(Level.ERROR, reason, self.topic)]


PATH = 'path'

SEARCH_PERIOD = 0.5
"""Wall time [s] between two searches for publishers that keep their messages."""

ECHO_TIME = 2.0
"""Wall time [s] within which the same message from the other subscription is an echo."""


class PathInput:
    """The newest path, taken at the period of a node."""

    def __init__(self, node: PollingNode) -> None:
        """Subscribe to ``path``."""
        self._node = node
        self._subscriptions: list[Subscription] = [node.hidden(Path, PATH, COMMAND)]
        self._next_search = time.monotonic()
        self._last: tuple[int, bytes, float] = (0, b'', 0.0)

    def take(self) -> Path | None:
        """Return the newest path that has arrived since the last call, None if there is none.

        Raises:
            MalformedMessageError: It is no path.
        """
        self._search()
        newest = None
        for i, subscription in enumerate(self._subscriptions):
            for arrival in arrivals(subscription, Path):
                if self._is_new(i, arrival.data):
                    newest = arrival.data
        return None if newest is None else deserialized(newest, Path)

    def _is_new(self, source: int, data: bytes) -> bool:
        """Store a message; return whether it is no echo."""
        before, known, when = self._last
        now = time.monotonic()
        if source != before and data == known and now - when < ECHO_TIME:
            return False
        self._last = source, data, now
        return True

    def _search(self) -> None:
        """Subscribe to latched messages as soon as there is a publisher of them."""
        now = time.monotonic()
        if len(self._subscriptions) > 1 or now < self._next_search:
            return
        self._next_search = now + SEARCH_PERIOD
        topic = self._node.resolve_topic_name(PATH)
        for info in self._node.get_publishers_info_by_topic(topic):
            if info.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL:
                self._subscriptions.append(self._node.hidden_fixed(Path, PATH, LATCHED))
                return
