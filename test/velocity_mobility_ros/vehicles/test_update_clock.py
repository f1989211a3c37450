"""How many updates are due, over stalls and jumps of the clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.vehicles.update_clock import UpdateClock, due_updates

MS = 1_000_000
PERIOD = 10 * MS
START = UpdateClock(5 * MS, 0)


@given(st.lists(st.integers(0, 990 * MS), min_size=1, max_size=30), st.integers(MS, 100 * MS))
def test_updates_follow_the_clock_without_drift(steps: list[int], period: int) -> None:
    """Whenever one looks, as many were made as whole periods have passed."""
    clock, now = START, START.start_ns
    for step in steps:
        now += step
        clock, count, dropped = due_updates(clock, now, period)
        assert count >= 0 and not dropped
        assert clock == UpdateClock(START.start_ns, (now - START.start_ns) // period)


@pytest.mark.parametrize('now', [START.start_ns - 1, START.start_ns + 1011 * MS])
def test_after_a_jump_or_a_longer_stall_one_update_is_made(now: int) -> None:
    """The lost time is dropped, and the count begins again."""
    clock, count, dropped = due_updates(START, now, PERIOD)
    assert (count, dropped) == (1, True)
    assert clock == UpdateClock(now - PERIOD, 1)
    assert due_updates(clock, now + PERIOD - 1, PERIOD).count == 0
    assert due_updates(clock, now + PERIOD, PERIOD).count == 1


def test_a_second_is_made_up_for() -> None:
    """No more and no less."""
    assert due_updates(START, START.start_ns + 1000 * MS, PERIOD)[1:] == (100, False)


def test_updates_may_be_farther_apart_than_that() -> None:
    """Two of them are due at most, however long a period is."""
    now, period = START.start_ns, 3000 * MS
    clock = START
    for _ in range(5):
        now += period
        clock, count, dropped = due_updates(clock, now, period)
        assert (count, dropped) == (1, False)
    assert due_updates(clock, now + 2 * period, period)[1:] == (2, False)
    assert due_updates(clock, now + 3 * period, period).dropped
