"""The radio of a real-time run: receives all members, forwards to each what reaches it.

Members publish as always; those with ``medium`` subscribe only to their ``received_states``.
The radio is that of the lockstep run, on the node's clock. A timer forwards due messages.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial

from sensor_msgs.msg import JointState
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.ros_io.endpoints import (
    STATE,
    STATE_INPUT,
    make_publisher,
    make_subscription,
)
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.node_diagnostics import NodeDiagnostics

from soliton_encirclement_ros.core.run.world import World
from soliton_encirclement_ros.core.states.states import State, sender_of
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE,
    AGENT_STATES,
    RECEIVED_STATES,
    TARGET_STATE,
    Fleet,
)
from soliton_encirclement_ros.nodes.state_messages import StateReader, StateWriter

DELIVERY_PERIOD = 0.004
"""Time [s] between two checks for due messages; they may arrive so much later."""

STAMP_TOLERANCE = 2.0
"""Largest accepted distance [s] of a stamp from the present."""


class RealTimeRadio:
    """Forwards states between the members of a world."""

    def __init__(
        self,
        node: TunableNode,
        fleet: Fleet,
        world: World,
        health: NodeDiagnostics,
        time: Callable[[int], float],
    ) -> None:
        """Subscribe to all members and begin to forward.

        Args:
            node: The node that provides the clock.
            fleet: Fleet of the members.
            world: World with the bodies and the medium.
            health: Receives the refusals.
            time: Returns the time of the run [s] at a time [ns], for the schedules.
        """
        self._node_time = node.node_time
        self._world = world
        self._time = time
        self._sent: Counter[str] = Counter()
        self._writer = StateWriter()
        self._publishers = {
            name: make_publisher(
                node, JointState, fleet.member_topic(name, RECEIVED_STATES), STATE
            )
            for name in world.members
        }
        for topic in map(fleet.full_name, (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE)):
            take = partial(self._on_states, StateReader(topic, health))
            make_subscription(node, JointState, topic, take, STATE_INPUT, raw=True)
        node.create_timer(DELIVERY_PERIOD, self._deliver)

    def _on_states(self, reader: StateReader, data: bytes) -> None:
        now_ns = self._node_time.now_ns()
        positions = self._world.positions
        for state in reader.take(data, now_ns, to_ns(STAMP_TOLERANCE)):
            name = sender_of(state)
            if name in positions:
                self._carry(name, state, now_ns)

    def _carry(self, name: str, state: State, now_ns: int) -> None:
        """Put states on the medium; they were sent when their age began."""
        sent_ns = self._node_time.steady_ns() - to_ns(state.age)
        self._sent[name] += 1
        self._world.medium.carry(
            name, state, self._sent[name], sent_ns, self._time(now_ns), self._world.positions
        )

    def _deliver(self) -> None:
        for name, messages in self._world.medium.arrive(self._node_time.steady_ns()).items():
            if messages:
                states = [each.state for each in messages]
                stamp_ns = self._node_time.now_ns()
                self._publishers[name].publish(self._writer.write(stamp_ns, states))
