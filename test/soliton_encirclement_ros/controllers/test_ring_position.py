"""One agent's place on the ring as the original laws keep it from tick to tick."""

import math
from collections.abc import Sequence

import pytest

from soliton_encirclement_ros.controllers.original_laws import (
    NO_PLACE, NeighbourChoice, SpacingErrors, spacing_errors, update_place
)
from soliton_encirclement_ros.core.laws.law import RingView, TargetView, View
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from velocity_mobility_ros.core.velocity_model import Vector

ORIGIN = (0.0, 0.0, 0.0)
TARGET = TargetView(1, ORIGIN, ORIGIN, 0.0, 0.0, True)
HYSTERESIS = 0.05
Other = tuple[int, float, float]
"""Number, angle [rad] and rate [rad/s]."""


def view(
    others: Sequence[Other],
    weights: dict[int, float] | None = None,
    target: TargetView = TARGET,
    command: Vector = ORIGIN,
) -> View:
    """Return what agent 1, 20 m east of the target's place, knows about these others."""
    me = (0.0, 1, 0.0, -1)
    entries = sorted([me, *((theta, k, rate, row) for row, (k, theta, rate) in enumerate(others))])
    words = [words_of(theta, rate, target) for _, theta, rate in others]
    told = [(weights or {}).get(k, math.nan) for _, k, _, _ in entries]
    thetas, ids, rates, rows = map(list, zip(*entries, strict=True))
    ring = RingView(len(ids), ids.index(1), ids, thetas, rates, told, rows, words)
    return View(0.0, 1, (20.0, 0.0, 0.0), ORIGIN, command, 0.0, target, ring)


def words_of(theta: float, rate: float, target: TargetView) -> list[float]:
    """Return what an agent says that turns round a target in motion."""
    x, y = 20.0 * math.cos(theta), 20.0 * math.sin(theta)
    return [x, y, 0.0, target.velocity[0] - rate * y, target.velocity[1] + rate * x, 0.0]


def errors(choice: NeighbourChoice, seen: View, k_omega_damp: float = 0.1) -> SpacingErrors:
    """Return the spacing errors at a place."""
    return spacing_errors(*choice[:1], seen, *choice[1:], k_omega_damp, 1.0)


def near(choice: NeighbourChoice, seen: View) -> tuple[int, int]:
    """Return the neighbours; they stand where the choice says."""
    found = choice.place.near.pred, choice.place.near.succ
    at = [seen.ring.ids[place] if place >= 0 else NOBODY for place in choice[1:]]
    assert tuple(at) == found
    return found


def test_neighbours_are_those_beside_where_the_agent_is() -> None:
    """The first ones, the same ones, another one, and none any more."""
    pair = [(2, -0.5, 0.0), (3, 1.0, 0.0)]
    first = update_place(NO_PLACE, view(pair), HYSTERESIS)
    assert near(first, view(pair)) == (2, 3)
    assert update_place(first.place, view(pair), HYSTERESIS) == first
    three = view([*pair, (4, 0.5, 0.0)])
    closer = update_place(first.place, three, HYSTERESIS)
    assert near(closer, three) == (2, 4)
    for nobody in (view(pair, target=TARGET._replace(fresh=False)), view([])):
        assert near(update_place(closer.place, nobody, HYSTERESIS), nobody) == (NOBODY, NOBODY)


def test_an_old_neighbour_stays_while_it_is_nearly_as_close() -> None:
    """It is told from the nearest one by its place, too, on either side."""
    for side, old, new in ((1.0, (2, 3), (2, 4)), (-1.0, (3, 2), (4, 2))):

        def seen(third: float, side: float = side) -> View:
            return view([(2, side * -0.5, 0.0), (3, side * third, 0.0), (4, side * 1.01, 0.0)])

        first = update_place(NO_PLACE, seen(1.0), HYSTERESIS)
        assert near(update_place(first.place, seen(1.02), HYSTERESIS), seen(1.02)) == old
        assert near(update_place(first.place, seen(1.1), HYSTERESIS), seen(1.1)) == new


def test_the_own_words_may_lie_anywhere_in_the_order() -> None:
    """Neighbours are counted from where the agent is, though its words put it elsewhere."""
    seen = view([(2, -0.5, 0.0), (3, 1.0, 0.0), (4, 2.0, 0.0)])
    ahead = seen._replace(position=(20.0 * math.cos(1.5), 20.0 * math.sin(1.5), 0.0))
    assert near(update_place(NO_PLACE, ahead, HYSTERESIS), seen) == (3, 4)
    behind = seen._replace(position=(-20.0, -0.1, 0.0))
    assert near(update_place(NO_PLACE, behind, HYSTERESIS), seen) == (4, 2)


def test_errors_before_and_after_damping() -> None:
    """Spec 4: arcs of 0.5 and 1 give a third; the own lead of 0.2 rad/s is taken off."""
    seen = view([(2, -0.5, 0.1), (3, 1.0, 0.3)], command=(0.0, 8.0, 0.0))
    place = update_place(NO_PLACE, seen, HYSTERESIS)
    assert errors(place, seen, 0.5) == pytest.approx((1.0 / 3.0, 1.0 / 3.0 - 0.5 * 0.2))


def test_weights_come_from_the_target_and_stay() -> None:
    """Spec 4.1: own and predecessor's arc; a weight that is missing keeps its last value."""
    pair = [(2, -1.0, 0.0), (3, 1.0, 0.0)]
    first = view(pair, {1: 1.0, 2: 3.0})
    place = update_place(NO_PLACE, first, HYSTERESIS)
    assert errors(place, first).e_tau == pytest.approx(0.5)
    second = view(pair, {1: 2.0})
    place = update_place(place.place, second, HYSTERESIS)
    assert errors(place, second).e_tau == pytest.approx(0.2)
