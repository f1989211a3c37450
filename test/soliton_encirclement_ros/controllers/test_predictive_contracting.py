"""A ring of ``predictive`` that contracts since nobody hears the target."""

import math
from dataclasses import replace

from soliton_encirclement_ros.controllers.soliton import PREDICTIVE
from soliton_encirclement_ros.core.laws.law import FIELDS, RingView, Setup, TargetView, View
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.ready import laws

__all__ = ['laws']

RADIUS = 20.0


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


def test_a_ring_that_contracts_asks_for_no_more_than_the_acceleration_limit():
    """A vehicle that flies back to a ring with its target in hearing asks for more."""
    more, limit = (
        {'acc_filter': 0.0, 'k_v': 5.0, 'acc_limit': share} for share in (1.6, 1.0)
    )
    heard, back = command(more, 26.0)
    assert abs(back[0]) > 1.2 * abs(command(limit, 26.0)[1][0])
    lost, velocity = command(more, 26.0, False, heard)
    assert lost.held.radius < RADIUS
    assert velocity == command(limit, 26.0, False, heard)[1]
