"""JointState messages of named coordinates, from and to bytes, without message objects."""

from collections.abc import Sequence
from typing import NamedTuple

from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState

from velocity_mobility_ros.core.message_layout import NUMBERS, TEXT, TEXTS, MessageLayout
from velocity_mobility_ros.ros_io.messages import time_to_ns, values_to_joint_state
from velocity_mobility_ros.ros_io.serialized.layouts import MAX_LAYOUTS, SerializedReader
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

FIELDS = (TEXT, TEXTS, NUMBERS, NUMBERS, NUMBERS)


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
            layout = MessageLayout(serialize_message(message), FIELDS)
            self._layouts[texts] = layout
        return layout.write(stamp_ns, (*positions, *velocities))


class CoordinateReader:
    """Reads named coordinates from serialized messages."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._reader: SerializedReader[_Texts] = SerializedReader(JointState, FIELDS, _texts)

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
