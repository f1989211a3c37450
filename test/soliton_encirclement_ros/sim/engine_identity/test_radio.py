"""The engine against the plain loop where not all receive the same."""

import itertools

import numpy as np
import pytest
from soliton_encirclement_ros.core.parameters.control_parameters import OUR_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.kernel.columns import SHARED
from support.identity import LAWS, Changes, assert_identical, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

OFTEN = {'failure_mean_failures_per_min': 20.0}
BRIEFLY = {**OFTEN, 'failure_off_time': 0.3}
SPIN = {'target_swarm_spin_enable': True, 'protection_angle_deg': 200.0}
AWAY = {
    'target_motion': 'constant', 'target_motion_speed_xy': 9.0, 'target_motion_period': 0.1,
}  # fmt: skip
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
    'whispering': {'radio': radio(reach=15.0), 'failure': OFTEN},
    'half the ring': {'radio': radio(reach=25.0), 'failure': BRIEFLY},
    'the adversary comes and goes': {'radio': radio(reach=58.0), 'target': SPIN},
    'a third of a tick': {'radio': radio(delay=0.02), 'failure': OFTEN},
    'a tick': {'radio': radio(delay=0.05)},
    'two ticks': {'radio': radio(delay=0.1), 'failure': BRIEFLY},
    'more than two ticks': {'radio': radio(delay=0.13), 'failure': OFTEN},
    'longer than patience': {'radio': radio(delay=0.6), 'target': SPIN},
    'a little jitter': {'radio': radio(jitter=0.03), 'failure': BRIEFLY},
    'jitter': {'radio': radio(jitter=0.2), 'failure': OFTEN, 'target': SPIN},
    'long jitter': {'radio': radio(jitter=1.0, loss=0.1), 'target': SPIN},
    'jitter, no pruning': {
        'radio': radio(jitter=0.3, loss=0.2), 'swarm': {'prune_expired_states': False},
        'target': {**SPIN, 'target_swarm_spin_law': 'v3'}, 'failure': OFTEN},
    'some loss': {'radio': radio(loss=0.1), 'failure': BRIEFLY},
    'loss': {'radio': radio(loss=0.3), 'failure': OFTEN},
    'nearly all lost': {'radio': radio(loss=0.9), 'failure': OFTEN},
    'all lost': {'radio': radio(loss=1.0)},
    'loss, no patience': {
        'radio': radio(loss=0.2, jitter=0.1),
        'swarm': {'agent_state_timeout': 0.03, 'target_state_timeout': 0.03}},
    'loss, much patience': {
        'radio': radio(loss=0.5), 'failure': BRIEFLY,
        'swarm': {'agent_state_timeout': 1.0, 'target_state_timeout': 1.0}},
    'loss, long hold': {'radio': radio(loss=0.8), 'control': {'neighbour_hold_time': 3.0}},
    'loss, no hold': {
        'radio': radio(loss=0.9),
        'control': {'target_hold_time': 0.0, 'neighbour_hold_time': 0.0}},
    'loss, largest seed': {
        'radio': radio(loss=0.3, jitter=0.1), 'run': {'seed': 2**53}},
    'partitions': {'radio': radio(
        partitions='1..1.6: 1 2 target | 3 4; 1.5..3: 5; 4..: target 1 3 | 2 4 adversary')},
    'a silent target': {'radio': radio(partitions='1..4.5: target')},
    'frozen': {'radio': radio(byzantine='1..2: 1 frozen; 3..4: 1 frozen; 3.5..5: 1 offset 1 1')},
    'offset': {'radio': radio(byzantine='1..3: 2 offset 5 -3'), 'target': SPIN},
    'random': {'radio': radio(byzantine='1..: 4 random 8; 2..: 4 offset 3 0'), 'failure': OFTEN},
    'no number': {'radio': radio(byzantine='1..1.1: 5 nan; 2..: 5 nan')},
    'a lying target': {'target': SPIN, 'radio': radio(
        byzantine='1..2: target frozen; 2..3: target random 4; 3..5.7: target nan')},
    'a lying adversary': {'target': SPIN, 'radio': radio(
        byzantine='1..2: adversary offset 30 -60; 2..3: adversary random 9; 3..4: adversary nan; '
        '4..: adversary frozen')},
    'everything': {
        'radio': EVERYTHING, 'target': SPIN,
        'failure': {**BRIEFLY, 'failure_schedule': '0..0.5: 6; 1.5..2.1: 2 3'}},
    'everything, slow ticks': {
        'radio': EVERYTHING, 'swarm': {'control_period': 0.1}, 'failure': BRIEFLY},
}  # fmt: skip


@pytest.mark.one_in(8)
@LAWS
@pytest.mark.parametrize('case', CASES)
def test_every_radio_gives_the_same_bits(case, law):
    """Six seconds where something is to happen at given times; four show the rest."""
    timed = {'partitions', 'byzantine'} & set(CASES[case]['radio'])
    brief = {} if timed else {'run': {'sim_duration': 4.0}}
    assert_identical(scenario(brief, CASES[case], {'control': {'controller': law}}))


@pytest.mark.one_in(3)
@pytest.mark.parametrize('reach', [200.0, 38.0])
@pytest.mark.parametrize('off', [0.05, 0.1, 0.15, 0.2, 0.3])
@pytest.mark.parametrize('timeout', [0.1, 0.2, 1.0])
def test_who_is_gone_sooner_than_its_state(timeout, off, reach):
    """Outages as long as the timeout of the law, that of the states, and beside them."""
    often = {'failure_mean_failures_per_min': 40.0, 'failure_off_time': off}
    assert_identical(scenario(
        {'run': {'sim_duration': 4.0}, 'failure': often, 'radio': radio(reach=reach)},
        {'control': {'controller': 'predictive', 'lossless_timeout': timeout}},
    ))  # fmt: skip


PARTING = pytest.mark.parametrize('law', [*OUR_NAMES, 'franchi'])
"""Laws whose swarm grows beyond the reach of its radio in every case."""

MID_FLIGHT: dict[str, Changes] = {
    'one is left behind': {'failure': LEFT_BEHIND},
    'some are left behind': {'failure': OFTEN},
    'and hurry after': {'failure': {**LEFT_BEHIND, 'failure_schedule': '1..4: 3 4; 2.9..9: 5'}},
}


def parting(case: str, law: str, ticks: int = 0) -> Changes:
    """Return changes by which the swarm grows beyond the reach of its radio."""
    run = {'run': {'sim_duration': 0.05 * ticks}} if ticks else {}
    return {
        **MID_FLIGHT[case], **run, 'radio': radio(reach=50.0), 'target': AWAY,
        'adversary': {'adversary_enable': False}, 'control': {'controller': law},
    }  # fmt: skip


def first_apart(flown: object) -> int:
    """Return the tick at which somebody is out of reach first."""
    engine = Engine(flown)
    while engine._flight.counters[SHARED]:
        engine.advance(1)
    return engine.ticks


def sharing(flown: Scenario) -> list[bool]:
    """Return whether all hear alike, by tick."""
    engine, found = Engine(flown), []
    while engine.ticks < flown.ticks:
        engine.advance(1)
        found.append(bool(engine._flight.counters[SHARED]))
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


@pytest.mark.one_in(8)
@LAWS
@pytest.mark.parametrize('case', COMING_BACK)
def test_a_swarm_that_is_together_again_hears_alike_again(law, case):
    """Links are given up once nobody remembers what only some have heard."""
    eight, control = {'run': {'num_agents': 8}}, {'control': {'controller': law}}
    flown = scenario(eight, COMING_BACK[case], control)
    assert_identical(flown, {}, {'lump': 1})
    if law != 'splay':  # its agents stay within reach in some cases
        assert (False, True) in itertools.pairwise(sharing(flown))


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ('law', 'reach'),
    [('soliton', 46.0), ('soliton', 65.0), ('two_channel', 65.0), ('soliton_v1', 65.0)],
)
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


@pytest.mark.one_in(8)
@PARTING
@pytest.mark.parametrize('case', MID_FLIGHT)
def test_a_swarm_that_parts_in_mid_flight_gives_the_same_bits(case, law):
    flown = scenario(parting(case, law))
    assert_identical(flown)
    assert 20 < first_apart(flown) < flown.ticks


@PARTING
@pytest.mark.parametrize('later', [-1, 0, 1])
def test_a_flight_that_ends_as_the_swarm_parts_has_its_last_tick(later, law):
    case = 'one is left behind'
    apart = first_apart(scenario(parting(case, law)))
    flown = scenario(parting(case, law, apart + later))
    assert flown.ticks == apart + later
    assert len(assert_identical(flown).chunk.times) == flown.ticks
