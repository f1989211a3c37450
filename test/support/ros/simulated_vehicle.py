"""A simulated vehicle as a real node, with an ear for it and a voice for its commands."""

import math
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from support.ros.graph import Heard, Ros
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.messages import (
    command_to_stamped,
    command_to_twist,
    odometry_to_body,
    time_to_ns,
)
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

NODE = '/uav_1/mobility_node'
PERIOD_NS = 10_000_000
BODY = 'uav_1/base_link'

AGILE = {'tau_xy': 0.05, 'tau_z': 0.05, 'max_acc_xy': 50.0, 'max_acc_z': 50.0,
         'cmd_vel_timeout': 0.0}  # fmt: skip
"""A body that reaches any velocity quickly, and keeps it."""


class SimulatedVehicle:
    """A mobility node with an ear for its odometry and a voice for commands."""

    def __init__(self, ros: Ros, kind: type = Twist, **parameters: Any) -> None:
        """Start it in the namespace /uav_1."""
        self.ros = ros
        self.node = ros.make(MobilityNode, '/uav_1', **parameters)
        self.odometry: Heard = ros.listen(Odometry, '/uav_1/odom', STATE)
        self.voice = ros.voice(kind, '/uav_1/cmd_vel')
        ros.until(lambda: self.odometry, 'the first odometry')

    def say(self, velocity: Vector = (0.0, 0.0, 0.0), yaw_rate: float = 0.0) -> None:
        """Command by Twist."""
        self.voice.publish(command_to_twist(velocity, yaw_rate))

    def say_in(self, frame: str, velocity: Vector, age_ns: int = 0) -> None:
        """Command by TwistStamped."""
        message = command_to_stamped(velocity, 0.0, self.ros.now_ns() - age_ns)
        message.header.frame_id = frame
        self.voice.publish(message)

    @property
    def velocity(self) -> Vector:
        """The newest velocity [m/s, map]."""
        return odometry_to_body(self.odometry.last)[1]

    @property
    def yaw(self) -> float:
        """The newest heading [rad]."""
        return odometry_to_body(self.odometry.last)[2]

    def reach(self, velocity: Vector, tolerance: float = 0.02) -> None:
        """Wait until a velocity is reached."""
        self.ros.until(
            lambda: math.dist(self.velocity, velocity) < tolerance, f'velocity {velocity}'
        )

    def refused(self) -> str:
        """Wait until the node reports a refusal; return how many."""
        heard = self.ros.listen(DiagnosticArray, '/diagnostics', COMMAND)

        def count() -> str:
            pairs = [pair for m in heard for status in m.status for pair in status.values]
            return next((pair.value for pair in pairs if pair.key == 'refused_cmd_vel'), '')

        return self.ros.until(count, 'a refusal in the diagnostics')


def stamps(heard: Heard) -> list[int]:
    """Return the stamps of some odometries [ns]."""
    return [time_to_ns(message.header.stamp) for message in heard]
