"""Gains between those near the own place and those far from it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.controllers.predictive import PREDICTIVE
from soliton_encirclement_ros.controllers.terms.far_gains import (
    FarGains,
    blended,
    share_of_far,
)
from soliton_encirclement_ros.core.laws.law import Setup
from soliton_encirclement_ros.core.ring.polar import polar
from soliton_encirclement_ros.core.scenario.scenario import Scenario

RADIUS = 20.0
FAR = FarGains(2.0, 4.0, 3.0, 0.9)


def at(r):
    """Return a position at a distance from the target [m]."""
    return polar(r, 0.0, 0.0, 0.0, 1.0)


def gains(**control):
    """Return the gains of the law for a vehicle with a lag of 1 s, with some parameters."""
    scenario = Scenario().with_changes(
        {'control': control, 'mobility': {'tau_xy': 1.0}}, 'test'
    )
    limits = scenario.limits_of('uav_1')
    setup = Setup(scenario.control, scenario.propagation, scenario.swarm, limits)
    return PREDICTIVE.gains(setup)


@pytest.mark.parametrize(('r', 'shift', 'expected'), [
    (20.0, 0.0, 0.0),
    (22.0, 0.0, 0.0),
    (24.0, 0.0, 0.5),
    (16.0, 0.0, 0.5),
    (26.0, 0.0, 1.0),
    (60.0, 3.0, 1.0),
    (20.0, 0.2, 0.5),
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
