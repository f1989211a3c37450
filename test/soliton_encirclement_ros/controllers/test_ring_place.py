"""One agent's place on the ring: what is kept from tick to tick."""

import math
from collections.abc import Sequence

import pytest
from soliton_encirclement_ros.controllers import View
from soliton_encirclement_ros.controllers.ring_place import RingPlace, offset_from
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.liveness import AgentCache
from soliton_encirclement_ros.core.parameters import ControlParameters
from soliton_encirclement_ros.core.ring import ALONE

ORIGIN = (0.0, 0.0, 0.0)
TARGET = TargetState(1, ORIGIN, ORIGIN)


def at(agent_id: int, theta: float, rate: float = 0.0) -> AgentState:
    """Return an agent at an angle [rad] that turns at a rate [rad/s]."""
    x, y = 20.0 * math.cos(theta), 20.0 * math.sin(theta)
    return AgentState(agent_id, 1, (x, y, 0.0), (-rate * y, rate * x, 0.0))


def view(agents: Sequence[AgentState], alive: bool = True, command: tuple = ORIGIN) -> View:
    """Return what agent 1, in the east, knows about these others and the target."""
    cache = AgentCache(0.25)
    for agent in agents:
        cache.accept(agent, 0.0)
    pose = Pose((20.0, 0.0, 0.0), ORIGIN)
    return View(0.0, 1, pose, cache, TARGET, alive, 0.0, command)


def place(**control: float) -> RingPlace:
    """Return a fresh place."""
    return RingPlace(ControlParameters(**control))


def test_update_says_whether_a_neighbour_changed() -> None:
    """The first ones, the same ones, another one, and none any more."""
    one, pair = place(), [at(2, -0.5), at(3, 1.0)]
    assert one.update(view(pair))
    assert not one.update(view(pair))
    assert one.update(view([*pair, at(4, 0.5)]))
    assert one.update(view(pair, alive=False))
    assert one.neighbours == ALONE
    assert not one.update(view([]))


def test_beside_are_the_cached_states() -> None:
    """Predecessor and successor, or nobody."""
    one, pred, succ = place(), at(2, -0.5), at(3, 1.0)
    one.update(view([pred, succ]))
    assert one.beside(view([pred, succ])) == (pred, succ)
    assert one.beside(view([])) == (None, None)


def test_errors_before_and_after_damping() -> None:
    """Spec 4: arcs of 0.5 and 1 give a third; the own lead of 0.2 rad/s is taken off."""
    one = place(k_omega_damp=0.5)
    seen = view([at(2, -0.5, 0.1), at(3, 1.0, 0.3)], command=(0.0, 8.0, 0.0))
    one.update(seen)
    assert one.errors(seen, TARGET) == pytest.approx((1.0 / 3.0, 1.0 / 3.0 - 0.5 * 0.2))


def test_alone_there_is_no_error() -> None:
    """No arcs, no error, and nobody to compare the rate with."""
    one, seen = place(), view([], command=(0.0, 8.0, 0.0))
    one.update(seen)
    assert one.errors(seen, TARGET) == (0.0, 0.0)


def test_weights_come_from_the_target_and_stay() -> None:
    """Spec 4.1: own and predecessor's arc; a weight that is missing keeps its last value."""
    one, seen = place(), view([at(2, -1.0), at(3, 1.0)])
    one.update(seen)
    one.on_target_state(TARGET._replace(lambdas=((1, 1.0), (2, 3.0))))
    assert one.errors(seen, TARGET).e_tau == pytest.approx(0.5)
    one.on_target_state(TARGET._replace(lambdas=((1, 2.0),)))
    assert one.errors(seen, TARGET).e_tau == pytest.approx(0.2)


@pytest.mark.as_original
def test_w1_the_own_rate_includes_the_targets_velocity_as_original() -> None:
    """W1, invariant 7 as the original breaks it: in perfect formation 5 m/s north is a lead."""
    one = place()
    moving = TARGET._replace(velocity=(0.0, 5.0, 0.0))
    others = [at(2, -2.0)._replace(velocity=moving.velocity)]
    others += [at(3, 2.0)._replace(velocity=moving.velocity)]
    seen = view(others, command=moving.velocity)
    one.update(seen)
    assert one.errors(seen, moving) == pytest.approx((0.0, -0.1 * 5.0 / 20.0))


def test_offset_is_seen_from_the_target() -> None:
    """East and north of it."""
    assert offset_from(TARGET._replace(position=(1.0, 2.0, 3.0)), (5.0, 5.0, 5.0)) == (4.0, 3.0)
