"""Detects another sender that uses an agent's number."""

import time
from collections import OrderedDict

from rclpy.node import Node
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.graph_faults import publishers

from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import uav, uav_id

MAX_SENT = 128
"""Number of stored own messages: far more than fit into the queues between nodes."""

HELD_FOR = 1.0
"""Wall time [s] for which an agent waits for another one with its number to say something."""

SHOWN_FOR = 5.0
"""Wall time [s] for which a foreign state counts as present."""


class IdentityWatch:
    """Compares states with the agent's number, as they come back, with those that it sent.

    States are numbered from an agent's start on. So of two with one number, one that has sent less
    was there later, and both see which of them it is.
    """

    def __init__(self, node: Node, agent_id: int, topic: str, gives_way: bool = False) -> None:
        """Begin without anything sent.

        Args:
            node: The agent's node.
            agent_id: Its number.
            topic: Where agents publish their states.
            gives_way: Whether the node commands nothing while another one was there before.
        """
        self._node = node
        self._agent_id = agent_id
        self._topic, self._gives_way = topic, gives_way
        self._sent: OrderedDict[int, Vector] = OrderedDict()
        self._last_seq = self._foreign_seq = 0
        self._foreign_at: float | None = None

    def sent(self, state: AgentState) -> None:
        """Record a state that the agent sends."""
        self._last_seq = state.seq
        self._sent[state.seq] = state.position
        if len(self._sent) > MAX_SENT:
            self._sent.popitem(last=False)

    def receive(self, states: tuple[State, ...]) -> None:
        """Check received states."""
        for state in states:
            is_own = isinstance(state, AgentState) and state.agent_id == self._agent_id
            if is_own and self._sent.get(state.seq) != state.position:
                self._foreign_seq, self._foreign_at = state.seq, time.monotonic()

    def _is_heard(self, within: float) -> bool:
        """Return whether another sender has published in the last time [s]."""
        return self._foreign_at is not None and time.monotonic() - self._foreign_at <= within

    @property
    def is_second(self) -> bool:
        """Whether the node gives way to another sender, which was there before."""
        is_later = self._foreign_seq > self._last_seq
        return self._gives_way and is_later and self._is_heard(HELD_FOR)

    def conditions(self) -> list[Condition]:
        """Return the fault if another sender has published lately."""
        if not self._is_heard(SHOWN_FOR):
            return []
        name, suspects = uav(self._agent_id), ', '.join(self._suspects()) or 'an unknown node'
        reason = (
            f'another agent publishes as {name}, probably {suspects} (message '
            f'{self._foreign_seq} is not from this node): give it another agent_id'
        )
        if self.is_second:
            reason = (
                f'another agent has published as {name} before, probably {suspects}: this one '
                'commands nothing until it is gone; stop it, or give this one another agent_id'
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
