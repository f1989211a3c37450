"""Stamps of a PX4: its own once they agree with the clock here, else those of the arrival."""

import pytest

from velocity_mobility_ros.autopilot.protocols.px4_reports import (
    BAD_AFTER, GOOD_AFTER, MAX_OFFSET_NS, SampleClock, stamped
)

START = 1_790_000_000_000_000_000
PERIOD = 10_000_000
LAG = 120_000_000
"""How far a vehicle's idea of the time is behind [ns]."""


class Messages:
    """Messages of a vehicle, one every 10 ms; attributes can be changed at any time."""

    def __init__(self):
        self.clock, self.now, self.shift = SampleClock(), START, -LAG

    def take(self, count=1):
        """Return the stamps of some messages less their arrival [ns]."""
        found = []
        for _ in range(count):
            self.now += PERIOD
            self.clock, stamp = stamped(self.clock, (self.now + self.shift) // 1000, self.now)
            found.append(None if stamp is None else stamp - self.now)
        return found


def test_good_stamps_are_believed_after_some():
    messages = Messages()
    assert messages.take(GOOD_AFTER - 1) == [0] * (GOOD_AFTER - 1)
    assert not messages.clock.is_synchronised
    messages.take(LAG // PERIOD + 1)
    assert messages.clock.is_synchronised and messages.take(3) == [-LAG] * 3


def test_stamps_do_not_go_back_when_they_are_believed():
    messages = Messages()
    messages.take(GOOD_AFTER - 1)
    assert messages.take(LAG // PERIOD - 1) == [None] * (LAG // PERIOD - 1)
    assert messages.take() == [-LAG]


def test_a_stamp_of_boot_time_is_left_out():
    messages = Messages()
    messages.take(2 * GOOD_AFTER)
    messages.shift = -START + 5_000_000_000
    assert messages.take() == [None]
    messages.shift = -LAG
    assert messages.take(3) == [-LAG] * 3


@pytest.mark.parametrize('shift', [5_000_000_000, -5_000_000_000, -START])
def test_stamps_that_stay_wrong_are_those_of_the_arrival(shift):
    messages = Messages()
    messages.take(2 * GOOD_AFTER)
    messages.shift = shift
    assert messages.take(BAD_AFTER) == [None] * (BAD_AFTER - 1) + [0]
    assert messages.take(3) == [0] * 3 and not messages.clock.is_synchronised


def test_without_synchronised_clocks_arrivals_are_all_there_is():
    messages = Messages()
    messages.shift = -START
    assert messages.take(1000) == [0] * 1000


def test_a_clock_that_is_set_back_goes_on():
    messages = Messages()
    messages.shift = -START
    messages.take(5)
    messages.now -= 2 * MAX_OFFSET_NS
    assert messages.take(2) == [0, 0]
