"""The states of all agents of a flight, in as few messages as there may be."""

import copy
import math
from collections.abc import Collection, Sequence

from rclpy.node import Node
from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.time import to_ns
from velocity_mobility_ros.ros_io.endpoints import make_publisher
from velocity_mobility_ros.ros_io.qos import STATE

from soliton_encirclement_ros.core.states.swarm_topics import AGENT_STATES, Fleet, uav
from soliton_encirclement_ros.nodes.state_messages import MAX_BATCH, StateWriter
from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.sinks.sent_states import SentStates


class StateBatches:
    """Publishes the states of agents, many to a message."""

    def __init__(
        self, node: Node, fleet: Fleet, agent_ids: Sequence[int], external: Collection[str] = ()
    ) -> None:
        """Begin.

        Args:
            node: The node that publishes.
            fleet: Names of the swarm.
            agent_ids: Numbers of the agents, in order.
            external: Members that nodes of their own fly, which publish for them.
        """
        profile = copy.copy(STATE)
        profile.depth *= math.ceil(max(1, len(agent_ids)) / MAX_BATCH)
        topic = fleet.full_name(AGENT_STATES)
        self._publisher = make_publisher(node, JointState, topic, profile)
        self._external = frozenset(external)
        self._sent, self._writer = SentStates(agent_ids), StateWriter()

    def publish(self, chunk: Chunk, begun_ns: int) -> None:
        """Publish the states of some samples.

        Args:
            chunk: The samples.
            begun_ns: When the time of the flight begins [ns].
        """
        for time, sent in zip(chunk.times.tolist(), self._sent.see(chunk), strict=True):
            stamp_ns, states = begun_ns + to_ns(time), sent
            if self._external:
                states = [state for state in sent if uav(state.agent_id) not in self._external]
            for message in self._writer.batches(stamp_ns, states):
                self._publisher.publish(message)
