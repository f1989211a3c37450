"""Messages that are sent at every tick, from and to bytes, without message objects.

Velocity commands (Twist or TwistStamped), odometry, and the JointState messages of named
coordinates: values by ``core.cdr``, whose layouts are learnt from the messages themselves.
"""

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from velocity_mobility_ros.core import cdr, cdr_readers
from velocity_mobility_ros.core.cdr import BILLION, Layout, LayoutError
from velocity_mobility_ros.core.cdr_readers import FEW_LAYOUTS, MAX_LAYOUTS
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.messages.message_conversion import OdometryValues
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

Summary = TypeVar('Summary')


class StampedReader(cdr_readers.MessageReader[Summary], Generic[Summary]):
    """Reads messages of a type that begins with a stamp; others are malformed."""

    def __init__(
        self, name: str, fields: cdr.Fields, summarize: Any, most: int = FEW_LAYOUTS
    ) -> None:
        """Begin without a layout; the name of the type is for refusals."""
        super().__init__(fields, summarize, most)
        self._name = name

    def _learn(self, data: bytes) -> cdr_readers.Known[Summary]:
        try:
            return super()._learn(data)
        except LayoutError as error:
            raise MalformedMessageError(f'{len(data)} bytes are no {self._name}') from error

    def read_stamped(self, data: bytes) -> tuple[Summary, int, tuple[float, ...]]:
        """Return the fixed part of the layout, the stamp [ns], and the numbers behind it.

        Raises:
            MalformedMessageError: It is no message of this type, or its stamp is no time.
        """
        summary, unpack = self.find(data)
        return summary, *split_stamp(unpack(data))


def split_stamp(numbers: tuple[Any, ...]) -> tuple[int, tuple[float, ...]]:
    """Return the stamp [ns] that all numbers of a message begin with, and those behind it.

    Raises:
        MalformedMessageError: The stamp is no time.
    """
    if numbers[1] >= BILLION:
        raise MalformedMessageError(
            f'header.stamp.nanosec = {numbers[1]} must be below {BILLION}: the sender has to '
            'carry whole seconds into sec'
        )
    return numbers[0] * BILLION + numbers[1], numbers[2:]


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
        fields = cdr.TWIST_STAMPED if is_stamped else cdr.TWIST
        self._is_stamped = is_stamped
        self._write = Layout(fields, cdr.encode(fields, {'frame': frame})).write

    def write(self, velocity: Vector, yaw_rate: float, stamp_ns: int) -> bytes:
        """Return a message with a velocity [m/s], yaw rate [rad/s] and, if stamped, stamp [ns]."""
        stamp = divmod(stamp_ns, BILLION) if self._is_stamped else ()
        return self._write((*stamp, *velocity, 0.0, 0.0, yaw_rate))


class CommandReader:
    """Reads commands of one topic, or of many senders: with the same frame they are alike."""

    def __init__(self, is_stamped: bool) -> None:
        """Read TwistStamped, or Twist."""
        self._is_stamped = is_stamped
        self._stamped = StampedReader('TwistStamped', cdr.TWIST_STAMPED, _frame)
        self._plain = cdr_readers.MessageReader(cdr.TWIST, lambda layout: None)

    def read(self, data: bytes) -> ReceivedCommand:
        """Return the command in a message; its numbers are not checked.

        Raises:
            MalformedMessageError: It is no such message.
        """
        if self._is_stamped:
            frame, stamp_ns, numbers = self._stamped.read_stamped(data)
            return ReceivedCommand(stamp_ns, frame, numbers[:3], numbers[5])
        try:
            _, numbers = self._plain.read(data)
        except LayoutError as error:
            raise MalformedMessageError(f'{len(data)} bytes are no Twist') from error
        return ReceivedCommand(None, None, numbers[:3], numbers[5])


def _frame(layout: Layout) -> str:
    return layout.texts['frame'][0]


def _frames(layout: Layout) -> tuple[str, str]:
    return _frame(layout), layout.texts['child'][0]


LINEAR_AT, ANGULAR_AT, ANGULAR_END = 43, 46, 49
"""Where the velocities of an Odometry stand behind its stamp, after pose and covariance."""

NO_COVARIANCE = (0.0,) * 36


class SerializedOdometry:
    """Reads serialized odometry."""

    def __init__(self, most: int = FEW_LAYOUTS) -> None:
        """Begin without a layout; so many are kept at most."""
        self._reader = StampedReader('Odometry', cdr.ODOMETRY, _frames, most)

    def read(self, data: bytes) -> OdometryValues:
        """Return what is used of a message.

        Raises:
            MalformedMessageError: It is no Odometry.
        """
        (frame, child), stamp_ns, numbers = self._reader.read_stamped(data)
        linear, angular = numbers[LINEAR_AT:ANGULAR_AT], numbers[ANGULAR_AT:ANGULAR_END]
        return OdometryValues(stamp_ns, frame, child, numbers[:3], numbers[3:7], linear, angular)


class OdometryWriter:
    """Serializes the odometry of one body."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._frames: tuple[str, str] | None = None
        self._layout: Layout | None = None

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
            example = cdr.encode(cdr.ODOMETRY, {'frame': frame, 'child': body})
            self._layout = Layout(cdr.ODOMETRY, example)
        return self._layout.write(
            (*divmod(stamp_ns, BILLION), *position, *attitude, *covariances[0], *linear, *angular,
             *covariances[1])
        )  # fmt: skip


class Coordinates(NamedTuple):
    """Named coordinates: when they were valid [ns], their frame, and the three lists."""

    stamp_ns: int
    frame: str
    names: tuple[str, ...]
    positions: Sequence[float]
    velocities: Sequence[float]


class CoordinateWriter:
    """Serializes named coordinates."""

    def __init__(self) -> None:
        """Begin without a layout."""
        self._layouts: dict[tuple[Any, ...], Layout] = {}

    def write(
        self,
        stamp_ns: int,
        names: Sequence[str],
        positions: Sequence[float],
        velocities: Sequence[float] = (),
        frame: str = MAP_FRAME,
    ) -> bytes:
        """Return a message with a stamp [ns], as ROS serializes it."""
        key = frame, tuple(names), len(positions), len(velocities)
        layout = self._layouts.get(key)
        if layout is None:
            if len(self._layouts) >= MAX_LAYOUTS:
                self._layouts.clear()
            layout = joint_layout(names, len(positions), len(velocities), frame)
            self._layouts[key] = layout
        return layout.write((*divmod(stamp_ns, BILLION), *positions, *velocities))


def joint_layout(
    names: Sequence[str], positions: int, velocities: int = 0, frame: str = MAP_FRAME
) -> Layout:
    """Return the layout of named coordinates with lists of some lengths."""
    lists = {'position': (0.0,) * positions, 'velocity': (0.0,) * velocities}
    values = {'frame': frame, 'name': names, **lists}
    return Layout(cdr.JOINT_STATE, cdr.encode(cdr.JOINT_STATE, values))


class JointTexts(NamedTuple):
    """The fixed part of messages of one layout: texts, and the lengths of two lists."""

    frame: str
    names: tuple[str, ...]
    positions: int
    velocities: int


def joint_texts(layout: Layout) -> JointTexts:
    """Return the fixed part of JointStates of a layout."""
    counts = (layout.fields[name].count for name in ('position', 'velocity'))
    return JointTexts(_frame(layout), layout.texts['name'], *counts)


class CoordinateReader:
    """Reads named coordinates from serialized messages."""

    def __init__(self, most: int = FEW_LAYOUTS) -> None:
        """Begin without a layout; so many are kept at most."""
        self._reader = StampedReader('JointState', cdr.JOINT_STATE, joint_texts, most)

    def read(self, data: bytes) -> Coordinates:
        """Return the coordinates in a message.

        Raises:
            MalformedMessageError: It is no JointState.
        """
        (frame, names, positions, velocities), stamp_ns, numbers = self._reader.read_stamped(data)
        end = positions + velocities  # efforts may follow
        return Coordinates(stamp_ns, frame, names, numbers[:positions], numbers[positions:end])
