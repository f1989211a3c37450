"""Topics of a world in lockstep: one tick out, the members' commands and states in.

An odometry is published when it is measured anew; the received states say how old the last one is.
"""

from collections.abc import Callable, Iterator
from functools import partial

from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE, AGENT_STATES, CLOCK, RECEIVED_STATES, TARGET_STATE, Fleet
)
from soliton_encirclement_ros.nodes.bearing_messages import BearingOutput
from soliton_encirclement_ros.nodes.node_parameters import is_observed
from soliton_encirclement_ros.nodes.state_messages import StateReader, StateWriter
from soliton_encirclement_ros.nodes.world.world_drive import WorldMessages
from velocity_mobility_ros.ros_io.endpoints import LOCKSTEP, make_subscription
from velocity_mobility_ros.ros_io.messages.message_conversion import OdometryValues
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import ns_to_time
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, GROUND_TRUTH, ODOM


class LockstepTopics:
    """Publishers and subscriptions of a world in lockstep."""

    def __init__(
        self,
        node: Node,
        fleet: Fleet,
        world: World,
        messages: WorldMessages,
        is_sensed: bool = False,
    ) -> None:
        """Create the publishers.

        Args:
            node: The world's node.
            fleet: Its fleet.
            world: The bodies.
            messages: Makes the odometry.
            is_sensed: Whether it differs from the true motion, which is then published as well.
        """
        self._node = node
        self._fleet = fleet
        self._world = world
        self._messages = messages
        self._writer = StateWriter()
        self._clock = node.create_publisher(Clock, fleet.full_name(CLOCK), LOCKSTEP)
        self._bearings = BearingOutput(node, fleet, world, LOCKSTEP)
        self._odometry, self._truth, self._received_states = {}, {}, {}
        self._measured_ns: dict[str, int] = {}
        for name in world.members:
            own = partial(fleet.member_topic, name)
            self._odometry[name] = node.create_publisher(Odometry, own(ODOM), LOCKSTEP)
            self._received_states[name] = node.create_publisher(
                JointState, own(RECEIVED_STATES), LOCKSTEP
            )
            if is_sensed:
                self._truth[name] = node.create_publisher(Odometry, own(GROUND_TRUTH), LOCKSTEP)

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

    def is_observed(self, recorders: int, monitors: int) -> bool:
        """Return whether every member and these observers read what the world publishes."""
        to_members = *self._odometry.values(), *self._bearings.publishers.values()
        is_heard = partial(is_observed, self._node, self._fleet, recorders=recorders)
        return (
            is_heard(self._clock)
            and all(
                publisher.get_subscription_count() >= 1 + recorders and is_heard(publisher)
                for publisher in to_members
            )
            and all(is_heard(publisher, monitors=monitors) for publisher in self._truth.values())
        )

    def publish_tick(self) -> list[OdometryValues]:
        """Publish clock, bearings, received states and odometry; return the odometry.

        The startup handshake, tick 0, is not on the clock.
        """
        stamp_ns = self._world.time_ns
        if self._world.tick > 0:
            self._clock.publish(Clock(clock=ns_to_time(stamp_ns)))
        self._bearings.publish(stamp_ns, self._world.tick, also_unseen=True)
        self._publish_received(stamp_ns)
        odometries = [*self._measured_anew()]
        for name, odometry in odometries:
            self._odometry[name].publish(self._messages.serialized(odometry))
        for name, publisher in self._truth.items():
            truth = self._messages.truth(name, stamp_ns)
            publisher.publish(self._messages.serialized(truth))
        return [odometry for _, odometry in odometries]

    def _publish_received(self, stamp_ns: int) -> None:
        """Publish what every member receives; those who receive the same get the same bytes."""
        world, shared = self._world, self._world.shared
        serialized: dict[float, bytes] = {}
        for name in world.members:
            age = world.pose_age(name)
            if shared is None:
                received = self._writer.write(stamp_ns, world.arrived(name), age)
            elif age in serialized:
                received = serialized[age]
            else:
                received = serialized[age] = self._writer.write(stamp_ns, shared, age)
            self._received_states[name].publish(received)

    def _measured_anew(self) -> Iterator[tuple[str, OdometryValues]]:
        """Iterate over the members whose measurement is a new one; in the handshake all."""
        for name in self._world.members:
            measured_ns = self._world.measured_ns(name)
            if self._world.tick == 0 or self._measured_ns.get(name) != measured_ns:
                self._measured_ns[name] = measured_ns
                yield name, self._messages.odometry(name, measured_ns)
