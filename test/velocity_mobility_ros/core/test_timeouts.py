"""Timeouts against periods."""

import pytest
from velocity_mobility_ros.core.timeouts import short_timeout


@pytest.mark.parametrize('timeout', [0.0, 0.05, 3.0])
def test_no_timeout_or_one_of_a_period_is_right(timeout):
    assert short_timeout('t', timeout, 'p', 0.05, 'it ends') == ''


def test_one_that_runs_out_between_two_messages_is_named_with_what_to_set():
    assert short_timeout('t', 0.01, 'p', 0.05, 'it ends') == (
        't = 0.01 s is below p = 0.05 s: it ends; set it to 0.05 or more'
    )
