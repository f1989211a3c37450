"""Messages as bytes: written and read at known places, without message objects.

The layouts are learnt from the messages themselves.

A message with a new layout is deserialized by ROS, which also refuses what is malformed. All
further ones like it are compared with the layout and read without message objects.

Read and written so are velocity commands (Twist or TwistStamped), odometry, and the JointState
messages of named coordinates.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState

from velocity_mobility_ros.core.cdr import (
    BILLION,
    NUMBERS,
    ORIGIN,
    TEXT,
    TEXTS,
    MessageLayout,
    Shape,
    byte_order,
    first_nanosec,
    is_plain,
)
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    MalformedMessageError,
    OdometryValues,
    command_to_stamped,
    command_to_twist,
    odometry_message,
    odometry_values,
    values_to_joint_state,
)
from velocity_mobility_ros.ros_io.node_time import time_to_ns
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

MAX_LAYOUTS = 1024
"""Layouts kept at most; senders repeat theirs, and a stranger must not fill the memory."""

MAX_SHAPES = 8
"""Shapes kept of messages of one length, at most: a message is compared with each of them."""

Texts = TypeVar('Texts')


def deserialized(data: bytes, kind: type) -> Any:
    """Return a message of a class.

    Raises:
        MalformedMessageError: It is no message of this class.
    """
    try:
        return deserialize_message(data, kind)
    except Exception as error:
        raise MalformedMessageError(f'{len(data)} bytes are no {kind.__name__}') from error


class Known(NamedTuple, Generic[Texts]):
    """A layout, and what its messages have in common."""

    layout: MessageLayout
    texts: Texts


_SameShape = dict[tuple[bytes, ...], Known[Any]]
"""Layouts that differ only in their texts, by these."""


class SerializedReader(Generic[Texts]):
    """Reads messages of one type."""

    def __init__(
        self, kind: type, fields: Sequence[int], texts_of: Callable[[Any], Texts]
    ) -> None:
        """Begin without a layout.

        Args:
            kind: Class of the messages.
            fields: What follows their stamp, as ``MessageLayout`` has it.
            texts_of: Returns what messages of one layout have in common.
        """
        self._kind = kind
        self._fields = fields
        self._texts_of = texts_of
        self._known: dict[int, dict[Shape, _SameShape]] = {}
        self._count = 0

    def find(self, data: bytes) -> Known[Texts] | None:
        """Return the known layout of a message with a sound stamp, if there is one."""
        shapes = self._known.get(len(data))
        if shapes is None or first_nanosec(data) >= BILLION:
            return None
        for shape, by_texts in shapes.items():
            texts = tuple([data[start:end] for start, end in shape.constant])
            known = by_texts.get(texts)
            if known is not None:
                return known
            known = by_texts.get(shape.texts(shape.cleaned(data)))
            if known is not None:
                self._keep(data, texts, known)  # a sender's padding is mostly always the same
                return known
        return None

    def learn(self, data: bytes) -> Any:
        """Deserialize a message without a known layout, and keep its layout.

        Raises:
            MalformedMessageError: It is no message of this type, or its stamp is no time.
        """
        message = deserialized(data, self._kind)
        nanosec = message.header.stamp.nanosec
        if nanosec >= BILLION:
            raise MalformedMessageError(
                f'header.stamp.nanosec = {nanosec} must be below {BILLION}: the sender has to '
                'carry whole seconds into sec'
            )
        if is_plain(data):
            layout = MessageLayout(data, self._fields)
            self._keep(data, layout.texts, Known(layout, self._texts_of(message)))
        return message

    def _keep(self, data: bytes, texts: tuple[bytes, ...], known: Known[Texts]) -> None:
        if self._count >= MAX_LAYOUTS:
            self._known.clear()
            self._count = 0
        shapes = self._known.setdefault(len(data), {})
        if len(shapes) >= MAX_SHAPES and known.layout.shape not in shapes:
            self._count -= sum(map(len, shapes.values()))
            shapes.clear()
        shapes.setdefault(known.layout.shape, {})[texts] = known
        self._count += 1


TWIST = 6
"""Numbers of a Twist: linear, then angular."""

TWIST_SIZE = ORIGIN + 8 * TWIST
"""Bytes of a serialized Twist, which has no stamp and no text."""

NO_OPTIONS = bytes(2)
"""What mostly follows the number of the encoding."""

COMMAND_SHAPE = (TEXT, TWIST)
"""Of a TwistStamped, after the stamp."""

STILL: Vector = (0.0, 0.0, 0.0)


class ReceivedCommand(NamedTuple):
    """A velocity command.

    Attributes:
        stamp_ns: When it was given [ns]; None: the message has no stamp.
        frame: Its frame; None: the message names none.
        velocity: Linear velocity [m/s].
        yaw_rate: Angular velocity about the vertical axis [rad/s].
    """

    stamp_ns: int | None
    frame: str | None
    velocity: Vector
    yaw_rate: float


class CommandWriter:
    """Serializes commands in one frame."""

    def __init__(self, is_stamped: bool, frame: str = MAP_FRAME) -> None:
        """Write TwistStamped in a frame, or Twist, which names none."""
        self._layout: MessageLayout | None = None
        if is_stamped:
            example = serialize_message(command_to_stamped(STILL, 0.0, 0, frame))
            self._layout = MessageLayout(example, COMMAND_SHAPE)
        else:
            example = serialize_message(command_to_twist(STILL, 0.0))
        self._head = example[:ORIGIN]
        self._numbers = struct.Struct(f'{byte_order(example)}{TWIST}d')

    def write(self, velocity: Vector, yaw_rate: float, stamp_ns: int) -> bytes:
        """Return a message with a velocity [m/s], yaw rate [rad/s] and, if stamped, stamp [ns]."""
        numbers = (*velocity, 0.0, 0.0, yaw_rate)
        if self._layout is not None:
            return self._layout.write(stamp_ns, numbers)
        return self._head + self._numbers.pack(*numbers)


class CommandReader:
    """Reads commands of one topic."""

    def __init__(self, is_stamped: bool) -> None:
        """Read TwistStamped, or Twist."""
        self._is_stamped = is_stamped
        self._reader: SerializedReader[str] = SerializedReader(
            TwistStamped, COMMAND_SHAPE, lambda message: message.header.frame_id
        )

    def read(self, data: bytes) -> ReceivedCommand:
        """Return the command in a message; its numbers are not checked.

        Raises:
            MalformedMessageError: It is no such message.
        """
        return self._stamped(data) if self._is_stamped else _plain(data)

    def _stamped(self, data: bytes) -> ReceivedCommand:
        known = self._reader.find(data)
        if known is not None:
            stamp_ns, numbers = known.layout.read(data)
            return ReceivedCommand(stamp_ns, known.texts, *_command(numbers))
        message = self._reader.learn(data)
        header = message.header
        return ReceivedCommand(
            time_to_ns(header.stamp), header.frame_id, *_of_twist(message.twist)
        )


def _plain(data: bytes) -> ReceivedCommand:
    # Whatever else may stand before or behind the numbers is up to ROS.
    if is_plain(data) and len(data) == TWIST_SIZE and data[2:ORIGIN] == NO_OPTIONS:
        numbers = struct.unpack_from(f'{byte_order(data)}{TWIST}d', data, ORIGIN)
        return ReceivedCommand(None, None, *_command(numbers))
    return ReceivedCommand(None, None, *_of_twist(deserialized(data, Twist)))


def _command(numbers: tuple[float, ...]) -> tuple[Vector, float]:
    return numbers[:3], numbers[TWIST - 1]


def _of_twist(twist: Twist) -> tuple[Vector, float]:
    linear = twist.linear
    return (linear.x, linear.y, linear.z), twist.angular.z


POSE, ODOM_TWIST, COVARIANCE = 7, 6, 36
"""Numbers of the parts of an Odometry."""

LINEAR_AT = POSE + COVARIANCE
ANGULAR_AT, ANGULAR_END = LINEAR_AT + 3, LINEAR_AT + ODOM_TWIST
"""Where the velocities stand among the numbers."""

NO_COVARIANCE = (0.0,) * COVARIANCE

ODOM_SHAPE = (TEXT, TEXT, POSE + COVARIANCE + ODOM_TWIST + COVARIANCE)


class SerializedOdometry:
    """Reads serialized odometry."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._reader: SerializedReader[tuple[str, str]] = SerializedReader(
            Odometry, ODOM_SHAPE, lambda message: (message.header.frame_id, message.child_frame_id)
        )

    def read(self, data: bytes) -> OdometryValues:
        """Return what is used of a message.

        Raises:
            MalformedMessageError: It is no Odometry.
        """
        known = self._reader.find(data)
        if known is None:
            return odometry_values(self._reader.learn(data))
        stamp_ns, numbers = known.layout.read(data)
        linear, angular = numbers[LINEAR_AT:ANGULAR_AT], numbers[ANGULAR_AT:ANGULAR_END]
        return OdometryValues(
            stamp_ns, *known.texts, numbers[:3], numbers[3:POSE], linear, angular
        )


class OdometryWriter:
    """Serializes the odometry of one body."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._frames: tuple[str, str] | None = None
        self._layout: MessageLayout | None = None

    def write(
        self,
        values: OdometryValues,
        covariances: tuple[Sequence[float], Sequence[float]] = (NO_COVARIANCE, NO_COVARIANCE),
    ) -> bytes:
        """Return a message, as ROS serializes it.

        Args:
            values: The odometry.
            covariances: Of pose and twist, 36 numbers each, in rows.
        """
        stamp_ns, frame, body, position, attitude, linear, angular = values
        if self._layout is None or self._frames != (frame, body):
            self._frames = frame, body
            self._layout = MessageLayout(serialize_message(odometry_message(values)), ODOM_SHAPE)
        return self._layout.write(
            stamp_ns,
            (*position, *attitude, *covariances[0], *linear, *angular, *covariances[1]),
        )


JOINT_SHAPE = (TEXT, TEXTS, NUMBERS, NUMBERS, NUMBERS)


class Coordinates(NamedTuple):
    """Named coordinates: when they were valid [ns], their frame, and the three lists."""

    stamp_ns: int
    frame: str
    names: tuple[str, ...]
    positions: Sequence[float]
    velocities: Sequence[float]


class _Texts(NamedTuple):
    """What messages of one layout have in common: texts, and the lengths of two lists."""

    frame: str
    names: tuple[str, ...]
    positions: int
    velocities: int


class CoordinateWriter:
    """Serializes named coordinates."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._layouts: dict[_Texts, MessageLayout] = {}

    def write(
        self,
        stamp_ns: int,
        names: Sequence[str],
        positions: Sequence[float],
        velocities: Sequence[float] = (),
        frame: str = MAP_FRAME,
    ) -> bytes:
        """Return a message with a stamp [ns], as ROS serializes it."""
        texts = _Texts(frame, tuple(names), len(positions), len(velocities))
        layout = self._layouts.get(texts)
        if layout is None:
            if len(self._layouts) >= MAX_LAYOUTS:
                self._layouts.clear()
            message = values_to_joint_state(stamp_ns, list(names), positions, velocities, frame)
            layout = MessageLayout(serialize_message(message), JOINT_SHAPE)
            self._layouts[texts] = layout
        return layout.write(stamp_ns, (*positions, *velocities))


class CoordinateReader:
    """Reads named coordinates from serialized messages."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._reader: SerializedReader[_Texts] = SerializedReader(JointState, JOINT_SHAPE, _texts)

    def read(self, data: bytes) -> Coordinates:
        """Return the coordinates in a message.

        Raises:
            MalformedMessageError: It is no JointState.
        """
        known = self._reader.find(data)
        if known is None:
            return coordinates(self._reader.learn(data))
        stamp_ns, numbers = known.layout.read(data)
        frame, names, positions, velocities = known.texts
        end = positions + velocities  # efforts may follow
        return Coordinates(stamp_ns, frame, names, numbers[:positions], numbers[positions:end])


def coordinates(message: JointState) -> Coordinates:
    """Return the coordinates in a message."""
    return Coordinates(
        time_to_ns(message.header.stamp),
        message.header.frame_id,
        tuple(message.name),
        message.position,
        message.velocity,
    )


def _texts(message: JointState) -> _Texts:
    counts = len(message.position), len(message.velocity)
    return _Texts(message.header.frame_id, tuple(message.name), *counts)
