"""Cache of the agents' states: the last one received from each member of the ring.

What is cached is a mapping that never changes once it has been read, so that receivers of the same
messages share it.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from soliton_encirclement_ros.core.states.message_acceptance import age_at, is_fresh, is_news
from soliton_encirclement_ros.core.states.shared_steps import shared_step, unified
from soliton_encirclement_ros.core.states.states import AgentState, State


class Reception(NamedTuple):
    """An agent's last received state.

    Attributes:
        state: The state.
        received: When it was received [s].
        messages: How many messages of the agent were accepted at that time, this one included:
            a node takes all that came since its last tick, none or two now and then.
    """

    state: AgentState
    received: float
    messages: int = 1


Receptions = Mapping[int, Reception]
"""By number of the sender, in the order of first reception."""

NOTHING: Receptions = {}


def _accept(known: dict[int, Reception], state: AgentState, now: float, timeout: float) -> bool:
    last = known.get(state.agent_id)
    messages = 1
    if last is not None:
        received = last.received
        if not is_news(state.seq, last.state.seq, received, now, timeout):
            return False
        if received == now:
            messages += last.messages
    known[state.agent_id] = Reception(state, now, messages)
    return True


@shared_step
def accepted(
    known: Receptions, states: tuple[State, ...], now: float, timeout: float
) -> Receptions:
    """Return what is known after some states were received at a time [s].

    Those that are no members of the ring are left out.
    """
    found = dict(known)
    for state in states:
        if isinstance(state, AgentState) and state.ring_member:
            _accept(found, state, now, timeout)
    return found


@shared_step
def fresh_ones(known: Receptions, now: float, timeout: float) -> Receptions:
    """Return what was received within a timeout [s] before a time [s]."""
    gone = {k for k, one in known.items() if not is_fresh(one.received, now, timeout)}
    return {k: one for k, one in known.items() if k not in gone} if gone else known


class AgentCache:
    """The latest state received from every agent, in the order of first reception.

    A state is refused while a newer or equal one from the same sender has not expired; after
    expiry a sender may start again from any number. Times are seconds.
    """

    def __init__(self, timeout: float, is_ordered: bool = True) -> None:
        """Keep states for a time after they were received.

        Args:
            timeout: The time [s].
            is_ordered: Whether the order matters; caches in which it does not share more.
        """
        self.timeout = timeout
        self._is_ordered = is_ordered
        self._receptions = NOTHING
        self._own: dict[int, Reception] | None = None

    @property
    def receptions(self) -> Receptions:
        """All that is cached, expired or not; it never changes."""
        self._own = None
        return self._receptions

    def __contains__(self, agent_id: int) -> bool:
        """Return whether an agent is cached, expired or not."""
        return agent_id in self._receptions

    def __len__(self) -> int:
        """Count the cached agents, expired ones included."""
        return len(self._receptions)

    def get(self, agent_id: int) -> AgentState | None:
        """Return the cached state of an agent, expired or not."""
        found = self._receptions.get(agent_id)
        return None if found is None else found.state

    def ids(self) -> list[int]:
        """Return the ids of all cached agents."""
        return list(self._receptions)

    def received_at(self, agent_id: int) -> float:
        """Return when [s] the state of a cached agent was received."""
        return self._receptions[agent_id].received

    def age(self, agent_id: int, now: float) -> float:
        """Return how old [s] the state of a cached agent is at a time [s]."""
        found = self._receptions[agent_id]
        return age_at(now, found.received, found.state.age)

    def states(self) -> list[AgentState]:
        """Return the states of all cached agents, expired ones included."""
        return [one.state for one in self._receptions.values()]

    def accept(self, state: AgentState, now: float) -> bool:
        """Store a state unless it is a replay; return whether it was stored."""
        if self._own is None:
            self._own = self._receptions = dict(self._receptions)
        return _accept(self._own, state, now, self.timeout)

    def accept_all(self, states: tuple[State, ...], now: float) -> None:
        """Store the states of the ring's members among those received at one time."""
        if not states:
            return
        self._receptions = accepted(self.receptions, states, now, self.timeout)
        if not self._is_ordered:
            self._receptions = unified(self._receptions, states, now)

    def is_alive(self, agent_id: int, now: float) -> bool:
        """Return whether a state of an agent was received within the timeout."""
        found = self._receptions.get(agent_id)
        return found is not None and is_fresh(found.received, now, self.timeout)

    def alive(self, now: float) -> Receptions:
        """Return the agents received within the timeout."""
        return fresh_ones(self.receptions, now, self.timeout)

    def prune(self, now: float) -> list[int]:
        """Remove the expired agents and their sequence numbers; return their ids."""
        before = self.receptions
        self._receptions = self.alive(now)
        if self._receptions is before:
            return []
        return [agent_id for agent_id in before if agent_id not in self._receptions]


def own_excepted(known: Iterable[int], agent_id: int) -> list[int]:
    """Return numbers of agents without one: an agent receives its own messages, too."""
    return [each for each in known if each != agent_id]
