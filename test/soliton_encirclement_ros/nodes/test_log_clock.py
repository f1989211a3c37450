"""Which time a message is logged at."""

import time

import pytest
from soliton_encirclement_ros.nodes.log_clock import LARGEST_SKEW_NS, LogClock

SECOND = 1_000_000_000


def test_in_real_time_everything_is_logged_when_it_comes():
    clock = LogClock(simulated=False, join=False)
    before = time.time_ns()
    assert before <= clock.log_time_ns(5) <= clock.now_ns() <= time.time_ns()


def test_in_simulated_time_a_stamp_counts_and_the_clock_without_one():
    clock = LogClock(simulated=True, join=False)
    clock.receive(3 * SECOND)
    assert clock.log_time_ns(2 * SECOND) == 2 * SECOND
    assert clock.log_time_ns(None) == clock.now_ns() == 3 * SECOND


@pytest.mark.parametrize('stamp_ns', [-1, LARGEST_SKEW_NS + 4 * SECOND])
def test_a_stamp_from_nowhere_is_logged_at_the_present(stamp_ns):
    clock = LogClock(simulated=True, join=False)
    clock.receive(3 * SECOND)
    assert clock.log_time_ns(stamp_ns) == 3 * SECOND


@pytest.mark.parametrize('stamp_ns', [-1, 2 * SECOND, LARGEST_SKEW_NS + 4 * SECOND])
def test_the_clock_of_a_run_of_our_own_neither_leaps_nor_goes_back(stamp_ns):
    clock = LogClock(simulated=True, join=False)
    assert clock.known
    clock.receive(3 * SECOND)
    assert clock.receive(stamp_ns) == 0
    assert clock.now_ns() == 3 * SECOND


def test_who_joins_a_simulation_takes_its_clock_as_it_is():
    clock = LogClock(simulated=True, join=True)
    assert not clock.known
    assert clock.receive(-1) == 0 and not clock.known
    assert clock.receive(7200 * SECOND) == 0 and clock.known
    assert clock.log_time_ns(7201 * SECOND) == 7201 * SECOND
    assert clock.receive(1 * SECOND) == 7199 * SECOND
    assert clock.now_ns() == 1 * SECOND
