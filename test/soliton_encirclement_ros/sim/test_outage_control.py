"""Failures on request in the engine: those of an operator in the plain loop, to the bit."""

import numpy as np
import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine
from support.engine_flights import keep, whole
from support.plain_loop import plain_loop
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

CALM = Scenario('calm').with_changes({'run': {'num_agents': 4, 'sim_duration': 4.0}}, 'test')
FAILED = 6


def flown(scenario, orders):
    """Return the samples of an engine that gets orders at ticks: FAIL or RECOVER, and whom."""
    engine = Engine(scenario)
    chunks = keep(engine)
    for tick in range(scenario.ticks):
        for order, agent_id in orders.get(tick, ()):
            getattr(engine, order)(agent_id)
        engine.advance(1)
    return whole(chunks), engine


def flown_plainly(scenario, orders):
    """Return the places of the agents in the plain loop with the same orders, (S, N, 3)."""
    loop, found = plain_loop(scenario), []
    names = [f'uav_{k}' for k in scenario.agent_ids]
    for tick in range(scenario.ticks):
        for order, agent_id in orders.get(tick, ()):
            failures = loop.crew[f'uav_{agent_id}'].failures
            if order == 'fail':
                failures.fail()
            elif failures.failed:
                failures.recover(tick * scenario.swarm.control_period)
        motions = {name: loop.world.bodies[name].motion for name in names}
        found.append([motions[name].position for name in names])
        loop.tick()
    return np.array(found)


ORDERS = {10: [('fail', 2)], 30: [('fail', 3), ('recover', 2)], 31: [('recover', 4)]}


def test_agents_fail_and_recover_as_in_the_plain_loop():
    chunk, _ = flown(CALM, ORDERS)
    np.testing.assert_array_equal(chunk.agents[:, :, :3], flown_plainly(CALM, ORDERS))
    down = chunk.agents[:, :, FAILED]
    assert down[:, 1].nonzero()[0].tolist() == [*range(10, 30)]
    assert down[:, 2].nonzero()[0].tolist() == [*range(30, CALM.ticks)]
    assert not down[:, [0, 3]].any()


def test_who_was_not_down_does_not_recover():
    _, engine = flown(CALM, {10: [('fail', 2)]})
    assert engine.recover(1) is False
    assert engine.recover(2) is True
    engine.fail(3)
    assert engine.recover(3) is True


def test_recovery_ends_an_outage_that_is_scheduled_to_go_on():
    scenario = CALM.with_changes({'failure': {'failure_schedule': '1..3: 2'}}, 'test')
    chunk, _ = flown(scenario, {40: [('recover', 2)]})
    down = chunk.agents[:, 1, FAILED].nonzero()[0]
    assert (down[0], down[-1]) == (19, 39)


@pytest.mark.parametrize('order', ['fail', 'recover'])
def test_nobody_else_can_be_asked(order):
    engine = Engine(CALM)
    with pytest.raises(ValueError, match='5'):
        getattr(engine, order)(5)
