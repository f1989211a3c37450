"""Motion of a body as its odometry reports it."""

from typing import NamedTuple

from velocity_mobility_ros.core.frames import Quaternion, rotate, rotate_z, unit
from velocity_mobility_ros.core.model import Vector


class VehicleMotion(NamedTuple):
    """Motion of a body, as its odometry reports it.

    Attributes:
        position: Position [m, map].
        yaw: Heading [rad], counter-clockwise from east.
        velocity: Velocity [m/s, map]. That of a body that tilts is the one which a reader of its
            odometry gets: ``velocity_of(attitude)``.
        yaw_rate: Yaw rate [rad/s], counter-clockwise.
    """

    position: Vector
    yaw: float
    velocity: Vector
    yaw_rate: float


class Attitude(NamedTuple):
    """Attitude and twist of a body that rolls and pitches, as its odometry reports them.

    Attributes:
        rotation: Unit quaternion (x, y, z, w) from the body to map.
        linear: Velocity [m/s], forward, left and up (FLU).
        angular: Angular velocity [rad/s] about these.
    """

    rotation: Quaternion
    linear: Vector
    angular: Vector


def velocity_of(attitude: Attitude) -> Vector:
    """Return the velocity [m/s, map] that a reader of the odometry gets.

    It differs from the true one in the last bits. Simulations without ROS use it as well, so that
    they agree with the nodes bit for bit, signs of zeros included.
    """
    (x, y, z, w), (forward, left, up) = attitude.rotation, attitude.linear
    if x == 0.0 and y == 0.0 and z == 0.0 and w == 1.0:
        east, north = rotate_z(forward, left, 0.0)
        return east, north, up
    return rotate(unit(attitude.rotation), attitude.linear)
