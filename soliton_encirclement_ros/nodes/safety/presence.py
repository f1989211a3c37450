"""Whether exactly one node says where a vehicle is."""

import time
from collections.abc import Sequence

from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.polling import PollingNode

from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.nodes.actors.identity_watch import IdentityWatch

SILENT_AFTER = 2.0
"""Wall time [s] without a state of the vehicle after which it is reported."""


class Presence:
    """Watches the states with the number of a vehicle."""

    def __init__(self, node: PollingNode, agent_id: int, topic: str, is_telling: bool) -> None:
        """Start.

        Args:
            node: The node of the vehicle.
            agent_id: Its number.
            topic: Full name of the topic of agents' states.
            is_telling: Whether this node publishes them; else another one should.
        """
        self._agent_id, self._topic = agent_id, topic
        self._identity = IdentityWatch(node, agent_id, topic) if is_telling else None
        self._heard_at = time.monotonic()

    def receive(self, states: Sequence[State]) -> None:
        """Look at received states."""
        if self._identity is not None:
            self._identity.receive(tuple(states))
        elif any(isinstance(s, AgentState) and s.agent_id == self._agent_id for s in states):
            self._heard_at = time.monotonic()

    def sent(self, state: AgentState | None) -> None:
        """Note a state that this node publishes."""
        if self._identity is not None and state is not None:
            self._identity.sent(state)

    def conditions(self) -> list[Condition]:
        """Return the fault that two nodes say where the vehicle is, or none does."""
        if self._identity is not None:
            return self._identity.conditions()
        if time.monotonic() - self._heard_at <= SILENT_AFTER:
            return []
        name = uav(self._agent_id)
        reason = (
            f'nobody publishes the state of {name} on {self._topic}, so others do not avoid it: '
            'set publish_state to true, or start its agent'
        )
        return [Condition(Level.ERROR, reason, f'state of {name}')]
