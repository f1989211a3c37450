"""Accepted odometry: of the own body, in a known frame, up to date, in order.

The poses of the frames of vehicles' odometry come by parameter, or by tf2. A member reports that
its odometry was never received, is lost, or was found again.
"""

import time
from typing import NamedTuple

from rclpy.impl.rcutils_logger import RcutilsLogger
from rclpy.node import Node

from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.nodes.node_parameters import OdometryParameters
from velocity_mobility_ros.core.coordinate_frames import (
    Transform, check_distinct, quaternion_from_yaw
)
from velocity_mobility_ros.core.odometry_consistency import OdometryMotion
from velocity_mobility_ros.core.step_time import lasting, to_ns, to_seconds
from velocity_mobility_ros.core.user_errors import MalformedMessageError, cut, shown
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    OdometryValues, StampError, body_of, check_stamp
)
from velocity_mobility_ros.ros_io.messages.serialized_messages import SerializedOdometry
from velocity_mobility_ros.ros_io.messages.tf import TransformError, TransformListener, listen
from velocity_mobility_ros.ros_io.messages.vehicle_input import TwistCheck
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.vehicle_topics import (
    BASE_FRAME, MAP_FRAME, ODOM, body_frame, names_of
)

FIRST_TRANSFORM = 2.0
"""Wall time [s] in which the first transforms arrive."""

MAX_REASON_LENGTH = 160
"""Characters of a reason that are shown; it may repeat the name of a frame."""

ORIGIN = 'odom_origin_x, odom_origin_y, odom_origin_z and odom_origin_yaw'


class FrameError(MalformedMessageError):
    """A message names a frame that is not known, or that of another body."""


class WaitingError(FrameError):
    """A frame is not known yet: transforms have not had the time to arrive."""


class OdometryFrames:
    """The frames of one member's odometry."""

    def __init__(self, node: Node, settings: OdometryParameters, longest_age: float) -> None:
        """Store the parameters; tf2 is used only when a frame needs it.

        Args:
            node: The member's node; its namespace names its body.
            settings: Frames and origin.
            longest_age: Maximum age [s] of a valid transform.

        Raises:
            ParameterError: The frame of the odometry is that of the body.
        """
        self._node = node
        self._settings = settings
        self._longest_age = longest_age
        chosen = settings.odom_child_frame
        self._bodies = (chosen,) if chosen else names_of(body_frame(node.get_namespace()))
        self._is_body_twist = settings.odom_twist_frame == BASE_FRAME
        for body in self._bodies:
            check_distinct({'odom_frame': settings.odom_frame, 'odom_child_frame': body})
        self._fixed = fixed_transform(settings)
        self._transforms: TransformListener | None = None
        self._listening_since = 0.0

    def check_body(self, frame: str, pose_frame: str) -> None:
        """Refuse the child frame of an odometry that is not the own body's.

        Args:
            frame: The child frame; that of the pose, or none, where the twist is in that one.
            pose_frame: The frame of the pose.

        Raises:
            FrameError: It is empty or another body's; the message names the parameter to set.
        """
        if frame in self._bodies:
            return
        bodies = ' or '.join(map(shown, self._bodies))
        if frame in ('', pose_frame):
            if not self._is_body_twist:
                return
            text = f'is {shown(frame)}, as of the pose' if frame else 'is empty'
            raise FrameError(
                f'child_frame_id {text}, so the frame of the twist is unknown; the publisher '
                f"must set it to {bodies}, or set odom_twist_frame to 'map' if the twist is in "
                'the frame of the pose'
            )
        raise FrameError(
            f'child_frame_id = {shown(frame)} must be {bodies}; use the odom topic of this '
            f'vehicle, or set odom_child_frame to {shown(frame)}'
        )

    def transform(self, frame: str, stamp_ns: int) -> Transform | None:
        """Return the pose of a frame in map at a time [ns]; None if it is map.

        Raises:
            FrameError: It is unknown; the message names what to set or to publish.
        """
        if frame == self._settings.odom_frame:
            return self._fixed
        if frame == MAP_FRAME:
            return None
        return self._by_tf(frame, stamp_ns)

    def _by_tf(self, frame: str, stamp_ns: int) -> Transform:
        if not frame:
            raise FrameError(f'header.frame_id is empty, must be {MAP_FRAME!r}')
        wanted = f'the transform {MAP_FRAME} -> {_in_one_line(frame)}'
        fault = f'header.frame_id = {shown(frame)} must be {MAP_FRAME!r}'
        by_hand = f'set odom_frame to {shown(frame)} and {ORIGIN} to where its origin lies in map'
        transforms = self._listening()
        if transforms is None:
            raise FrameError(f'{fault}; {by_hand}, or install tf2_ros_py and publish {wanted}')
        try:
            return transforms.lookup(MAP_FRAME, frame, stamp_ns)
        except TransformError as error:
            if time.monotonic() - self._listening_since < FIRST_TRANSFORM:
                raise WaitingError(f'{fault}; waiting for {wanted} on /tf') from None
            reason = _in_one_line(str(error).strip(' .'))
            raise FrameError(f'{fault}, or {wanted} on /tf ({reason}); {by_hand}') from None

    def _listening(self) -> TransformListener | None:
        """Return the transform buffer, None without tf2; the first call creates it."""
        if self._transforms is None:
            self._transforms = listen(self._node, self._longest_age)
            self._listening_since = time.monotonic()
        return self._transforms


def _in_one_line(text: str) -> str:
    """Return a text from another node, or one that repeats it, without its quotes."""
    beginning = text[: MAX_REASON_LENGTH + 1]
    return cut(''.join(c if c.isprintable() else ' ' for c in beginning), MAX_REASON_LENGTH)


def fixed_transform(settings: OdometryParameters) -> Transform | None:
    """Return the pose of ``odom_frame`` in map by the parameters; None for identity."""
    origin = (settings.odom_origin_x, settings.odom_origin_y, settings.odom_origin_z)
    if (*origin, settings.odom_origin_yaw) == (0.0, 0.0, 0.0, 0.0):
        return None
    return Transform(origin, quaternion_from_yaw(settings.odom_origin_yaw))


class MeasuredState(NamedTuple):
    """An odometry: when it was valid, when it was received [ns]; pose and heading [rad] in map."""

    stamp_ns: int
    received_ns: int
    pose: Pose
    yaw: float

    def moved(self, step_ns: int) -> 'MeasuredState':
        """Return it as after a step of the clock [ns]: as old as before."""
        return self._replace(
            stamp_ns=self.stamp_ns + step_ns, received_ns=self.received_ns + step_ns
        )


def measured(
    odometry: OdometryValues, received_ns: int, transform: Transform | None = None,
    is_body_twist: bool = True,
) -> MeasuredState:  # fmt: skip
    """Return an odometry that was received at a time [ns].

    Args:
        odometry: The odometry.
        received_ns: Time of its arrival [ns].
        transform: Pose of its frame in map; None: it is map.
        is_body_twist: Whether its twist is in the frame of the body; else in that of the pose.

    Raises:
        MalformedMessageError: A number is not finite or the attitude is not a rotation.
    """
    position, velocity, yaw = body_of(odometry, transform, is_body_twist)
    return MeasuredState(odometry.stamp_ns, received_ns, Pose(position, velocity), yaw)


class OdometryReader:
    """Reads the odometry of a real-time member and reports what it refuses.

    Attributes:
        twist: Compares its twist with its displacements.
    """

    def __init__(
        self, node: Node, settings: OdometryParameters, timeout: float, health: NodeDiagnostics
    ) -> None:
        """Expect the odometry of a node's own body.

        Args:
            node: The member's node.
            settings: Frames and origin.
            timeout: Age [s] from which an odometry is not accepted.
            health: Receives the refusals.
        """
        self._frames = OdometryFrames(node, settings, timeout)
        self._timeout = timeout
        self._health = health
        self._bytes = SerializedOdometry()
        frame = settings.odom_twist_frame
        self._is_body_twist = frame == BASE_FRAME
        self.twist = TwistCheck(node.resolve_topic_name(ODOM), frame, 'odom_twist_frame')
        self._motion = OdometryMotion(to_ns(timeout))
        self._last: MeasuredState | None = None

    def take(self, data: bytes, now_ns: int) -> None:
        """Store a serialized odometry received at a time [ns], or report why it is refused."""
        try:
            odometry = self._bytes.read(data)
            if self._last is not None and odometry.stamp_ns == self._last.stamp_ns:
                return  # a driver repeats what it has measured: nothing new, nothing wrong
            check_stamp(odometry.stamp_ns, now_ns, self._timeout, 'odom_timeout')
            self._check_order(odometry.stamp_ns, now_ns)
            self._frames.check_body(odometry.body, odometry.frame)
            flaw = self._motion.flaw(odometry.stamp_ns, odometry.position, odometry.linear)
            if flaw == '':
                return
            if flaw is not None:
                raise MalformedMessageError(flaw)
            transform = self._frames.transform(odometry.frame, odometry.stamp_ns)
            self._last = measured(odometry, now_ns, transform, self._is_body_twist)
        except MalformedMessageError as error:
            self._health.refuse(ODOM, str(error), type(error).__name__)
            return
        if self.twist.take(odometry):
            self._health.publish()

    def current(self, now_ns: int) -> MeasuredState | None:
        """Return the last odometry, None if it is older than the timeout by stamp or arrival."""
        last, limit_ns = self._last, to_ns(self._timeout)
        if last is None or now_ns - last.received_ns > limit_ns:
            return None
        return last if abs(now_ns - last.stamp_ns) <= limit_ns else None

    def move(self, step_ns: int) -> None:
        """Keep the age of the last odometry after a step of the clock [ns]."""
        if self._last is not None:
            self._last = self._last.moved(step_ns)

    def _check_order(self, stamp_ns: int, now_ns: int) -> None:
        """Refuse what is older than the last accepted one."""
        last = self.current(now_ns)
        if last is not None and stamp_ns < last.stamp_ns:
            raise StampError(
                f'stamp is {(last.stamp_ns - stamp_ns) / 1e9:.3f} s before that of the message '
                'before it: two publishers on the topic, or messages out of order'
            )


class OdometryWatch:
    """Tracks from tick to tick whether there is accepted odometry."""

    def __init__(
        self, logger: RcutilsLogger, topic: str, timeout: float, consequence: str
    ) -> None:
        """Begin without odometry.

        Args:
            logger: Where loss and return are logged.
            topic: Full name of the topic.
            timeout: Age [s] from which an odometry is not accepted.
            consequence: What the member does without.
        """
        self._logger = logger
        self._topic = topic
        self._timeout = timeout
        self._consequence = consequence
        self._last_ns: int | None = None
        self._is_lost = False

    def update(self, now_ns: int, current: MeasuredState | None) -> None:
        """Update with the accepted odometry at a time [ns], None if there is none."""
        if current is None:
            if self._last_ns is not None and not self._is_lost:
                self._is_lost = True
                self._logger.error(f'{self._loss(now_ns)}: {self._consequence} until it is back')
            return
        if self._last_ns is None:
            self._logger.info(f'odometry received on {self._topic}')
        elif self._is_lost:
            away = to_seconds(now_ns - self._last_ns)
            self._logger.info(f'odometry is back on {self._topic} after {away:.1f} s')
        # It is as old as its stamp, or as its arrival if a clock is ahead.
        self._last_ns, self._is_lost = min(current.stamp_ns, current.received_ns), False

    def move(self, step_ns: int) -> None:
        """Keep the time of the last odometry after a step of the clock [ns]."""
        if self._last_ns is not None:
            self._last_ns += step_ns

    def conditions(self, now_ns: int) -> list[Condition]:
        """Return the fault at a time [ns]."""
        if self._last_ns is None:
            reason = f'no odometry received yet on {self._topic}'
            return [Condition(Level.STALE, reason, unheard=self._topic)]
        return [Condition(Level.ERROR, self._loss(now_ns))] if self._is_lost else []

    def _loss(self, now_ns: int) -> str:
        since = lasting(to_seconds(now_ns - self._last_ns))
        limit = f'odom_timeout {self._timeout:g} s'
        return f'odometry lost: none on {self._topic} for {since} ({limit})'
