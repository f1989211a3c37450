"""The engine against the plain loop where not all receive the same."""

import itertools

import numpy as np
import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import OUR_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine
from support.identity import Changes, assert_identical, in_turn, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

OFTEN = {'failure_mean_failures_per_min': 20.0}
BRIEFLY = {**OFTEN, 'failure_off_time': 0.3}
SPIN = {'target_swarm_spin_enable': True, 'protection_angle_deg': 200.0}
AWAY = {
    'target_motion': 'constant', 'target_motion_speed_xy': 9.0, 'target_motion_period': 0.1,
}  # fmt: skip
DYING = {'failure_enable': False, 'failure_schedule': '2..9: 2; 1..5: 3; 3..6: 4; 0..4: 5'}
"""What agents know of 2 is not common: 3 and 5 are away as it dies, and 4 is later."""

LEFT_BEHIND = {'failure_enable': False, 'failure_schedule': '1..: 3'}


def radio(**settings: object) -> dict[str, object]:
    """Return settings of the radio by their short names."""
    names = {
        'reach': 'communication_transmission_range',
        'delay': 'communication_delay',
        'jitter': 'communication_jitter',
        'loss': 'communication_failure_rate',
    }
    return {names.get(name, name): value for name, value in settings.items()}


EVERYTHING = radio(
    reach=40.0,
    delay=0.1,
    jitter=0.12,
    loss=0.2,
    partitions='1..1.6: 1 2 target | 3 4; 1.5..3: 5',
    byzantine='0.5..1: 1 frozen; 1..2: 2 offset 5 -3; 0.4..: 4 random 8; 2..2.5: 5 nan; '
    '3..5: target frozen; 4..6: adversary offset 3 3; 2..4: target random 4',
)

CASES: dict[str, Changes] = {
    'deaf': {'radio': radio(reach=0.0)},
    'the adversary comes and goes': {'radio': radio(reach=58.0), 'target': SPIN},
    'a tick': {'radio': radio(delay=0.05)},
    'longer than patience': {'radio': radio(delay=0.6), 'target': SPIN},
    'long jitter': {'radio': radio(jitter=1.0, loss=0.1), 'target': SPIN},
    'all lost': {'radio': radio(loss=1.0)},
    'loss, long hold': {'radio': radio(loss=0.8), 'control': {'neighbour_hold_time': 3.0}},
    'loss, largest seed': {
        'radio': radio(loss=0.3, jitter=0.1), 'run': {'seed': 2**53}},
    'a silent target': {'radio': radio(partitions='1..4.5: target')},
    'one dies while others are away': {
        'failure': DYING, 'run': {'sim_duration': 8.0}, 'safety': {'separation_distance': 9.0}},
    'the same, where reception differs for a while': {
        'failure': DYING, 'run': {'sim_duration': 8.0}, 'radio': radio(reach=44.0),
        'target': {'target_motion_speed_xy': 9.0}},
    'everything': {
        'radio': EVERYTHING, 'target': SPIN,
        'failure': {**BRIEFLY, 'failure_schedule': '0..0.5: 6; 1.5..2.1: 2 3'}},
    'everything, slow ticks': {
        'radio': EVERYTHING, 'swarm': {'control_period': 0.1}, 'failure': BRIEFLY},
}  # fmt: skip


@in_turn(CASES)
def test_every_radio_gives_the_same_bits(case, law):
    """What smaller values do is drawn in ``test_random.py``."""
    assert_identical(scenario(CASES[case], {'control': {'controller': law}}))


@pytest.mark.parametrize(
    ('timeout', 'off', 'reach'),
    [(0.1, 0.05, 38.0), (0.1, 0.1, 200.0), (0.2, 0.15, 200.0), (0.2, 0.2, 38.0), (1.0, 0.3, 38.0)],
)
def test_who_is_gone_sooner_than_its_state(timeout, off, reach):
    """Outages as long as the timeout of the law, that of the states, and beside them."""
    often = {'failure_mean_failures_per_min': 40.0, 'failure_off_time': off}
    assert_identical(scenario(
        {'run': {'sim_duration': 4.0}, 'failure': often, 'radio': radio(reach=reach)},
        {'control': {'controller': 'predictive', 'lossless_timeout': timeout}},
    ))  # fmt: skip


MID_FLIGHT: dict[str, Changes] = {
    'one is left behind': {'failure': LEFT_BEHIND},
    'some are left behind': {'failure': OFTEN},
    'and hurry after': {'failure': {**LEFT_BEHIND, 'failure_schedule': '1..4: 3 4; 2.9..9: 5'}},
}


def parting(case: str, law: str, ticks: int = 0) -> Changes:
    """Return changes by which the swarm grows beyond the reach of its radio."""
    run = {'run': {'sim_duration': 0.05 * ticks}} if ticks else {}
    return {
        **MID_FLIGHT[case], **run, 'radio': radio(reach=50.0),
        'target': {**AWAY, 'protection_angle_deg': 200.0, 'target_swarm_omega_ref': 0.1},
        'adversary': {'adversary_enable': False}, 'control': {'controller': law},
    }  # fmt: skip


def first_apart(flown: object) -> int:
    """Return the tick at which somebody is out of reach first."""
    engine = Engine(flown)
    while engine._flight.status.shared:
        assert engine.ticks < flown.ticks, 'the swarm stays together'
        engine.advance(1)
    return engine.ticks


def sharing(flown: Scenario) -> list[bool]:
    """Return whether all hear alike, by tick."""
    engine, found = Engine(flown), []
    while engine.ticks < flown.ticks:
        engine.advance(1)
        found.append(bool(engine._flight.status.shared))
    return found


COMING_BACK = {
    'from too wide a start': {
        'run': {'sim_duration': 8.0},
        'radio': radio(reach=43.0),
        'target': {'target_motion_speed_xy': 0.0},
        'failure': {'failure_enable': False},
    },
    'after a wait for one': {
        'run': {'sim_duration': 18.0},
        'radio': radio(reach=50.0),
        'target': {**AWAY, 'target_motion_speed_xy': 5.0},
        'failure': {'failure_enable': False, 'failure_schedule': '1..9: 3'},
    },
    'again and again': {
        'run': {'sim_duration': 40.0},
        'radio': radio(reach=44.0),
        'target': {'target_motion_speed_xy': 3.0},
        'failure': {**OFTEN, 'failure_mean_failures_per_min': 2.0},
    },
}


@in_turn(COMING_BACK)
def test_a_swarm_that_is_together_again_hears_alike_again(case, law):
    """Links are given up once nobody remembers what only some have heard."""
    eight, control = {'run': {'num_agents': 8}}, {'control': {'controller': law}}
    flown = scenario(eight, COMING_BACK[case], control)
    assert_identical(flown, {}, {'lump': 1})
    assert (False, True) in itertools.pairwise(sharing(flown))


@pytest.mark.parametrize(('law', 'reach'), [('soliton', 46.0), ('soliton_v1', 65.0)])
def test_an_adversary_out_of_reach_costs_no_links(law, reach):
    """Only the target listens to it; it comes and goes."""
    flown = scenario({
        'radio': radio(reach=reach), 'target': {**SPIN, 'target_motion_speed_xy': 0.0},
        'control': {'controller': law},
        'adversary': {'adversary_roam_speed_xy': 9.0, 'adversary_roam_bound_xy': 90.0},
        'run': {'sim_duration': 15.0},
    })  # fmt: skip
    alone = assert_identical(flown)
    assert all(sharing(flown))
    away = alone.chunk.adversary[:, :2] - alone.chunk.target[:, :2]
    assert (np.hypot(*away.T) > reach).any() and (np.hypot(*away.T) < reach).any()


@pytest.mark.parametrize(('case', 'law'), zip(MID_FLIGHT, OUR_NAMES, strict=True))
def test_a_swarm_that_parts_in_mid_flight_gives_the_same_bits(case, law):
    flown = scenario(parting(case, law))
    assert_identical(flown)
    assert 20 < first_apart(flown) < flown.ticks


@pytest.mark.parametrize('later', [-1, 0, 1])
def test_a_flight_that_ends_as_the_swarm_parts_has_its_last_tick(later):
    case = 'one is left behind', 'soliton'
    apart = first_apart(scenario(parting(*case)))
    flown = scenario(parting(*case, apart + later))
    assert flown.ticks == apart + later
    assert len(assert_identical(flown).chunk.times) == flown.ticks
