"""What members that fly elsewhere say of themselves, as their states arrive."""

from collections.abc import Callable, Collection, Iterator

from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.time import to_ns, to_seconds
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import POLLED_INPUT

from soliton_encirclement_ros.core.states.fleet_names import Fleet
from soliton_encirclement_ros.core.states.sender import sender_of
from soliton_encirclement_ros.core.states.states import State
from soliton_encirclement_ros.core.states.swarm_topics import AGENT_STATES, TARGET, TARGET_STATE
from soliton_encirclement_ros.nodes.state_messages import StateReader

TOLERANCE = 1.0
"""Largest distance [s] of a stamp from the present."""

Hear = Callable[[State, float], None]
"""Takes a state, and the time [s] of the flight of which it is."""


class ExternalInput:
    """Takes the states of external members; own messages, which come back, are left unread."""

    def __init__(
        self, node: PollingNode, fleet: Fleet, health: NodeDiagnostics, names: Collection[str]
    ) -> None:
        """Subscribe.

        Args:
            node: The node.
            fleet: Names of the swarm.
            health: Counts what is refused.
            names: Names of the members.
        """
        self._names = frozenset(names)
        self._signs = [f'{name}/x'.encode() for name in names]
        agents = self._names - {TARGET}
        topics = [AGENT_STATES] * bool(agents) + [TARGET_STATE] * (TARGET in self._names)
        self._topics = [
            (StateReader(topic, health), node.poll(JointState, topic, POLLED_INPUT))
            for topic in map(fleet.full_name, topics)
        ]

    def take(self, now_ns: int, begun_ns: int, hear: Hear) -> None:
        """Pass on what has arrived.

        Args:
            now_ns: The present [ns].
            begun_ns: When the time of the flight begins [ns].
            hear: Takes it.
        """
        now = to_seconds(now_ns - begun_ns)
        for state in self._states(now_ns):
            if sender_of(state) in self._names:
                hear(state, now - state.age)

    def _states(self, now_ns: int) -> Iterator[State]:
        for reader, take in self._topics:
            for data in take():
                if not any(sign in data for sign in self._signs):
                    continue
                found = reader.parse(data)
                if found is not None:
                    yield from reader.read_fresh(found, now_ns, to_ns(TOLERANCE))
