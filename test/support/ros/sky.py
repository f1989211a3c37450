"""For tests of the separation filter over ROS: vehicles and filters in simulated time."""

import math
from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.states import State
from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.state_messages import StateWriter
from support.ros.graph import Heard
from support.ros.sent_messages import command_to_twist
from support.ros.simulated import SimulatedRos
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.node_time import ns_to_time

S = 1_000_000_000
STEP_NS = 10_000_000
"""Step of the simulated time: one update of the vehicles."""

PERIOD_NS = 50_000_000
"""Control period of the filters."""

Wish = Callable[[Vector], Vector]
"""What a vehicle wants to do at a place: a velocity [m/s]."""


def along(vx: float, vy: float = 0.0) -> Wish:
    """Return the wish of a controller that sees nothing and nobody."""
    return lambda place: (vx, vy, 0.0)


class Flyer:
    """A simulated vehicle uav_k with its filter; the test is its controller."""

    def __init__(self, sky: 'Sky', k: int, place: Vector, wish: Wish, **parameters: Any) -> None:
        """Start both nodes."""
        self.k, self.wish, self.namespace = k, wish, f'/uav_{k}'
        ros = sky.ros
        self.vehicle = sky.vehicle(k, place)
        given = {'use_sim_time': True, **parameters}
        self.node = sky.add(ros.make(SafetyNode, self.namespace, **given))
        self.commands: Heard = ros.listen(Twist, f'{self.namespace}/cmd_vel', COMMAND)
        self.voice = ros.voice(Twist, f'{self.namespace}/cmd_vel_raw')
        ros.until(lambda: self.node.count_subscribers(f'{self.namespace}/cmd_vel') >= 2, 'ears')

    def say(self, velocity: Vector, yaw_rate: float = 0.0) -> None:
        """Command."""
        self.voice.publish(command_to_twist(velocity, yaw_rate))


class Sky:
    """The simulated time, and where everybody is at each of its steps."""

    def __init__(self, ros: SimulatedRos) -> None:
        """Begin at 1000 s."""
        self.ros = ros
        self.now_ns = 1000 * S
        self._wall_ns = ros.now_ns()
        self.nodes: list[Node] = []
        self.flyers: list[Flyer] = []
        self.tracks: dict[int, Heard] = {}
        self._clock = ros.tester.create_publisher(Clock, '/clock', COMMAND)

    def add(self, node: Node) -> Any:
        """Let a node follow the time."""
        self.nodes.append(node)
        return node

    def vehicle(self, k: int, place: Vector) -> Node:
        """Add the vehicle uav_k at a place."""
        x, y, z = place
        start = {'initial_x': x, 'initial_y': y, 'initial_z': z}
        node = self.ros.make(MobilityNode, f'/uav_{k}', use_sim_time=True, **start)
        self.tracks[k] = self.ros.listen(Odometry, f'/uav_{k}/odom', STATE)
        self.ros.until(lambda: node.count_subscribers(f'/uav_{k}/odom') >= 1, 'an ear')
        return self.add(node)

    def flyer(self, k: int, place: Vector, wish: Wish, **parameters: Any) -> Flyer:
        """Add a vehicle with a filter."""
        self.flyers.append(Flyer(self, k, place, wish, **parameters))
        return self.flyers[-1]

    def begin(self) -> None:
        """Set the time, and wait until filters no longer wait for a stop from before."""
        self._set_time()
        self._wall_ns = self.ros.now_ns()
        for _ in range(60):
            self.step(waits=False)

    def _set_time(self) -> None:
        self._clock.publish(Clock(clock=ns_to_time(self.now_ns)))
        self.ros.until(
            lambda: all(one.get_clock().now().nanoseconds == self.now_ns for one in self.nodes),
            'the nodes to follow the clock',
        )

    def step(self, waits: bool = True) -> None:
        """Let time pass by one update; every vehicle has told then where it is.

        With ``waits`` every filter has sent a command when it was time for one.
        """
        self.now_ns += STEP_NS
        self._keep_pace()
        told = {k: len(track) for k, track in self.tracks.items()}
        commands = [len(one.commands) for one in self.flyers]
        self._set_time()
        self.ros.until(
            lambda: all(len(track) > told[k] for k, track in self.tracks.items()), 'odometry'
        )
        if waits and self.now_ns % PERIOD_NS == 0:
            self.ros.until(
                lambda: all(
                    len(one.commands) > before
                    for one, before in zip(self.flyers, commands, strict=True)
                ),
                'commands',
            )

    def _keep_pace(self) -> None:
        """Let as much wall time pass as simulated time: a recorder logs by it."""
        self._wall_ns = max(self._wall_ns + STEP_NS, self.ros.now_ns())
        self.ros.stall((self._wall_ns - self.ros.now_ns()) / 1e9)

    def fly(self, seconds: float, each: Callable[[], None] = lambda: None) -> None:
        """Let time pass; all wishes are repeated in every control period."""
        for i in range(round(seconds * S / STEP_NS)):
            if i % (PERIOD_NS // STEP_NS) == 0:
                for one in self.flyers:
                    one.say(one.wish(self.place(one.k)))
                each()
            self.step()

    def tell(self, voice: Any, *states: State) -> None:
        """Publish states of now on a topic, in the bytes that nodes write."""
        voice.publish(StateWriter().write(self.now_ns, states))

    def voice_of_agents(self) -> Any:
        """Return a publisher that all filters hear."""
        return self.ros.voice(JointState, '/swarm/agent_states', STATE, len(self.flyers))

    def voice_of_targets(self) -> Any:
        """Return a publisher of the target that all filters hear."""
        return self.ros.voice(JointState, '/swarm/target_state', STATE, len(self.flyers))

    def place(self, k: int) -> Vector:
        """Return where a vehicle is now."""
        return _place(self.tracks[k][-1]) if self.tracks[k] else (0.0, 0.0, 0.0)

    def least_distance(self, one: int, other: int) -> float:
        """Return the least distance [m] of two vehicles at any step, in space."""
        pairs = zip(self.tracks[one], self.tracks[other], strict=False)
        aligned = [(a, b) for a, b in pairs if a.header.stamp == b.header.stamp]
        assert len(aligned) > 0.9 * len(self.tracks[one])
        return min(math.dist(_place(a), _place(b)) for a, b in aligned)

    def least_to(self, k: int, place: Vector) -> float:
        """Return the least distance [m] of a vehicle to a place."""
        return min(math.dist(_place(message), place) for message in self.tracks[k])

    def farthest_aside(self, k: int) -> float:
        """Return how far [m] a vehicle was beside the line y = 0."""
        return max(abs(_place(message)[1]) for message in self.tracks[k])


def _place(message: Odometry) -> Vector:
    position = message.pose.pose.position
    return position.x, position.y, position.z
