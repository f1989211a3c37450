"""The engine against the plain loop where states are refused and senders named."""

import pytest

from support.identity import Changes, assert_identical, in_turn, scenario
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

LOSS = {'communication_failure_rate': 0.3, 'communication_delay': 0.05}
QUICK = {'neighbour_forgive_time': 1.0, 'roster_size': 6}


def lie(text: str, **more: Changes) -> Changes:
    """Return changes for a flight with liars, on a bad radio, who are soon forgiven."""
    return {'radio': {**LOSS, 'byzantine': text}, 'safety': QUICK, **more}


ABSENT = {'failure_schedule': '0..: 6', 'failure_enable': False}
BACK = {'failure_schedule': '0.5..3: 6', 'failure_enable': False}
CASES: dict[str, Changes] = {
    'frozen': lie('1..3: 2 frozen', target={'target_motion_speed_xy': 3.0}),
    'an offset that ends': lie('1..2.5: 2 offset 5 -3; 1.5..: 4 offset 1 1'),
    'teleporting': lie('1..: 2 random 8; 1..: 3 random 4'),
    'mirrored': lie('1..3: 2 mirrored'),
    'repeats another': lie('1..: 2 repeat 5; 0..: 3 repeat 4'),
    'a sybil in a silent name': lie('1..4: 2 sybil 6', failure=BACK),
    'a sybil that is not listed': lie(
        '1..4: 2 sybil 6', failure=ABSENT, safety={**QUICK, 'roster_size': 5}),
    'without the filter': lie(
        '1..3: 2 mirrored; 2..: 4 repeat 3', safety={**QUICK, 'separation_filter': False}),
    'clocks and noise': {
        **lie('1..3: 2 offset 5 -3'), 'mobility': {'position_noise_xy': 0.8},
        'radio': {**LOSS, 'clock_offset': 0.05, 'byzantine': '1..3: 2 offset 5 -3'}},
    'six liars of six': lie('; '.join(f'{k}..: {k} random 9' for k in range(1, 7))),
}  # fmt: skip


@in_turn(CASES)
def test_both_refuse_and_name_alike(case, law):
    """What engine and nodes believe is decided by the same functions, on the same numbers."""
    assert_identical(scenario(CASES[case], {'control': {'controller': law}}))


@pytest.mark.parametrize('tolerance', [0.01, 0.1])
def test_shared_reception_ends_before_a_state_is_refused(tolerance):
    """Honest states that a narrow tolerance refuses, where all hear the same at first."""
    assert_identical(scenario({
        'safety': {'neighbour_position_tolerance': 3.0, 'neighbour_velocity_tolerance': tolerance,
                   'neighbour_forgive_time': 1.0},
    }))  # fmt: skip
