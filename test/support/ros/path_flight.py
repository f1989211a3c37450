"""A vehicle and its trajectory node in simulated time."""

import math
import time
from typing import Any

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry, Path
from rclpy.duration import Duration
from rclpy.publisher import Publisher
from rosgraph_msgs.msg import Clock

from support.ros.bodies import odometry_to_body
from support.ros.graph import PATIENCE, Heard, Ros
from support.ros.sent_messages import odometry_message, path_message
from support.ros.told import Told
from velocity_mobility_ros.core.trajectory.pursuit import Waypoint
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.messages.message_conversion import level_odometry
from velocity_mobility_ros.ros_io.node_time import ns_to_time, time_to_ns

STATUS, LOGGER = 'uav_1/trajectory_node: path', 'uav_1.trajectory_node'
NODE = '/uav_1/trajectory_node'
UPDATE_NS, STEP = 10_000_000, 0.05
NONE = math.nan
BEGIN_NS = 1_000_000_000_000


class PathFlight:
    """A vehicle and its trajectory node in simulated time, which goes on update by update."""

    def __init__(
        self, ros: Ros, vehicle: bool = True, lag: float = 0.05, **parameters: Any
    ) -> None:
        """Start both nodes; time stands still at 1000 s, the vehicle has a lag [s]."""
        self.ros, self.now_ns = ros, BEGIN_NS
        self.clock = ros.tester.create_publisher(Clock, '/clock', COMMAND)
        self.told = Told(ros)
        self.odometry: Heard = ros.listen(Odometry, '/uav_1/odom', STATE)
        stamped = parameters.get('enable_stamped_cmd_vel', False)
        self.commands: Heard = ros.listen(
            TwistStamped if stamped else Twist, '/uav_1/cmd_vel', COMMAND
        )
        self.node = ros.make(TrajectoryNode, '/uav_1', use_sim_time=True, **parameters)
        self.vehicle = None
        if vehicle:
            self.vehicle = ros.make(
                MobilityNode, '/uav_1', use_sim_time=True, enable_stamped_cmd_vel=stamped,
                tau_xy=lag, tau_z=lag, max_acc_xy=50.0, max_acc_z=50.0,
            )  # fmt: skip
        readers = 1 + vehicle
        ros.until(lambda: self.clock.get_subscription_count() >= readers, 'readers of the clock')
        output = self.node._commands
        ros.until(lambda: output.get_subscription_count() >= readers, 'readers of the commands')
        self._sent, self._publish = 0, output.publish
        output.publish = self._send_on
        self.tell_time()

    def _send_on(self, data: bytes) -> None:
        """Publish a command of the node, and count it."""
        self._sent += 1
        self._publish(data)

    def tell_time(self) -> None:
        """Publish the time until both nodes have it."""
        nodes = [node for node in (self.node, self.vehicle) if node is not None]

        def told() -> bool:
            self.clock.publish(Clock(clock=ns_to_time(self.now_ns)))
            self.ros.spin(0.002)
            return all(node.get_clock().now().nanoseconds == self.now_ns for node in nodes)

        self.ros.until(told, 'the time')

    def advance(self, duration: float) -> None:
        """Let time go on, update by update: each with its odometry, each step with its command."""
        for _ in range(round(duration * 1e9 / UPDATE_NS)):
            self.now_ns += UPDATE_NS
            self.tell_time()
            self._await_answer()
        self.ros.until(lambda: len(self.commands) >= self._sent, 'all commands')

    def _await_answer(self) -> None:
        """Wait for the odometry; the events executor misses a tick of /clock now and then."""
        deadline = time.monotonic() + 0.1
        while self.vehicle is not None and time.monotonic() < deadline:
            if self.odometry and time_to_ns(self.odometry.last.header.stamp) >= self.now_ns:
                return
            self.ros.spin(0.002)

    def take_kept_path(self) -> None:
        """Let time go on until the node has found and taken a path that was published before."""
        seen = len(self.taken())
        for _ in range(100):
            self.advance(STEP)
            self.ros.meanwhile(0.05)
            if len(self.taken()) > seen:
                return
        pytest.fail('the path was not taken')

    def taken(self) -> list[str]:
        """Return the lines about paths that were taken."""
        return [line for line in self.told.lines(LOGGER) if line.startswith('path of ')]

    def send(self, *waypoints: tuple[float, ...], **changes: Any) -> None:
        """Publish a path of x, y, z and perhaps the time from now; wait until the node has it."""
        points = [Waypoint(one[:3], one[3] if len(one) > 3 else NONE) for one in waypoints]
        self.publish(path_message(points, self.now_ns, **changes))

    def publish(self, message: Path) -> None:
        """Publish a path, and wait until the node has it: it takes it at its next step."""
        publisher = self.ros.tester.create_publisher(Path, '/uav_1/path', COMMAND)
        self.ros.until(lambda: publisher.get_subscription_count() >= 1, 'readers of the path')
        publisher.publish(message)
        assert publisher.wait_for_all_acked(Duration(seconds=PATIENCE)), 'the path did not arrive'

    @property
    def position(self) -> tuple[float, float, float]:
        """Where the vehicle is."""
        return odometry_to_body(self.odometry.last)[0]

    def distance(self, *place: float) -> float:
        """Return the distance of the vehicle from a place."""
        return math.dist(self.position, place)

    def values(self) -> dict[str, str]:
        """Return the values of a status that is published from now on."""
        seen = len(self.told.statuses(STATUS))
        self.ros.until(lambda: len(self.told.statuses(STATUS)) > seen, 'a status')
        return {pair.key: pair.value for pair in self.told.statuses(STATUS)[-1].values}

    def messages(self) -> list[str]:
        """Return what all statuses so far have said."""
        return [status.message for status in self.told.statuses(STATUS)]

    def shows(self, level: bytes, *texts: str) -> None:
        """Wait for a status."""
        self.ros.until(lambda: self.told.shows(STATUS, level, *texts), f'{texts}')

    def stand(self, voice: Publisher) -> None:
        """Let a step pass in which the vehicle, which is not simulated, stands at the origin."""
        self.now_ns += 5 * UPDATE_NS
        self.tell_time()
        values = level_odometry(
            self.now_ns, 'uav_1/base_link', (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), 0.0
        )
        voice.publish(odometry_message(values))
        self.ros.meanwhile(0.01)
