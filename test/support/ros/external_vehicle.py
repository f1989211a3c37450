"""A vehicle of somebody else: takes cmd_vel in map, tells odometry in a frame of its own, tilted.

It moves as the simulated vehicle does. Its origin lies somewhere in map and looks somewhere; its
body is pitched all the time. As a program, beside an agent that is told the same origin:

    python test/support/ros/external_vehicle.py --ros-args -r __ns:=/uav_1 \
        -p odom_frame:=uav_1/odom \
        -p origin_x:=100.0 -p origin_y:=20.0 -p origin_yaw:=0.5 -p pitch:=0.43633
    ros2 run soliton_encirclement_ros agent_node --ros-args -r __ns:=/uav_1 \
        -p odom_frame:=uav_1/odom -p odom_origin_x:=100.0 -p odom_origin_y:=20.0 \
        -p odom_origin_yaw:=0.5
"""

import contextlib

import rclpy
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from transforms3d.euler import euler2quat

from support.ros.bodies import attitude_to_odometry, twist_to_command
from velocity_mobility_ros.core.coordinate_frames import inverse, quaternion_from_yaw, rotate
from velocity_mobility_ros.core.velocity_model import MobilityParameters, Vector
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.vehicles.simulated_body import Body

PERIOD = 0.02
PARAMETERS = {
    'odom_frame': 'odom', 'child_frame': 'base_link', 'stamped': False, 'pitch': 0.0, 'yaw': 0.0,
    'origin_x': 0.0, 'origin_y': 0.0, 'origin_z': 0.0, 'origin_yaw': 0.0,
    'x': 30.0, 'y': 0.0, 'z': 5.0, 'delay': 0.0,
}  # fmt: skip
"""``x``, ``y``, ``z``: start in map [m]; ``yaw``, ``pitch``: attitude in the own frame [rad];
``delay``: how much too old [s] the stamps are."""


class ExternalVehicle(Node):
    """Flies as commanded and tells it in its own frame."""

    def __init__(self, **options: object) -> None:
        """Begin to fly."""
        super().__init__('external_vehicle', **options)
        self.given = {name: self.declare_parameter(name, value).value
                      for name, value in PARAMETERS.items()}  # fmt: skip
        start = self.given['x'], self.given['y'], self.given['z']
        self.body = Body(MobilityParameters(update_rate=PERIOD), start)
        self.track: list[tuple[Vector, Vector]] = []
        self._odometry = self.create_publisher(Odometry, 'odom', STATE)
        if self.given['stamped']:
            self.create_subscription(
                TwistStamped, 'cmd_vel', lambda message: self._on_twist(message.twist), COMMAND
            )
        else:
            self.create_subscription(Twist, 'cmd_vel', self._on_twist, COMMAND)
        self.create_timer(PERIOD, self._on_timer)

    def _on_twist(self, message: Twist) -> None:
        self.body.command(*twist_to_command(message))

    def _on_timer(self) -> None:
        self.body.step()
        self.track.append((self.body.motion.position, self.body.motion.velocity))
        self._odometry.publish(self.odometry())

    def odometry(self) -> Odometry:
        """Return the odometry of now in the own frame."""
        given = self.given
        origin = given['origin_x'], given['origin_y'], given['origin_z']
        back = inverse(quaternion_from_yaw(given['origin_yaw']))
        offset = tuple(p - o for p, o in zip(self.body.motion.position, origin, strict=True))
        w, x, y, z = map(float, euler2quat(0.0, given['pitch'], given['yaw']))
        stamp_ns = self.get_clock().now().nanoseconds - round(given['delay'] * 1e9)
        return attitude_to_odometry(
            stamp_ns, given['child_frame'], rotate(back, offset), (x, y, z, w),
            rotate(back, self.body.motion.velocity), (0.0, 0.0, 0.0), given['odom_frame'],
        )  # fmt: skip


def main() -> None:
    """Fly until somebody interrupts."""
    rclpy.init()
    with contextlib.suppress(KeyboardInterrupt, rclpy.executors.ExternalShutdownException):
        rclpy.spin(ExternalVehicle())


if __name__ == '__main__':
    main()
