"""The last state received from every agent, in the order of first reception."""

from typing import NamedTuple

from soliton_encirclement_ros.core.states.message_acceptance import is_fresh, is_news
from soliton_encirclement_ros.core.states.states import AgentState


class Reception(NamedTuple):
    """An agent's last state, and when it was received [s]."""

    state: AgentState
    received: float


class AgentCache:
    """The latest state received from every agent.

    A state is refused while a newer or equal one from the same sender has not expired; after
    expiry a sender may start again from any number. Times are seconds.
    """

    def __init__(self, timeout: float) -> None:
        """Keep states for a time [s] after they were received."""
        self.timeout = timeout
        self._receptions: dict[int, Reception] = {}

    def ids(self) -> list[int]:
        """Return the ids of all cached agents."""
        return list(self._receptions)

    def states(self) -> list[AgentState]:
        """Return the states of all cached agents, expired ones included."""
        return [one.state for one in self._receptions.values()]

    def accept(self, state: AgentState, now: float) -> bool:
        """Store a state unless it is a replay; return whether it was stored."""
        last = self._receptions.get(state.agent_id)
        if last and not is_news(state.seq, last.state.seq, last.received, now, self.timeout):
            return False
        self._receptions[state.agent_id] = Reception(state, now)
        return True

    def prune(self, now: float) -> list[int]:
        """Remove the expired agents and their sequence numbers; return their ids."""
        found = self._receptions.items()
        gone = [k for k, one in found if not is_fresh(one.received, now, self.timeout)]
        for k in gone:
            del self._receptions[k]
        return gone
