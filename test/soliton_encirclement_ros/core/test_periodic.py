"""Periodic events by count."""

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.schedules import Periodic, counted, due, firings


class Clock:
    """Somebody who counts the firings of a period [s] from a start [s] on."""

    def __init__(self, period: float, start: float) -> None:
        """Have counted none."""
        self.period, self.memory = period, Periodic(start, 0)

    def due(self, now: float) -> int:
        """Count those that have come."""
        found = due(self.memory, now, self.period)
        self.memory = counted(self.memory, found)
        return found


@given(st.integers(1, 20), st.sampled_from([0.01, 0.02, 0.05]), st.floats(0.0, 1000.0))
def test_fires_once_per_period(ticks: int, tick: float, start: float) -> None:
    """Called every tick, it fires at every whole period and at no other tick."""
    periodic = Clock(ticks * tick, start)
    fired = [k for k in range(1, 201) if periodic.due(start + k * tick)]
    assert fired == list(range(ticks, 201, ticks))


def test_time_that_stands_still_or_runs_back_fires_nothing() -> None:
    """A clock that jumps back is waited for."""
    periodic = Clock(0.1, 0.0)
    assert periodic.due(0.5)
    assert not periodic.due(0.5)
    assert not periodic.due(0.2)
    assert periodic.due(0.6)


@pytest.mark.parametrize('period', [0.05, 0.1])
def test_an_hour_of_ticks_loses_nothing(period: float) -> None:
    """Seventy-two thousand ticks of 0.05 s."""
    periodic = Clock(period, 0.0)
    fired = sum(periodic.due(k * 0.05) for k in range(1, 72_001))
    assert fired == round(3600.0 / period)


@pytest.mark.parametrize(
    ('now', 'count'),
    [(2.0, 0), (2.0999, 0), (2.1 - 1e-10, 1), (2.1, 1), (2.35, 3), (2.4, 4), (1.95, -1)],
)
def test_firings_are_counted(now: float, count: int) -> None:
    """From 2 s on, every 0.1 s, with a slack of a nanosecond."""
    found = firings(now, 2.0, 0.1)
    assert found == count and isinstance(found, int)
