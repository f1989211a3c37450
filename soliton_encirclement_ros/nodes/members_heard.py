"""Who is there, by the states that a node receives: names of members for its diagnostics."""

from collections.abc import Collection

from soliton_encirclement_ros.core.states.states import AgentState, State, sender_of
from soliton_encirclement_ros.core.states.swarm_topics import MORE_MEMBERS, uav

MOST_NAMED = 100
"""Members that are named; of more, the last name is ``MORE_MEMBERS``."""

Sender = int | str
"""A member: the number of an agent, the name of another one."""


def name_of(one: Sender) -> str:
    """Return the name of a member."""
    return uav(one) if isinstance(one, int) else one


def sender(state: State) -> Sender:
    """Return the member that a state belongs to."""
    return state.agent_id if isinstance(state, AgentState) else sender_of(state)


def senders(states: tuple[State, ...]) -> frozenset[Sender]:
    """Return the members that some states belong to."""
    return frozenset([sender(state) for state in states])


def members_text(found: Collection[Sender]) -> str:
    """Return the names of members, agents by number first: ``uav_1,uav_2,target``."""
    agents = sorted(one for one in found if isinstance(one, int))
    others = sorted((one for one in found if isinstance(one, str)), reverse=True)
    names = [name_of(one) for one in (*agents, *others)[:MOST_NAMED]]
    return ','.join(names if len(found) <= MOST_NAMED else [*names, MORE_MEMBERS])


class MembersHeard:
    """The members that a node has heard since its start, itself left out.

    One that has fallen silent is not forgotten: it may fly where nobody hears it.
    """

    def __init__(self, own: str) -> None:
        """Begin without anybody.

        Args:
            own: Name of the node's own member.
        """
        self._own = own
        self._last: frozenset[Sender] | None = None
        self._recent: set[frozenset[Sender]] = set()
        self._heard: frozenset[Sender] = frozenset()

    def receive(self, states: tuple[State, ...]) -> None:
        """Take note of the senders of states."""
        found = senders(states)
        if found != self._last:
            self._last = found
            self._recent.add(found)

    def text(self) -> str:
        """Return their names; call it about once a second."""
        return members_text(self._others())

    def agents(self) -> int:
        """Return how many of them are agents, or other vehicles that publish agents' states."""
        return sum(isinstance(one, int) for one in self._others())

    def _others(self) -> list[Sender]:
        self._heard = self._heard.union(*self._recent)
        self._last = None
        self._recent.clear()
        return [one for one in self._heard if name_of(one) != self._own]
