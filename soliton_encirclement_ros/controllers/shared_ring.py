"""The ring as an agent sees it: all present agents in ring order.

Agents that have received the same messages see the same ring; it is computed once.
"""

import bisect
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.law import RingView
from soliton_encirclement_ros.core.laws.ring_messages import FIELDS
from soliton_encirclement_ros.core.ring.predict_bearing import PredictedBearing, predict_bearing
from soliton_encirclement_ros.core.states.agent_cache import Receptions
from soliton_encirclement_ros.core.states.message_acceptance import age_at
from soliton_encirclement_ros.core.states.shared_steps import shared_step
from soliton_encirclement_ros.core.states.states import AgentState, TargetState

NO_ROW = -1
"""Instead of a row: the own state is not among those of the ring."""


class Entry(NamedTuple):
    """One agent on the ring; entries are sorted by angle and number.

    Attributes:
        theta: Its angle [rad].
        agent_id: Its number.
        rate: Its angular rate [rad/s].
        row: Row of its state.
    """

    theta: float
    agent_id: int
    rate: float
    row: int


Row = tuple[float, ...]


class Ring(NamedTuple):
    """All received agents in ring order.

    Attributes:
        entries: The agents.
        places: Index of each, by number.
        view: The view of the first of them.
        weights: Weight of the arc from each agent to the next, as far as the target sent one.
    """

    entries: tuple[Entry, ...]
    places: Mapping[int, int]
    view: RingView
    weights: Mapping[int, float]


@shared_step
def ring_of(
    now: float,
    target: TargetState,
    target_age: float,
    r_min: float,
    dead_reckoning: bool,
    fields: tuple[str, ...],
    present: Receptions,
) -> Ring:
    """Return the ring of the agents received; those who know the same share it.

    Args:
        now: Time [s].
        target: The target's last received state.
        target_age: Its age [s].
        r_min: Smallest radius used for the rate [m].
        dead_reckoning: Whether states are extrapolated to the present.
        fields: Names of the numbers in the law's message.
        present: The agents.
    """
    others = [name for name in fields if name not in ('u', 'u_ss')]
    entries, states = [], []
    for row, (state, received, _) in enumerate(present.values()):
        theta, rate = predict_bearing(
            state.position, state.velocity, age_at(now, received, state.age), target.position,
            target.velocity, target_age, r_min, dead_reckoning,
        )  # fmt: skip
        entries.append(Entry(theta, state.agent_id, rate, row))
        states.append(_row(state, others))
    entries.sort()
    places = {entry.agent_id: place for place, entry in enumerate(entries)}
    weights = dict(target.lambdas)
    return Ring(tuple(entries), places, _view(entries, 0, tuple(states), weights), weights)


def ring_view(ring: Ring, agent_id: int, own: PredictedBearing) -> RingView:
    """Return the ring of all received agents and one that sees itself at an own bearing."""
    place = ring.places.get(agent_id)
    if place is not None and ring.entries[place].theta == own.theta:
        count, _, *columns = ring.view
        return RingView(count, place, *columns)
    entries = [entry for entry in ring.entries if entry.agent_id != agent_id]
    me = Entry(own.theta, agent_id, own.rate, NO_ROW)
    place = bisect.bisect(entries, me)
    entries.insert(place, me)
    return _view(entries, place, ring.view.states, ring.weights)


def _view(
    entries: Sequence[Entry], place: int, states: tuple[Row, ...], weights: Mapping[int, float]
) -> RingView:
    thetas, ids, rates, rows = zip(*entries, strict=True) if entries else ((), (), (), ())
    arcs = tuple([weights.get(agent_id, math.nan) for agent_id in ids])
    return RingView(len(ids), place, ids, thetas, rates, arcs, rows, states)


NO_FIELDS = (0.0,) * (FIELDS - 8)
"""What stands between motion and message in a row."""


def _row(state: AgentState, others: Sequence[str]) -> Row:
    """Return an agent's state as a row of ``RingView.states``; missing fields count as 0.

    ``others`` are the fields of the law's message besides u and its curvature.
    """
    row = (*state.position, *state.velocity, *NO_FIELDS, state.u, state.u_ss)
    if not others:
        return row
    prop = dict(state.prop)
    values = [prop.get(name, 0.0) for name in others]
    return (*row, *[value if math.isfinite(value) else 0.0 for value in values])
