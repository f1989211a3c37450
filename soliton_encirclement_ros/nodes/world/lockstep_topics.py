"""Topics of a world in lockstep: one tick out, the members' commands and states in."""

from collections.abc import Callable
from functools import partial

from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from velocity_mobility_ros.ros_io.endpoints import make_subscription
from velocity_mobility_ros.ros_io.messages import OdometryValues, ns_to_time
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.qos import LOCKSTEP
from velocity_mobility_ros.ros_io.readers import is_read_by
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM

from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.states.fleet_names import Fleet
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE,
    AGENT_STATES,
    CLOCK,
    RECEIVED_STATES,
    RECORDER,
    TARGET_STATE,
)
from soliton_encirclement_ros.nodes.state_messages import StateReader, StateWriter
from soliton_encirclement_ros.nodes.world.bearing_output import BearingOutput
from soliton_encirclement_ros.nodes.world.world_messages import WorldMessages


class LockstepTopics:
    """Publishers and subscriptions of a world in lockstep."""

    def __init__(self, node: Node, fleet: Fleet, world: World, messages: WorldMessages) -> None:
        """Create the publishers.

        Args:
            node: The world's node.
            fleet: Its fleet.
            world: The bodies.
            messages: Makes the odometry.
        """
        self._node = node
        self._fleet = fleet
        self._world = world
        self._messages = messages
        self._writer = StateWriter()
        self._clock = node.create_publisher(Clock, fleet.full_name(CLOCK), LOCKSTEP)
        self._bearings = BearingOutput(node, fleet, world, LOCKSTEP)
        self._odometry, self._received_states = {}, {}
        for name in world.members:
            own = partial(fleet.member_topic, name)
            self._odometry[name] = node.create_publisher(Odometry, own(ODOM), LOCKSTEP)
            self._received_states[name] = node.create_publisher(
                JointState, own(RECEIVED_STATES), LOCKSTEP
            )

    def subscribe(
        self,
        on_command: Callable[[str, bytes], None],
        on_state: Callable[[StateReader, bytes], None],
        health: NodeDiagnostics,
    ) -> None:
        """Receive commands and states.

        Args:
            on_command: Called with the member's name and its serialized command.
            on_state: Called with the reader of the topic and the serialized message.
            health: Counts the refused messages.
        """
        node, fleet = self._node, self._fleet
        for name in self._world.members:
            topic = fleet.member_topic(name, CMD_VEL)
            take = partial(on_command, name)
            make_subscription(node, TwistStamped, topic, take, LOCKSTEP, raw=True)
        for topic in map(fleet.full_name, (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE)):
            reader = StateReader(topic, health)
            make_subscription(
                node, JointState, topic, partial(on_state, reader), LOCKSTEP, raw=True
            )

    def is_recorded(self, recorders: int) -> bool:
        """Return whether every member and this many recorders read what the world publishes."""
        name = self._fleet.full_name(RECORDER)
        published = *self._odometry.values(), *self._bearings.publishers.values()
        return is_read_by(self._node, self._clock, name, recorders) and all(
            publisher.get_subscription_count() >= 1 + recorders
            and is_read_by(self._node, publisher, name, recorders)
            for publisher in published
        )

    def publish_tick(self) -> list[OdometryValues]:
        """Publish clock, bearings, received states and odometry; return the odometry.

        The startup handshake, tick 0, is not on the clock.
        """
        stamp_ns = self._world.time_ns
        if self._world.tick > 0:
            self._clock.publish(Clock(clock=ns_to_time(stamp_ns)))
        shared = self._world.shared
        self._bearings.publish_all(stamp_ns, self._world.tick)
        alike = None if shared is None else self._writer.write(stamp_ns, shared)
        found = [self._messages.odometry(name, stamp_ns) for name in self._world.members]
        for name, odometry in zip(self._world.members, found, strict=True):
            received = alike or self._writer.write(stamp_ns, self._world.arrived(name))
            self._received_states[name].publish(received)
            self._odometry[name].publish(self._messages.serialized(odometry))
        return found
