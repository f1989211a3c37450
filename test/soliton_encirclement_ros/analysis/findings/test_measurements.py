"""Errors of an odometry against the true motion."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings.measurements import measurement_errors
from soliton_encirclement_ros.analysis.recording import Member, Track

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
