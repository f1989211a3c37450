"""A simulated vehicle as a real node: over DDS, and update by update without it."""

import math
from typing import Any

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message

from support.ros.bodies import odometry_to_body
from support.ros.graph import Heard, Ros
from support.ros.sent_messages import command_to_stamped, command_to_twist
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.endpoints import STATE
from velocity_mobility_ros.ros_io.messages.message_conversion import OdometryValues, body_of
from velocity_mobility_ros.ros_io.messages.serialized_messages import SerializedOdometry

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
        self.ros, self.kind = ros, kind
        self.node = ros.make(MobilityNode, '/uav_1', **parameters)
        self.odometry: Heard = ros.listen(Odometry, '/uav_1/odom', STATE)
        self.voice = ros.voice(kind, '/uav_1/cmd_vel')
        ros.until(lambda: self.odometry, 'the first odometry')

    def say(self, velocity: Vector, frame: str = 'map') -> None:
        """Command."""
        if self.kind is Twist:
            self.voice.publish(command_to_twist(velocity, 0.0))
        else:
            self.voice.publish(command_to_stamped(velocity, 0.0, self.ros.now_ns(), frame))

    def reach(self, velocity: Vector, tolerance: float = 0.02) -> None:
        """Wait until a velocity [m/s, map] is reached."""

        def is_reached() -> bool:
            return math.dist(odometry_to_body(self.odometry.last)[1], velocity) < tolerance

        self.ros.until(is_reached, f'velocity {velocity}')


class DrivenVehicle:
    """A mobility node whose time goes on update by update, and what it published, without DDS."""

    def __init__(self, ros: Ros, **parameters: Any) -> None:
        """Start it in the namespace /uav_1; the executor is not to be spun."""
        self.node = node = ros.make(MobilityNode, '/uav_1', **parameters)
        self.now_ns = node._body_clock.start_ns
        node._now_ns = lambda: self.now_ns
        self.odometry: list[OdometryValues] = []
        self.truth: list[OdometryValues] = []
        for publisher, kept in ((node._odometry, self.odometry), (node._truth, self.truth)):
            if publisher is not None:
                read = SerializedOdometry().read
                publisher.publish = lambda data, read=read, kept=kept: kept.append(read(data))

    def update(self, count: int = 1, every: int = 1) -> None:
        """Let some updates pass, so many at each look at the clock."""
        for _ in range(count):
            self.now_ns += every * PERIOD_NS
            self.node._on_timer()

    def say(self, velocity: Vector, yaw_rate: float = 0.0) -> None:
        """Command by Twist."""
        self.take(command_to_twist(velocity, yaw_rate))

    def say_in(self, frame: str, velocity: Vector, age_ns: int = 0) -> None:
        """Command by TwistStamped."""
        self.take(command_to_stamped(velocity, 0.0, self.now_ns - age_ns, frame))

    def take(self, message: Any) -> None:
        """Let the node have a message."""
        self.node._take(serialize_message(message))

    @property
    def velocity(self) -> Vector:
        """The newest velocity [m/s, map]."""
        return body_of(self.odometry[-1])[1]

    @property
    def refused(self) -> int:
        """How many commands were refused."""
        return self.node._health.refused['cmd_vel']

    def reasons(self) -> list[str]:
        """Return the reasons of the present faults."""
        return [condition.reason for condition in self.node._health.conditions()]
