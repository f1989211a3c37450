"""What is known before a flight: draws that mean failure, windows, and the need of links."""

import numpy as np
import pytest
from soliton_encirclement_ros.actors.failures import failure_probability
from soliton_encirclement_ros.core.scenario.random_streams import run_streams
from soliton_encirclement_ros.sim.schedules import (
    failing_draws,
    may_be_refused,
    needs_links,
    schedule_of,
    scheduled_outages,
)
from support.identity import scenario

CALM = {'failure': {'failure_enable': False}}
NEVER = {'failure': {'failure_mean_failures_per_min': 0.0}}


@pytest.mark.parametrize('rng', ['streams', 'reference'])
def test_failing_draws_are_those_of_every_agent_s_own_stream(rng):
    flown = scenario({'run': {'rng': rng, 'num_agents': 3},
                      'failure': {'failure_mean_failures_per_min': 60.0}})  # fmt: skip
    found, starts = failing_draws(flown, run_streams(rng, flown.run.seed))
    chance = failure_probability(60.0, flown.failure.failure_check_period)
    for k in flown.agent_ids:
        stream = run_streams(rng, flown.run.seed).failures(k)
        draws = [stream.random() for _ in range(62)]
        expected = [n for n, draw in enumerate(draws) if draw < chance]
        assert found[starts[k - 1] : starts[k]].tolist() == expected
    assert starts[-1] == len(found) > 3


@pytest.mark.parametrize('changes', [CALM, NEVER], ids=['off', 'never'])
def test_without_failures_nothing_is_drawn(changes):
    found, starts = failing_draws(scenario(changes), run_streams('streams', 0))
    assert (len(found), starts.tolist()) == (0, [0] * 7)


def test_outages_are_listed_by_agent():
    flown = scenario({'failure': {'failure_schedule': '1..2: 2 3; 4..: 2'}})
    found, starts = scheduled_outages(flown)
    assert found.tolist() == [[1.0, 2.0], [4.0, np.inf], [1.0, 2.0]]
    assert starts.tolist() == [0, 0, 2, 3, 3, 3, 3]
    found, starts = scheduled_outages(scenario())
    assert (found.shape, starts.tolist()) == ((0, 2), [0] * 7)


def test_partitions_and_lies_are_rows_by_member():
    flown = scenario({'radio': {
        'partitions': '1..2: 1 2 | target; 3..: adversary',
        'byzantine': '1..2: 2 offset 5 -3; 4..: target random 8; 5..6: 3 nan; 6..7: 1 frozen',
    }})  # fmt: skip
    schedule = schedule_of(flown, run_streams('streams', 0))
    assert schedule.splits.tolist() == [[1.0, 2.0], [3.0, np.inf]]
    assert schedule.groups.tolist() == [[1, 1, 0, 0, 0, 0, 2, 0], [0, 0, 0, 0, 0, 0, 0, 1]]
    assert schedule.byzantine.tolist() == [
        [1.0, 2.0, 1.0, 1.0, 5.0, -3.0], [4.0, np.inf, 6.0, 2.0, 8.0, 0.0],
        [5.0, 6.0, 2.0, 3.0, 0.0, 0.0], [6.0, 7.0, 0.0, 0.0, 0.0, 0.0],
    ]  # fmt: skip
    assert schedule.frozen.shape == (4, 8)


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
    assert not may_be_refused(scenario())
    assert may_be_refused(scenario(REFUSED[case]))
