"""Members that are flown elsewhere: heard, dead reckoned, silent, and refused."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.states import AgentState, TargetState
from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS
from soliton_encirclement_ros.sim.engine import Engine
from support.engine_flights import flown, keep, whole
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

FIVE = Scenario('five').with_changes({'run': {'num_agents': 5, 'sim_duration': 6.0}}, 'test')
PERIOD = FIVE.swarm.control_period
FAILED, U = AGENT_COLUMNS.index('failed'), AGENT_COLUMNS.index('u')


def agent_of(chunk, s, i):
    """Return the state of an agent in a sample."""
    row = chunk.agents[s, i].tolist()
    return AgentState(i + 1, s, tuple(row[:3]), tuple(row[3:6]), row[U], row[U + 1])


def target_of(chunk, s, weights=()):
    """Return the state of the target in a sample."""
    row = chunk.target[s].tolist()
    return TargetState(s, tuple(row[:3]), tuple(row[3:6]), weights, row[7])


def flown_with(scenario, external, tell):
    """Return the samples of a flight in which something is told before every tick."""
    engine = Engine(scenario, external=external)
    chunks = keep(engine)
    for tick in range(scenario.ticks):
        tell(engine, tick)
        engine.advance(1)
    return whole(chunks)


@pytest.mark.parametrize(('law', 'filtered'), [('predictive', True), ('soliton_v1', False)])
def test_an_agent_that_flies_elsewhere_as_it_would_here_changes_nothing(law, filtered):
    """The engine's agents cannot tell whether it is one of them."""
    changes = {'control': {'controller': law}, 'safety': {'separation_filter': filtered}}
    scenario = FIVE.with_changes(changes, 'test')
    known = flown(scenario).chunk

    def tell(engine, tick):
        engine.hear(agent_of(known, tick, 1), known.times[tick])

    found = flown_with(scenario, ['uav_2'], tell)
    np.testing.assert_array_equal(found.agents[:, :, :6], known.agents[:, :, :6])
    np.testing.assert_array_equal(found.metrics, known.metrics)


def test_so_does_a_target():
    scenario = FIVE.with_changes({'target': {'target_swarm_omega_ref': 0.2}}, 'test')
    known = flown(scenario).chunk

    def tell(engine, tick):
        engine.hear(target_of(known, tick), known.times[tick])

    found = flown_with(scenario, ['target'], tell)
    np.testing.assert_array_equal(found.target, known.target)
    np.testing.assert_array_equal(found.agents[:, :, :6], known.agents[:, :, :6])


def test_weights_of_arcs_are_those_that_the_target_says():
    weights = ((1, 2.0), (4, 1.0), (9, 3.0))  # nobody is uav_9

    def tell(engine, tick):
        engine.hear(TargetState(tick, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), weights), tick * PERIOD)

    found = flown_with(FIVE, ['target'], tell)
    told = found.agents[-1, :, AGENT_COLUMNS.index('weight')]
    np.testing.assert_array_equal(told, [2.0, math.nan, math.nan, 1.0, math.nan])


def test_between_two_states_a_member_goes_on_as_it_said():
    start, velocity = (30.0, -25.0, 2.0), (1.0, 2.0, 0.5)

    def tell(engine, tick):
        if tick % 4 == 0:
            now = tick * PERIOD
            place = tuple(p + now * v for p, v in zip(start, velocity, strict=True))
            engine.hear(AgentState(2, tick, place, velocity), now)

    found = flown_with(FIVE, ['uav_2'], tell)
    expected = np.array(start) + found.times[:, np.newaxis] * np.array(velocity)
    np.testing.assert_allclose(found.agents[:, 1, :3], expected, atol=1e-9)
    assert not found.agents[:, 1, FAILED].any()


def test_a_silent_member_is_down_where_it_was_expected_last():
    velocity = (1.0, 0.0, 0.0)

    def tell(engine, tick):
        if tick < 40:
            engine.hear(AgentState(2, tick, (tick * PERIOD, 9.0, 0.0), velocity), tick * PERIOD)

    found = flown_with(FIVE, ['uav_2'], tell)
    last, timeout = 39 * PERIOD, FIVE.swarm.agent_state_timeout
    down = found.agents[:, 1, FAILED] != 0.0
    assert found.times[down][0] == pytest.approx(last + timeout + PERIOD)
    assert down[40:].sum() == down.sum()
    np.testing.assert_allclose(found.agents[-1, 1, :4], [last + timeout, 9.0, 0.0, 0.0], atol=1e-9)
    assert found.alive[-1] == 4
    assert found.metrics[-1, 4] < 0.2  # the others close the ring without it


def test_nobody_hears_a_target_that_has_said_nothing():
    found = flown_with(FIVE, ['target'], lambda engine, tick: None)
    assert not found.agents[:, :, 3:6].any()


def test_an_older_state_does_not_replace_a_newer_one():
    engine = Engine(FIVE, external=['uav_2'])
    chunks = keep(engine)
    engine.hear(AgentState(2, 5, (7.0, 0.0, 0.0), (0.0, 0.0, 0.0)), 0.04)
    engine.hear(AgentState(2, 4, (8.0, 0.0, 0.0), (0.0, 0.0, 0.0)), 0.03)
    engine.advance(1)
    assert whole(chunks).agents[-1, 1, 0] == 7.0


@pytest.mark.parametrize('name', ['uav_6', 'adversary', 'uav_02'])
def test_others_cannot_fly_elsewhere(name):
    with pytest.raises(RunError) as caught:
        Engine(FIVE, external=[name])
    assert str(caught.value).startswith(f'external member {name!r} must be one of uav_1')


def test_nor_can_anybody_in_a_flight_by_events():
    scenario = FIVE.with_changes({'run': {'rng': 'reference'}}, 'test')
    with pytest.raises(RunError, match=r'not with run\.rng = reference'):
        Engine(scenario, external=['uav_2'])
