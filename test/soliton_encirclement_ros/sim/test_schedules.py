"""What is known before a flight: draws that mean failure, and whether it needs links.

Then: room for these, and what they begin with. Windows are those of the plain loop
(``engine_identity/``).
"""

import numpy as np
import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.named_rows import arrayed
from soliton_encirclement_ros.core.scenario.random_streams import run_streams
from soliton_encirclement_ros.core.states.received_states import NEVER
from soliton_encirclement_ros.sim.allocation import allocate, layers, with_links
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.flight_constants import (
    failing_draws, may_be_refused, needs_links, rules_of
)
from soliton_encirclement_ros.sim.kernel.arrivals import fill_links
from soliton_encirclement_ros.sim.kernel.swarm_tick import PER_LINK, fly
from soliton_encirclement_ros.swarm.failures import failure_probability
from soliton_encirclement_ros.swarm.memory import NUMBER
from support.identity import scenario

CALM = {'failure': {'failure_enable': False}}


def test_failing_draws_are_those_of_every_agent_s_own_stream():
    flown = scenario(
        {'run': {'num_agents': 3}, 'failure': {'failure_mean_failures_per_min': 60.0}}
    )
    found, starts = failing_draws(flown, run_streams('streams', flown.run.seed))
    chance = failure_probability(60.0, flown.failure.failure_check_period)
    for k in flown.agent_ids:
        stream = run_streams('streams', flown.run.seed).failures(k)
        draws = [stream.random() for _ in range(62)]
        expected = [n for n, draw in enumerate(draws) if draw < chance]
        assert found[starts[k - 1] : starts[k]].tolist() == expected
    assert starts[-1] == len(found) > 3


LINKED = {
    'a short outage by chance': {'failure': {'failure_off_time': 2.6}},
    'a short outage by schedule': {
        'failure': {'failure_enable': False, 'failure_schedule': '1..2: 1; 3..: 2'}},
    'much patience': {'swarm': {'agent_state_timeout': 9.0}},
    'a long hold': {'control': {'target_hold_time': 9.0}},
    'one event after the other': {'run': {'rng': 'reference'}},
    'delay': {'radio': {'communication_delay': 0.01}},
    'jitter': {'radio': {'communication_jitter': 0.01}},
    'loss': {'radio': {'communication_failure_rate': 0.01}},
    'a partition': {'radio': {'partitions': '1..2: 1'}},
    'a byzantine': {'radio': {'byzantine': '1..2: 1 nan'}},
}  # fmt: skip
ALIKE = {
    'the defaults': {},
    'nobody fails': {**CALM, 'swarm': {'agent_state_timeout': 9.0}},
    'by chance never': {'failure': {
        'failure_mean_failures_per_min': 0.0, 'failure_off_time': 0.1}},
    'long outages': {'failure': {'failure_schedule': '1..9: 1', 'failure_off_time': 2.7}},
    'a small reach': {'radio': {'communication_transmission_range': 5.0}},
}  # fmt: skip


@pytest.mark.parametrize('case', LINKED)
def test_links_are_needed_from_the_start(case):
    assert needs_links(scenario(LINKED[case]))


@pytest.mark.parametrize('case', ALIKE)
def test_all_hear_alike_at_first(case):
    assert not needs_links(scenario(ALIKE[case]))


REFUSED = {
    'a fast body': {'mobility': {'max_speed_xy': 1e9}},
    'a fast climber': {'mobility': {'max_speed_z': 1e9}},
    'a long way': {'mobility': {'max_speed_xy': 2e8}},
    'a wide ring': {'swarm': {'encirclement_radius': 6e8}},
    'a turn at the centre': {'control': {'r_min': 1e-9}},
    'a base turn': {'target': {'target_swarm_omega_ref': -2e9}},
    'a fast turn': {'target': {'target_swarm_omega_pd_max_abs': 2e9}},
    'a wide arc': {'target': {'protection_angle_deg': 1e-7}},
}


@pytest.mark.parametrize('case', REFUSED)
def test_words_that_nobody_may_believe_need_links(case):
    assert not may_be_refused(scenario()) and not needs_links(scenario(CALM))
    assert may_be_refused(scenario(REFUSED[case])) and needs_links(scenario(CALM, REFUSED[case]))


def test_too_many_links_are_refused_with_their_size():
    lossy = {'radio': {'communication_failure_rate': 0.1}}
    crowd = scenario({'run': {'num_agents': 30_000, 'sim_duration': 0.05}, **lossy})
    with pytest.raises(RunError) as refused:
        Engine(crowd)
    assert str(refused.value) == (
        'run.num_agents = 30000: receivers differ, which takes 25 GB for the links, at most 8; '
        'fly fewer agents or widen the radio'
    )


def test_a_crowd_that_hears_alike_needs_no_links():
    crowd = scenario(CALM, {'run': {'num_agents': 30_000, 'sim_duration': 0.05}})
    assert Engine(crowd)._flight.links.rows.nbytes < 100


def test_words_are_kept_as_long_as_anybody_counts_with_them():
    assert layers(scenario()) == 64
    assert layers(scenario({'swarm': {'agent_state_timeout': 3.0}})) == 64
    assert layers(scenario({'control': {'neighbour_hold_time': 4.0}})) == 128
    late = {'communication_delay': 1.0, 'communication_jitter': 0.5}
    assert layers(scenario({'radio': late})) == 128
    assert layers(scenario({'run': {'sim_duration': 1.0}})) == 32


@pytest.mark.parametrize(('law', 'second'), [('soliton', 2), ('predictive', -1)])
def test_links_begin_with_what_everybody_has_heard(law, second):
    """Agent 2 was away from tick 3 on, agent 3 has never spoken, agent 4 came at tick 5.

    After 0.2 s ``predictive`` counts agent 2 as gone, ``soliton`` does not.
    """
    flown = scenario({
        'control': {'controller': law},
        'run': {'num_agents': 4, 'sim_duration': 9.0}, 'adversary': {'adversary_enable': False},
        'failure': {'failure_enable': False,
                    'failure_schedule': '0.15..9: 2; 0..9: 3; 0..0.25: 4'},
    })  # fmt: skip
    flight, rules = flown_plainly(flown, 7)
    linked = with_links(flown, rules, flight)
    fill_links(rules, linked)
    links = arrayed(linked.links).rows
    nobody = [0, 0, 0, 0]
    assert links['number'].tolist() == [[0, 2, 0, 6], nobody, nobody, [6, 0, 0, 0]]
    never = [NEVER] * 4
    assert links['received'].tolist() == [
        [NEVER, 0.15, NEVER, 0.35], never, never, [0.35, NEVER, NEVER, NEVER],
    ]  # fmt: skip
    away = [-1, -1, -1, -1]
    assert links['tracked'].tolist() == [[-1, second, -1, 2], away, away, [6, -1, -1, -1]]


def test_words_move_to_the_layers_of_their_ticks():
    flown = scenario({'failure': {'failure_enable': False, 'failure_schedule': '0.15..: 2'}})
    flight, rules = flown_plainly(flown, 7)
    linked = with_links(flown, rules, flight)
    depth = linked.sent.shape[0]
    assert not flight.status.shared
    assert np.array_equal(linked.sent[2 % depth, 1], flight.sent[0, 1])
    for member in (0, 2, 3, 4, 5, 6, 7):
        assert np.array_equal(linked.sent[6 % depth, member], flight.sent[0, member])
    assert np.array_equal(linked.weights[6 % depth], flight.weights[0], equal_nan=True)
    assert np.count_nonzero(linked.sent[:, :, NUMBER]) == 8


def flown_plainly(flown, tick):
    """Return a flight at a tick at which everybody has acted and nobody has spoken yet."""
    rules, streams = rules_of(flown, 1, False, True), run_streams('streams', flown.run.seed)
    flight = allocate(flown, rules, streams, 100, True)
    with np.errstate(over='ignore'):
        fly(rules, flight, streams.target, streams.adversary, tick - 1)
        out_of_reach = rules._replace(radio=rules.radio._replace(range_sq=-1.0))
        assert fly(out_of_reach, flight, streams.target, streams.adversary, tick) == PER_LINK
    return flight, rules
