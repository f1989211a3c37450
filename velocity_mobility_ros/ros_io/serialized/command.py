"""Velocity commands from and to serialized messages, Twist or TwistStamped, without objects."""

import struct
from typing import NamedTuple

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.serialization import serialize_message

from velocity_mobility_ros.core.cdr import ORIGIN, byte_order, is_plain
from velocity_mobility_ros.core.message_layout import TEXT, MessageLayout
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.ros_io.messages import (
    command_to_stamped,
    command_to_twist,
    time_to_ns,
)
from velocity_mobility_ros.ros_io.serialized.layouts import SerializedReader, deserialized
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

TWIST = 6
"""Numbers of a Twist: linear, then angular."""

TWIST_SIZE = ORIGIN + 8 * TWIST
"""Bytes of a serialized Twist, which has no stamp and no text."""

NO_OPTIONS = bytes(2)
"""What mostly follows the number of the encoding."""

FIELDS = (TEXT, TWIST)
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
            self._layout = MessageLayout(example, FIELDS)
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
            TwistStamped, FIELDS, lambda message: message.header.frame_id
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
