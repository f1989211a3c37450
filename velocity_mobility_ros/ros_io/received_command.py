"""Velocity commands to a vehicle, read from serialized messages and checked."""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.ros_io.messages import checked_command, is_body_frame
from velocity_mobility_ros.ros_io.serialized.command import CommandReader
from velocity_mobility_ros.ros_io.stamp_age import check_stamp


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
