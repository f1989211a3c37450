"""What agents know alike of each other is held once, and what only some know by these."""

import numpy as np
import pytest
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.kernel import columns as at
from soliton_encirclement_ros.sim.kernel.separation.common_bodies import is_complete
from support.identity import assert_identical, not_compiled, scenario

AWAY = '2..9: 2; 1..5: 3; 3..6: 4; 0..4: 5'
"""Agent 2 dies while 3 and 5 are away, and before 4 is."""


def flown(**changes):
    return scenario(
        {'run': {'num_agents': 6, 'sim_duration': 8.0}, 'target': {'target_motion_speed_xy': 3.0}},
        {'failure': {'failure_enable': False, 'failure_schedule': AWAY}, **changes},
    )


@pytest.fixture(scope='module')
def seen():
    """By tick: which agents know what is common; and the engine at the end."""
    with not_compiled():
        engine = Engine(flown())
    complete = []
    while engine.ticks < engine.scenario.ticks:
        engine.advance(1)
        assert engine._flight.counters[at.SHARED]
        complete.append([is_complete(engine._flight, i) for i in range(6)])
    return np.array(complete), engine._flight


def test_who_misses_the_last_state_of_another_one_knows_what_is_not_common(seen):
    complete, _ = seen
    assert complete[:, [0, 5]].all()
    assert complete[-20:].tolist() == [[True, True, False, False, False, True]] * 20


def test_only_those_have_rows_of_their_own(seen):
    _, flight = seen
    assert np.flatnonzero(flight.known.any(axis=(1, 2))).tolist() == [1, 2, 3, 4]
    assert flight.known[4, 1, at.KNOWN] == 1.0
    assert flight.common.states[1, at.KNOWN] == 1.0


def test_one_that_was_away_keeps_what_it_knew_and_hears_of_the_dead(seen):
    _, flight = seen
    assert flight.known[3, 1].tolist() == flight.common.states[1].tolist()
    for who in (2, 4):
        told, common = flight.known[who, 1], flight.common.states[1]
        assert told[:6].tolist() == common[:6].tolist()
        assert told[at.KNOWN_SEQ] == -1.0 < common[at.KNOWN_SEQ]


@pytest.mark.parametrize('distance', [2.0, 9.0])
def test_it_gives_the_bits_of_agents_that_keep_all_by_themselves(distance):
    assert_identical(flown(safety={'separation_distance': distance}))


@pytest.mark.parametrize('reach', [44.0, 60.0])
def test_it_does_so_when_reception_differs_for_a_while(reach):
    assert_identical(flown(
        radio={'communication_transmission_range': reach},
        target={'target_motion_speed_xy': 9.0},
    ))  # fmt: skip
