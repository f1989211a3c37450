"""Agents of ``predictive`` have other gains far from their place; not near it, nor while the
ring contracts because nobody hears the target.
"""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers.predictive import PREDICTIVE
from soliton_encirclement_ros.controllers.terms.far_gains import (
    FarGains,
    blended,
    share_of_far,
)
from soliton_encirclement_ros.core.laws.law import RingView, Setup, TargetView, View
from soliton_encirclement_ros.core.laws.ring_messages import FIELDS
from soliton_encirclement_ros.core.ring.polar import polar
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.ready import laws

__all__ = ['laws']

RADIUS = 20.0
SAME = {'far_from': 1e6}
"""Parameters with which the gains are the same everywhere."""


def gains(tau=1.0, **control):
    """Return the gains of the law for a vehicle with a lag [s]."""
    scenario = Scenario().with_changes({'control': control}, 'test')
    limits = replace(scenario.limits_of('uav_1'), tau_xy=tau)
    return PREDICTIVE.gains(Setup(scenario.control, scenario.propagation, scenario.swarm, limits))


def command(control, r, fresh=True, before=PREDICTIVE.rest):
    """Return memory and command of an agent that rests at a distance from a resting target."""
    row = (r, 0.0, 0.0, 0.0, 0.0, 0.0, *[0.0] * (FIELDS - 6))
    ring = RingView(1, 0, (1,), (0.0,), (0.0,), (math.nan,), (0,), (row,))
    still = (0.0, 0.0, 0.0)
    target = TargetView(1, still, still, 0.0, 0.0 if fresh else 3.0, fresh)
    view = View(1.0, 1, (r, 0.0, 0.0), still, still, 0.0, target, ring, 0.0)
    memory, _, decision = PREDICTIVE.step(gains(**control), before, view)
    return memory, decision.velocity


@pytest.mark.parametrize('r', [20.5, 21.9, 18.1])
def test_near_the_place_nothing_changes(r):
    assert command({}, r)[1] == command(SAME, r)[1]


@pytest.mark.parametrize('r', [30.0, 10.0, 23.0])
def test_far_from_it_an_agent_asks_for_more(r):
    faster, calmer = command({}, r)[1][0], command(SAME, r)[1][0]
    assert faster * calmer > 0.0
    assert abs(faster) > 1.1 * abs(calmer)


@pytest.mark.parametrize('tau', [None, 0.1, 1.0])
def test_far_from_it_all_vehicles_have_the_same_gain(tau):
    """Also those that answer sooner and have a higher gain near it."""
    assert gains(tau).far.k_v == gains(tau, k_velocity=5.0).far.k_v == 1.75


def test_a_ring_that_contracts_keeps_the_gains_near_the_place():
    """First it hears the target at 24 m, then no more: the ring becomes smaller."""
    heard, _ = command({}, 24.0)
    lost, velocity = command({}, 24.0, False, heard)
    assert lost.kept.radius < RADIUS
    assert velocity == command(SAME, 24.0, False, heard)[1]


def test_a_ring_that_contracts_asks_for_no_more_than_the_acceleration_limit():
    """A vehicle that flies back to a ring with its target in hearing asks for more."""
    more, limit = (
        {'acc_filter': 0.0, 'k_velocity': 5.0, 'acc_limit': share} for share in (1.6, 1.0)
    )
    heard, back = command(more, 26.0)
    assert abs(back[0]) > 1.2 * abs(command(limit, 26.0)[1][0])
    lost, velocity = command(more, 26.0, False, heard)
    assert lost.kept.radius < RADIUS
    assert velocity == command(limit, 26.0, False, heard)[1]


FAR = FarGains(2.0, 4.0, 3.0, 0.9)


def at(r):
    """Return a position at a distance from the target [m]."""
    return polar(r, 0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(('r', 'shift', 'expected'), [
    (22.0, 0.0, 0.0),
    (24.0, 0.0, 0.5),
    (16.0, 0.0, 0.5),
    (60.0, 3.0, 1.0),
    (20.0, -0.2, 0.5),
    (23.0, 4.0 / 23.0, 0.75),
])  # fmt: skip
def test_the_share_follows_the_distance_to_the_place(r, shift, expected):
    assert share_of_far(FAR, at(r), shift, RADIUS) == pytest.approx(expected)


@given(st.floats(0.0, 1e4), st.floats(-math.pi, math.pi))
def test_it_is_a_share(r, shift):
    assert 0.0 <= share_of_far(FAR, at(r), shift, RADIUS) <= 1.0


@pytest.mark.parametrize('share', [0.25, 1.0])
def test_elsewhere_those_in_between(share):
    pursuit = gains().flight.pursuit
    found = blended(pursuit, FAR, share)
    law, lag = pursuit.encirclement, pursuit.lag
    assert found.encirclement.k_v == pytest.approx(law.k_v + share * (3.0 - law.k_v))
    assert found.lag.follows == pytest.approx(lag.follows + share * (0.9 - lag.follows))
    assert found.encirclement._replace(k_v=law.k_v) == law
    assert found.lag._replace(follows=lag.follows) == lag
    assert found._replace(encirclement=law, lag=lag) == pursuit


def test_the_filter_is_never_slower_there():
    """Whoever takes it off means it for far away, too."""
    found = gains(acc_filter=0.01)
    assert found.far.follows == found.flight.pursuit.lag.follows
