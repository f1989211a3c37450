"""A flight in memory: its three parts, and that it is the same every time."""

import math

import pytest
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.flight import fly


@pytest.fixture(scope='module')
def scenario():
    return Scenario().with_changes({'run': {'sim_duration': 12.0, 'num_agents': 4}}, 'test')


def test_the_summary_has_no_facts_of_the_wall_clock(scenario):
    summary = fly(scenario).summary
    assert summary['ticks'] == scenario.ticks
    assert not {'wall_s', 'real_time_factor'} & set(summary)


def test_curves_have_a_sample_a_second(scenario):
    curves = fly(scenario).curves
    assert list(curves) == ['time', 'E_r', 'E_vr', 'rho', 'G_max', 'E_gap', 'E_wgap', 'alive']
    assert {len(curve) for curve in curves.values()} == {12}
    assert curves['time'] == pytest.approx(range(1, 13))


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def test_two_flights_are_the_same_to_the_last_bit(scenario):
    one, other = fly(scenario), fly(scenario)
    assert (one.summary, one.curves) == (other.summary, other.curves)
    assert one.study.keys() == other.study.keys()
    assert all(same(one.study[name], other.study[name]) for name in one.study)
