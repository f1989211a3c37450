"""The engine against the plain loop, bit by bit, in the original's order of events."""

import pytest

from support.identity import (
    BY_EVENTS, INTERPRETED, Changes, assert_identical, by_events, in_turn, scenario
)
from support.ready import NO_HURRY

__all__ = ['by_events']

pytestmark = NO_HURRY

OFTEN = {'failure_mean_failures_per_min': 30.0, 'failure_off_time': 0.7}
SPIN = {'target_swarm_spin_enable': True, 'protection_angle_deg': 200.0}
V1_PERIODS = {'control_period': 0.01, 'agent_state_timeout': 0.03, 'target_state_timeout': 0.05}

CASES: dict[str, Changes] = {
    'failures': {'failure': OFTEN, 'target': SPIN},
    'off the grid': {'failure': {**OFTEN, 'failure_off_time': 0.73}},
    'losses': {'radio': {'communication_failure_rate': 0.3}, 'target': SPIN},
    'a delay': {'radio': {'communication_delay': 0.013}, 'target': SPIN},
    'relayed reports': {'radio': {'communication_transmission_range': 15.0},
                        'control': {'controller': 'predictive'}, 'run': {'num_agents': 10}},
    'the first periods': {'swarm': V1_PERIODS, 'failure': OFTEN},
    'thirty': {'run': {'num_agents': 30, 'sim_duration': 2.0}, 'failure': OFTEN},
    'another seed': {'run': {'seed': 2**53}},
}  # fmt: skip


@pytest.mark.one_in(2)
@in_turn(CASES)
def test_every_setting_gives_the_same_bits(case: str, law: str, by_events: None) -> None:
    """One at a time."""
    assert_identical(scenario(BY_EVENTS, {'control': {'controller': law}}, CASES[case]))


def test_where_a_flight_is_cut_into_pieces_does_not_matter(by_events: None) -> None:
    """Chunks end anywhere."""
    assert_identical(scenario(BY_EVENTS, {'failure': OFTEN}), lump=7)


ROOMS = [(1, 0.0, 0.001), (5, 0.03, 0.1), (3, 1.0, 0.05)]


@pytest.mark.parametrize(('agents', 'delay', 'check'), ROOMS)
def test_there_is_room_for_all_that_can_wait(agents: int, delay: float, check: float) -> None:
    """Agents fail at nearly every check and are back at once; words take long.

    Without a compiler an event too many is an IndexError.
    """
    assert_identical(scenario(BY_EVENTS, {
        'run': {'num_agents': agents, 'sim_duration': 1.5},
        'radio': {'communication_delay': delay},
        'failure': {'failure_mean_failures_per_min': 180.0 / check, 'failure_off_time': 0.0,
                    'failure_check_period': check},
    }), **INTERPRETED)  # fmt: skip
