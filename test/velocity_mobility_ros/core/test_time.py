"""Time as a step count, and timeouts against periods and ages."""

import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.core.step_time import (
    is_overdue, short_timeout, step_ns, to_ns, to_seconds, whole_ratio
)


@pytest.mark.parametrize('period', [0.01, 0.02, 0.05, 0.1])
def test_ten_thousand_steps_do_not_drift(period: float) -> None:
    """Every step falls on its whole nanosecond, unlike a running sum."""
    spacing = round(period * 1e9)
    assert [step_ns(k, period) for k in range(10_000)] == [k * spacing for k in range(10_000)]


def test_steps_count_from_the_start() -> None:
    """Step 0 is the start."""
    assert step_ns(0, 0.01, 7) == 7
    assert step_ns(3, 0.01, 7) == 30_000_007


@given(st.integers(0, 2**53))
def test_nanoseconds_there_and_back(time_ns: int) -> None:
    """Seconds and back lose at most the resolution of a double."""
    assert abs(to_ns(to_seconds(time_ns)) - time_ns) <= max(1, time_ns * 2.3e-16)


@pytest.mark.parametrize(
    ('period', 'part', 'expected'),
    [
        (0.05, 0.01, 5),
        (0.1, 0.1, 1),
        (0.3, 0.1, 3),
        (1.0, 0.001, 1000),
        (0.05, 0.02, None),
        (0.01, 0.05, None),
        (0.01, 1e9, None),
    ],
)
def test_whole_ratio(period: float, part: float, expected: int | None) -> None:
    """Whole multiples are found despite rounding, others are refused."""
    assert whole_ratio(period, part) == expected


@given(st.integers(1, 1000), st.floats(1e-4, 1.0))
def test_whole_ratio_of_a_multiple(count: int, part: float) -> None:
    """What was multiplied is found again."""
    assert whole_ratio(count * part, part) == count


def test_whole_ratio_of_an_absurd_part() -> None:
    """A denormal update rate must be refused, not end in a traceback."""
    assert whole_ratio(0.05, 5e-324) is None


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
