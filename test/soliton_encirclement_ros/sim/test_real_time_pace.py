"""Flights by the clock: a tick when it is due, none twice, and what happens to a slow machine."""

import pytest
from soliton_encirclement_ros.sim import real_time_pace
from soliton_encirclement_ros.sim.real_time_pace import MOST_BEHIND, RealTimePace

PERIOD = 0.1


class Clock:
    """A clock that advances by what is waited for and by what ticks cost."""

    def __init__(self, monkeypatch):
        """Replace the steady clock."""
        self.now = 50.0
        monkeypatch.setattr(real_time_pace.time, 'monotonic', lambda: self.now)

    def wait(self, seconds):
        """Wait; nobody waits for a negative time."""
        assert seconds >= 0.0
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that is advanced by hand."""
    return Clock(monkeypatch)


def begins(clock, costs):
    """Return when ticks that cost these times [s] began, and the pace."""
    pace, found = RealTimePace(PERIOD, clock.wait), []
    for cost in costs:

        def advance(ticks, cost=cost):
            assert ticks == 1
            found.append(clock.now - 50.0)
            clock.now += cost

        pace.turn(advance)
    return found, pace


def test_ticks_begin_when_they_are_due(clock):
    found, pace = begins(clock, [0.03] * 5)
    assert found == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert pace.delay == 0.0


def test_a_slow_tick_is_made_up_for(clock):
    found, pace = begins(clock, [0.01, 0.25, 0.01, 0.01, 0.01, 0.01])
    assert found == pytest.approx([0.0, 0.1, 0.35, 0.36, 0.4, 0.5])
    assert pace.delay == 0.0


def test_a_flight_that_is_far_behind_takes_longer_instead_of_hurrying(clock):
    found, pace = begins(clock, [0.01, 2.0, 0.01, 0.01])
    assert found == pytest.approx([0.0, 0.1, 2.1, 2.2])
    assert pace.delay == pytest.approx(1.9)


def test_a_machine_that_is_always_too_slow_loses_time_again_and_again(clock):
    found, pace = begins(clock, [0.2] * 21)
    assert found[-1] == pytest.approx(20 * 0.2)
    assert pace.delay == pytest.approx(found[-1] - 20 * PERIOD, abs=MOST_BEHIND)


def test_a_wait_that_is_too_long_counts_as_late(clock):
    pace, found = RealTimePace(PERIOD, lambda seconds: clock.wait(seconds + 0.02)), []
    for _ in range(4):
        pace.turn(lambda ticks: found.append(clock.now - 50.0))
    assert found == pytest.approx([0.02, 0.12, 0.22, 0.32])
