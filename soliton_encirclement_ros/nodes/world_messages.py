"""What drives of a simulated world publish and take."""

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from velocity_mobility_ros.ros_io.messages import body_to_odometry, is_body_frame, twist_to_command
from velocity_mobility_ros.ros_io.topics import body_frame

from soliton_encirclement_ros.core.world import World


def odometry(world: World, name: str, stamp_ns: int) -> Odometry:
    """Return a member's odometry at a time [ns]."""
    vehicle = world.vehicles[name]
    return body_to_odometry(
        stamp_ns,
        body_frame(name),
        vehicle.position,
        vehicle.yaw,
        vehicle.velocity,
        vehicle.yaw_rate,
    )


def command(world: World, name: str, twist: Twist, frame: str) -> None:
    """Give a member's vehicle the command of a Twist in some frame.

    Raises:
        MalformedMessageError: A number is not finite or the frame is not known.
    """
    velocity, yaw_rate = twist_to_command(twist)
    world.command(name, velocity, yaw_rate, is_body_frame(frame, body_frame(name)))
