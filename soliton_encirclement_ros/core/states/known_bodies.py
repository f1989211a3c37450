"""The last state of every other agent that was ever received: a silent body is still there.

Agents tell each other of the silent ones, since one that was down has not heard who failed
meanwhile. Of two states of an agent the younger one counts.
"""

from bisect import insort
from collections.abc import Iterable
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.states.message_acceptance import (
    NOT_YET,
    age_at,
    is_fresh,
    is_news,
)
from soliton_encirclement_ros.core.states.states import AgentState, SilentBody, State

MOST_TOLD = 8
"""Most silent agents in a message."""

YOUNGER = 1e-6
"""Difference of ages [s] from which a state counts as younger; ages have rounding errors."""


class KnownBody(NamedTuple):
    """The last state of an agent.

    Attributes:
        position: Position [m, map].
        velocity: Velocity [m/s, map].
        seq: Number of the message; NOT_YET if others told of it.
        received: When it was received [s].
        age: Its age then [s].
    """

    position: Vector
    velocity: Vector
    seq: int
    received: float
    age: float


class KnownBodies:
    """The last states of all other agents by number; they are kept for ever."""

    def __init__(self, own_id: int) -> None:
        """Know nobody.

        Args:
            own_id: The own number; own states are passed over.
        """
        self._own_id = own_id
        self._known: dict[int, KnownBody] = {}
        self._order: list[int] = []

    def receive(self, states: Iterable[State], now: float, timeout: float) -> None:
        """Store received states, unless they are older than a fresh one.

        Args:
            states: The states.
            now: Time [s].
            timeout: Time [s] after which a sender may start again from any number.
        """
        telling: dict[int, AgentState] = {}
        for state in states:
            if not isinstance(state, AgentState) or state.agent_id == self._own_id:
                continue
            known = self._known.get(state.agent_id)
            if known is None or is_news(state.seq, known.seq, known.received, now, timeout):
                self._keep(
                    state.agent_id,
                    KnownBody(state.position, state.velocity, state.seq, now, state.age),
                )
                if state.silent:
                    telling[state.agent_id] = state
                elif telling:
                    telling.pop(state.agent_id, None)
        for _, state in sorted(telling.items()):
            for body in state.silent:
                self._hear_of(body, body.age + state.age, now, timeout)

    def _keep(self, agent_id: int, body: KnownBody) -> None:
        if agent_id not in self._known:
            insort(self._order, agent_id)
        self._known[agent_id] = body

    def _hear_of(self, body: SilentBody, age: float, now: float, timeout: float) -> None:
        """Store a state that others told of, with its age [s], if it is younger."""
        known = self._known.get(body.agent_id)
        if body.agent_id == self._own_id:
            return
        if known is None or (
            self._is_silent(known, now, timeout)
            and age < age_at(now, known.received, known.age) - YOUNGER
        ):
            self._keep(body.agent_id, KnownBody(body.position, body.velocity, NOT_YET, now, age))

    def _is_silent(self, known: KnownBody, now: float, timeout: float) -> bool:
        return known.seq == NOT_YET or not is_fresh(known.received, now, timeout)

    def silent(self, now: float, timeout: float) -> tuple[SilentBody, ...]:
        """Return the first silent agents in the order of numbers, to tell others of them."""
        found: list[SilentBody] = []
        for k in self._order:
            one = self._known[k]
            if self._is_silent(one, now, timeout) and len(found) < MOST_TOLD:
                age = age_at(now, one.received, one.age)
                found.append(SilentBody(k, one.position, one.velocity, age))
        return tuple(found)

    def rows(self, now: float, timeout: float, present: float, silent: float) -> list[list[float]]:
        """Return one row per agent, in the order of numbers, as the separation filter takes them.

        Args:
            now: Time [s].
            timeout: Age [s] of the last reception beyond which an agent counts as silent.
            present: Kind of an agent that is heard.
            silent: Kind of one that is silent.
        """
        found = []
        for k in self._order:
            one = self._known[k]
            kind = silent if self._is_silent(one, now, timeout) else present
            age = age_at(now, one.received, one.age)
            found.append([*one.position, *one.velocity, age, kind, float(k)])
        return found
