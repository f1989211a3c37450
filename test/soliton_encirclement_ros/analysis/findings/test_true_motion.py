"""Members as they really moved, and the errors of an odometry against that."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings.finding_records import measurement_errors
from soliton_encirclement_ros.analysis.findings.participants import with_truth
from soliton_encirclement_ros.analysis.recording import Member, StateSeries, Telemetry, Track

AT = np.arange(0.0, 5.0, 0.1)
ZERO = np.zeros((len(AT), 3))
TRUE = Track(AT, ZERO + 1.0, ZERO + 2.0, AT)
LATER = AT + 3.0
STATES = StateSeries(LATER, AT, ZERO + 9.0, ZERO, {'u': AT})
TOLD = Telemetry(LATER, ZERO + 9.0, ZERO, AT > 9.0, AT, AT, {})


def test_states_and_telemetry_get_the_truth_where_it_is_recorded():
    member = Member('uav_1', Track(AT, ZERO, ZERO, AT), None, STATES, TOLD, TRUE)
    found = with_truth(member)
    assert found.track is TRUE
    for part in (found.states, found.telemetry):
        known = part.time <= AT[-1] + 1e-9
        assert known.sum() == 20
        assert (part.position[known] == 1.0).all() and (part.position[~known] == 9.0).all()
        assert (part.velocity[known] == 2.0).all() and (part.velocity[~known] == 0.0).all()
    assert found.states.values is STATES.values and found.telemetry.failed is TOLD.failed


def test_without_truth_nothing_changes():
    member = Member('uav_1', Track(AT, ZERO, ZERO, AT), None, STATES, TOLD)
    assert with_truth(member) is member
    empty = member._replace(truth=Track(AT[:0], ZERO[:0], ZERO[:0], AT[:0]))
    assert with_truth(empty) is empty


def test_a_member_that_says_nothing_has_its_truth():
    assert with_truth(Member('uav_1', truth=TRUE)).track is TRUE


TIME = np.arange(0.0, 10.0, 0.05)
STILL = np.zeros((len(TIME), 3))


def track(time, position, velocity) -> Track:
    """Return a track that looks east."""
    return Track(time, position, velocity, np.zeros(len(time)))


def moving() -> Track:
    """Return a body that flies east at 2 m/s."""
    east = np.column_stack([2.0 * TIME, 0.0 * TIME, 0.0 * TIME])
    return track(TIME, east, STILL + np.array([2.0, 0.0, 0.0]))


def test_errors_are_those_at_the_time_of_the_measurement():
    """Between two samples of the truth as well."""
    time = TIME[:-1:4] + 0.02
    seen = np.column_stack([2.0 * time, 0.0 * time + 3.0, 0.0 * time + 4.0])
    velocity = np.tile((2.0, 0.0, 0.0), (len(time), 1))
    velocity[7, 1] = 0.5
    member = Member('uav_1', track(time, seen, velocity), truth=moving())
    (found,) = measurement_errors([member])
    assert found.name == 'uav_1'
    assert (found.position_rms, found.position_max) == pytest.approx((5.0, 5.0))
    assert found.velocity_max == pytest.approx(0.5)
    assert found.velocity_rms == pytest.approx(0.5 / np.sqrt(len(time)))
    assert found.longest_gap == pytest.approx(0.2)


def test_a_measurement_that_is_told_twice_counts_once():
    time = np.repeat(TIME[:10], 2)
    seen = np.zeros((20, 3))
    seen[1::2] = 99.0  # not the first of a time
    true = track(TIME, STILL, STILL)
    (found,) = measurement_errors([Member('a', track(time, seen, 0.0 * seen), truth=true)])
    assert found.position_max == 0.0


@pytest.mark.parametrize(
    'member',
    [
        Member('a', moving()),
        Member('a', truth=moving()),
        Member('a', moving()._replace(time=TIME + 100.0), truth=moving()),
        Member('a', track(TIME[:0], STILL[:0], STILL[:0]), truth=moving()),
    ],
    ids=['no truth', 'no odometry', 'no common time', 'nothing measured'],
)
def test_without_both_there_are_no_errors(member):
    assert [*measurement_errors([member])] == []


def test_a_single_measurement_has_no_gap():
    (found,) = measurement_errors(
        [Member('a', track(TIME[:1], STILL[:1], STILL[:1]), truth=track(TIME, STILL, STILL))]
    )
    assert found.longest_gap is None
