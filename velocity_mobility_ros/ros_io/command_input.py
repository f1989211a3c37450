"""The velocity commands that stand between a controller and a vehicle, checked."""

from collections.abc import Callable, Iterator

from rclpy.node import Node

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.smoothing.motion_limit import Motion
from velocity_mobility_ros.ros_io.messages import (
    MalformedMessageError,
    checked_command,
    is_body_frame,
)
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import COMMAND
from velocity_mobility_ros.ros_io.serialized.command import CommandReader
from velocity_mobility_ros.ros_io.stamp_age import check_stamp
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, CMD_VEL_RAW, MAP_FRAME

Refuse = Callable[[str, str, str], None]
"""Counts a refused message: topic, reason, kind of the reason."""


class CommandInput:
    """Takes the commands of one vehicle once per update.

    Attributes:
        frame: Frame of the commands, in the spelling of the last one.
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
        self._reader = CommandReader('header' in kind.get_fields_and_field_types())
        self._body, self._in_body = body, in_body
        self.frame = body if in_body else MAP_FRAME

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
            self.frame = frame
        return Motion(velocity, yaw_rate)


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
