"""Who is there, by the states that a node receives: names of members for its diagnostics."""

import functools
import time
from collections.abc import Collection

from soliton_encirclement_ros.core.states.sender import sender_of
from soliton_encirclement_ros.core.states.shared_steps import shared_step
from soliton_encirclement_ros.core.states.states import AgentState, State
from soliton_encirclement_ros.core.states.swarm_topics import uav

HEARD_FOR = 60.0
"""Wall time [s] for which a member that has fallen silent is named."""

MOST_NAMED = 100
"""Members that are named; of more, the last name is ``...``."""

MORE = '...'

Sender = int | str
"""A member: the number of an agent, the name of another one."""


def name_of(one: Sender) -> str:
    """Return the name of a member."""
    return uav(one) if isinstance(one, int) else one


def sender(state: State) -> Sender:
    """Return the member that a state belongs to."""
    return state.agent_id if isinstance(state, AgentState) else sender_of(state)


@functools.lru_cache(64)
def _same(found: frozenset[Sender]) -> frozenset[Sender]:
    """Return one object for all equal sets."""
    return found


@shared_step
def senders(states: tuple[State, ...]) -> frozenset[Sender]:
    """Return the members that some states belong to; the same object for the same members."""
    return _same(frozenset([sender(state) for state in states]))


def members_text(found: Collection[Sender]) -> str:
    """Return the names of members, agents by number first: ``uav_1,uav_2,target``."""
    agents = sorted(one for one in found if isinstance(one, int))
    others = sorted((one for one in found if isinstance(one, str)), reverse=True)
    names = [name_of(one) for one in (*agents, *others)[:MOST_NAMED]]
    return ','.join(names if len(found) <= MOST_NAMED else [*names, MORE])


class MembersHeard:
    """The members that a node has heard in the last minute, itself left out."""

    def __init__(self, own: str) -> None:
        """Begin without anybody.

        Args:
            own: Name of the node's own member.
        """
        self._own = own
        self._last: frozenset[Sender] | None = None
        self._recent: set[frozenset[Sender]] = set()
        self._heard_at: dict[Sender, float] = {}

    def receive(self, states: tuple[State, ...]) -> None:
        """Take note of the senders of states."""
        found = senders(states)
        if found is not self._last:
            self._last = found
            self._recent.add(found)

    def text(self) -> str:
        """Return their names; call it about once a second.

        Of a swarm that is too large to be named nobody is remembered.
        """
        now, found = time.monotonic(), frozenset().union(*self._recent)
        self._last = None
        self._recent.clear()
        if len(found) > MOST_NAMED:
            return members_text(found)
        self._heard_at.update(dict.fromkeys(found, now))
        oldest = now - HEARD_FOR
        self._heard_at = {one: at for one, at in self._heard_at.items() if at >= oldest}
        return members_text([one for one in self._heard_at if name_of(one) != self._own])
