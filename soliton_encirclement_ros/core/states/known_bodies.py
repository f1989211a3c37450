"""The last state of every other agent that was ever received: a silent body is still there.

Agents tell each other of the silent ones, since one that was down has not heard who failed
meanwhile. Of two states of an agent the younger one counts.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.states.message_acceptance import (
    NOT_YET,
    age_at,
    is_fresh,
    is_news,
)
from soliton_encirclement_ros.core.states.shared_steps import shared_step, unified
from soliton_encirclement_ros.core.states.states import AgentState, SilentBody, State

MOST_TOLD = 8
"""Most silent agents in a message."""

NO_ROW = -1
"""Instead of an index: the own body is not among the rows."""

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


Known = Mapping[int, KnownBody]
"""By number of the agent; a mapping never changes, so that who receives the same shares it."""

NOBODY_KNOWN: Known = {}


def _is_silent(body: KnownBody, now: float, timeout: float) -> bool:
    return body.seq == NOT_YET or not is_fresh(body.received, now, timeout)


@shared_step
def _heard(known: Known, states: tuple[State, ...], now: float, timeout: float) -> Known:
    """Return what is known after states were received; those older than a fresh one are not."""
    found = dict(known)
    telling: dict[int, AgentState] = {}
    for state in states:
        if not isinstance(state, AgentState):
            continue
        agent_id, seq, position, velocity, _, _, _, age, silent, _ = state
        before = found.get(agent_id)
        if before is None or is_news(seq, before.seq, before.received, now, timeout):
            found[agent_id] = KnownBody(position, velocity, seq, now, age)
            if silent:
                telling[agent_id] = state
            elif telling:
                telling.pop(agent_id, None)
    for _, state in sorted(telling.items()):
        for body in state.silent:
            _hear_of(found, body, body.age + state.age, now, timeout)
    return found


def _hear_of(
    found: dict[int, KnownBody], body: SilentBody, age: float, now: float, timeout: float
) -> None:
    """Store a state that others told of, with its age [s], if it is younger."""
    before = found.get(body.agent_id)
    if before is None or (
        _is_silent(before, now, timeout)
        and age < age_at(now, before.received, before.age) - YOUNGER
    ):
        found[body.agent_id] = KnownBody(body.position, body.velocity, NOT_YET, now, age)


@shared_step
def _silent_ones(known: Known, now: float, timeout: float) -> tuple[SilentBody, ...]:
    """Return the silent agents in the order of numbers."""
    found = [
        SilentBody(k, one.position, one.velocity, age_at(now, one.received, one.age))
        for k, one in known.items()
        if _is_silent(one, now, timeout)
    ]
    return tuple(sorted(found))


class _Rows(NamedTuple):
    """Rows of the separation filter, and the numbers of their agents, in the order of these."""

    numbers: list[int]
    rows: list[list[float]]


@shared_step
def _rows(known: Known, now: float, timeout: float, present: float, silent: float) -> _Rows:
    numbers, rows = sorted(known), []
    for k in numbers:
        one = known[k]
        kind = silent if _is_silent(one, now, timeout) else present
        age = age_at(now, one.received, one.age)
        rows.append([*one.position, *one.velocity, age, kind, float(k)])
    return _Rows(numbers, rows)


class KnownBodies:
    """The last states of all other agents by number; they are kept for ever."""

    def __init__(self, own_id: int) -> None:
        """Know nobody.

        Args:
            own_id: The own number; own states are stored, but never returned.
        """
        self._own_id = own_id
        self._known = NOBODY_KNOWN

    def receive(self, states: Iterable[State], now: float, timeout: float) -> None:
        """Store received states, unless they are older than a fresh one.

        Args:
            states: The states.
            now: Time [s].
            timeout: Time [s] after which a sender may start again from any number.
        """
        received = tuple(states)
        if received:
            heard = _heard(self._known, received, now, timeout)
            self._known = unified(heard, KnownBody, received, now)

    def silent(self, now: float, timeout: float) -> tuple[SilentBody, ...]:
        """Return the first silent agents in the order of numbers, to tell others of them."""
        found = _silent_ones(self._known, now, timeout)
        if not found:
            return found
        return tuple([body for body in found if body.agent_id != self._own_id][:MOST_TOLD])

    def rows(self, now: float, timeout: float, present: float, silent: float) -> list[list[float]]:
        """Return one row per agent, in the order of numbers, as the separation filter takes them.

        Receivers that know the same get the same rows in lists of their own.

        Args:
            now: Time [s].
            timeout: Age [s] of the last reception beyond which an agent counts as silent.
            present: Kind of an agent that is heard.
            silent: Kind of one that is silent.
        """
        rows, own = self.common_rows(now, timeout, present, silent)
        return rows[:] if own == NO_ROW else rows[:own] + rows[own + 1 :]

    def common_rows(
        self, now: float, timeout: float, present: float, silent: float
    ) -> tuple[list[list[float]], int]:
        """Return rows of all agents that receivers who know the same share, and the own index.

        The rows never change; without the own one they are those of ``rows``. The index is NO_ROW
        if the own one is not there.
        """
        numbers, rows = _rows(self._known, now, timeout, present, silent)
        own = bisect_left(numbers, self._own_id)
        is_there = own < len(numbers) and numbers[own] == self._own_id
        return rows, own if is_there else NO_ROW
