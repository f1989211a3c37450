"""Timeouts against periods, and against ages."""

import pytest
from velocity_mobility_ros.core.timeouts import is_overdue, short_timeout


@pytest.mark.parametrize('timeout', [0.0, 0.05, 3.0])
def test_no_timeout_or_one_of_a_period_is_right(timeout):
    assert short_timeout('t', timeout, 'p', 0.05, 'it ends') == ''


def test_one_that_runs_out_between_two_messages_is_named_with_what_to_set():
    assert short_timeout('t', 0.01, 'p', 0.05, 'it ends') == (
        't = 0.01 s is below p = 0.05 s: it ends; set it to 0.05 or more'
    )


@pytest.mark.parametrize(
    ('age', 'timeout', 'too_old'),
    [(500, 0.5, False), (501, 0.5, True), (10**9, 0.0, False)],
)
def test_a_command_counts_until_its_timeout(age, timeout, too_old):
    assert is_overdue(7_000_000, (7 + age) * 1_000_000, timeout) is too_old
