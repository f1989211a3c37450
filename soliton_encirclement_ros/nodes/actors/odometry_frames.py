"""Poses of the frames of vehicles' odometry: by parameter, or by tf2."""

import time

from rclpy.node import Node
from velocity_mobility_ros.core.coordinate_frames import Transform, quaternion_from_yaw
from velocity_mobility_ros.core.frame_names import check_distinct
from velocity_mobility_ros.core.user_errors import cut, shown
from velocity_mobility_ros.ros_io.messages.message_conversion import MalformedMessageError
from velocity_mobility_ros.ros_io.messages.tf import TransformError, Transforms, listen
from velocity_mobility_ros.ros_io.vehicle_topics import (
    BASE_FRAME,
    MAP_FRAME,
    body_frame,
    names_of,
)

from soliton_encirclement_ros.nodes.actors.actor_parameters import OdometryParameters

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
        self._transforms: Transforms | None = None
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
        known = ' or '.join(map(shown, self._bodies))
        if frame in ('', pose_frame):
            if not self._is_body_twist:
                return
            what = f'is {shown(frame)}, as of the pose' if frame else 'is empty'
            raise FrameError(
                f'child_frame_id {what}, so the frame of the twist is unknown; the publisher '
                f"must set it to {known}, or set odom_twist_frame to 'map' if the twist is in "
                'the frame of the pose'
            )
        raise FrameError(
            f'child_frame_id = {shown(frame)} must be {known}; use the odom topic of this '
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
        begun = f'header.frame_id = {shown(frame)} must be {MAP_FRAME!r}'
        by_hand = f'set odom_frame to {shown(frame)} and {ORIGIN} to where its origin lies in map'
        transforms = self._listening()
        if transforms is None:
            raise FrameError(f'{begun}; {by_hand}, or install tf2_ros_py and publish {wanted}')
        try:
            return transforms.lookup(MAP_FRAME, frame, stamp_ns)
        except TransformError as error:
            if time.monotonic() - self._listening_since < FIRST_TRANSFORM:
                raise WaitingError(f'{begun}; waiting for {wanted} on /tf') from None
            reason = _in_one_line(str(error).strip(' .'))
            raise FrameError(f'{begun}, or {wanted} on /tf ({reason}); {by_hand}') from None

    def _listening(self) -> Transforms | None:
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
