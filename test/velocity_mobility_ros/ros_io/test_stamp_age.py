"""A stamp counts near the present only; the line says how far it is, and what may be wrong."""

import pytest
from velocity_mobility_ros.ros_io.stamp_age import StampError, check_stamp

NOW = 1_700_000_000_000_000_000

pytestmark = pytest.mark.ros


@pytest.mark.parametrize('age_ns', [0, 500_000_000, -500_000_000])
def test_a_stamp_of_the_present_counts(age_ns):
    check_stamp(NOW - age_ns, NOW, 0.5, 'odom_timeout')


@pytest.mark.parametrize(
    ('stamp_ns', 'text'),
    [
        (NOW - 3_000_000_000, 'stamp is 3.000 s old, limit odom_timeout = 0.5 s; are the clocks'),
        (NOW + 3_000_000_000, 'stamp is 3.000 s in the future, limit odom_timeout = 0.5 s; are'),
        (NOW - 500_000_001, 'stamp is 0.500 s old'),
        (0, 'stamp is 0, so it was never set; limit odom_timeout = 0.5 s'),
        (-5, 's old, limit odom_timeout'),
    ],
)
def test_any_other_is_refused_with_age_limit_and_a_hint(stamp_ns, text):
    with pytest.raises(StampError) as caught:
        check_stamp(stamp_ns, NOW, 0.5, 'odom_timeout')
    assert text in str(caught.value)


def test_where_simulated_time_begins_a_stamp_of_zero_is_of_the_present():
    check_stamp(0, 100_000_000, 0.5, 'odom_timeout')
