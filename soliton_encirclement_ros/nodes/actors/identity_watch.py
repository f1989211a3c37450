"""Detects another sender that uses an agent's number."""

import time
from collections import OrderedDict

from rclpy.node import Node
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.process.several_publishers import publishers

from soliton_encirclement_ros.core.states.shared_steps import shared_step
from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import uav, uav_id

MAX_SENT = 128
"""Number of stored own messages: far more than fit into the queues between nodes."""

SHOWN_FOR = 5.0
"""Wall time [s] for which a foreign state counts as present."""


@shared_step
def _by_agent(states: tuple[State, ...]) -> dict[int, list[AgentState]]:
    """Return the agents' states among some, by number of the agent."""
    found: dict[int, list[AgentState]] = {}
    for state in states:
        if isinstance(state, AgentState):
            found.setdefault(state.agent_id, []).append(state)
    return found


class IdentityWatch:
    """Compares states with the agent's number, as they come back, with those that it sent."""

    def __init__(self, node: Node, agent_id: int, topic: str) -> None:
        """Begin without anything sent.

        Args:
            node: The agent's node.
            agent_id: Its number.
            topic: Where agents publish their states.
        """
        self._node = node
        self._agent_id = agent_id
        self._topic = topic
        self._sent: OrderedDict[int, Vector] = OrderedDict()
        self._foreign_seq = 0
        self._foreign_at: float | None = None

    def sent(self, state: AgentState) -> None:
        """Record a state that the agent sends."""
        self._sent[state.seq] = state.position
        if len(self._sent) > MAX_SENT:
            self._sent.popitem(last=False)

    def receive(self, states: tuple[State, ...]) -> None:
        """Check received states."""
        for state in _by_agent(states).get(self._agent_id, ()):
            if self._sent.get(state.seq) != state.position:
                self._foreign_seq, self._foreign_at = state.seq, time.monotonic()

    def conditions(self) -> list[Condition]:
        """Return the fault if another sender has published lately."""
        if self._foreign_at is None or time.monotonic() - self._foreign_at > SHOWN_FOR:
            return []
        suspects = ', '.join(self._suspects()) or 'an unknown node'
        reason = (
            f'another agent publishes as {uav(self._agent_id)}, probably {suspects} (message '
            f'{self._foreign_seq} is not from this node): give it another agent_id'
        )
        return [Condition(Level.ERROR, reason, f'agent_id {self._agent_id}')]

    def _suspects(self) -> list[str]:
        """Return which other nodes publish states and are not known to have another number."""
        own = self._node.get_fully_qualified_name()
        names = publishers(self._node, self._topic)
        if own in names:
            names.remove(own)
        numbers = ((name, uav_id(name.rpartition('/')[0].rpartition('/')[2])) for name in names)
        return sorted(name for name, k in numbers if k in (None, self._agent_id))
