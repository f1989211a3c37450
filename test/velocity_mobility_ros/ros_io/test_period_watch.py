"""Periods that are longer than wanted: their median in the last second, and missed ticks."""

import pytest
from velocity_mobility_ros.ros_io import period_watch
from velocity_mobility_ros.ros_io.conditions import Level
from velocity_mobility_ros.ros_io.period_watch import PeriodWatch


class Wall:
    """A clock on the wall that is set by hand."""

    now = 100.0

    def monotonic(self) -> float:
        """Return the time [s]."""
        return self.now


@pytest.fixture
def wall(monkeypatch):
    """Return the clock that period watches see."""
    clock = Wall()
    monkeypatch.setattr(period_watch, 'time', clock)
    return clock


def ticked(wall: Wall, periods: list[float]) -> PeriodWatch:
    """Return a watch of a period of 0.05 s after ticks with some periods [s] between."""
    watch = PeriodWatch('control period', 0.05)
    watch.tick()
    for period in periods:
        wall.now += period
        watch.tick()
    return watch


@pytest.mark.parametrize(
    ('period', 'level'),
    [(0.05, None), (0.074, None), (0.076, Level.WARN), (0.149, Level.WARN), (0.151, Level.ERROR)],
)
def test_the_median_counts(wall, period, level):
    found = ticked(wall, [period] * 20).conditions()
    assert [condition.level for condition in found] == ([level] if level else [])


def test_the_reason_names_both_periods(wall):
    (condition,) = ticked(wall, [0.21] * 10).conditions()
    assert condition.reason.startswith('control period 0.21 s instead of 0.05 s')


def test_one_late_tick_is_no_reason(wall):
    assert ticked(wall, [0.05] * 10 + [1.0] + [0.05] * 9).conditions() == []


def test_what_was_more_than_three_seconds_ago_is_forgotten(wall):
    assert ticked(wall, [0.5] * 100 + [0.05] * 21).conditions() != []
    assert ticked(wall, [0.5] * 100 + [0.05] * 61).conditions() == []


@pytest.mark.parametrize(
    ('pause', 'level'), [(0.2, None), (0.25, None), (0.3, Level.WARN), (1.0, Level.ERROR)]
)
def test_pauses_between_timely_ticks_count_as_missed_ticks(wall, pause, level):
    """As on a machine that many processes share: eight periods out of nine are right."""
    found = ticked(wall, ([0.05] * 8 + [pause]) * 20).conditions()
    assert [condition.level for condition in found] == ([level] if level else [])


def test_missed_ticks_are_reported_as_a_share(wall):
    (condition,) = ticked(wall, ([0.05] * 8 + [0.5]) * 20).conditions()
    assert condition.reason == (
        'control period 0.05 s: 51 % of the ticks missed: the machine is too slow'
    )


@pytest.mark.parametrize('after', [1, 10, 59, 200])
def test_a_pause_of_a_second_is_tolerated_whenever_it_comes(wall, after):
    watch = ticked(wall, [0.05] * 100 + [1.0])
    for _ in range(after):
        wall.now += 0.05
        watch.tick()
    assert watch.conditions() == []


def test_a_timer_that_stands_still_is_told(wall):
    watch = PeriodWatch('control period', 5.0)
    watch.tick()
    assert watch.conditions() == []
    wall.now += 16.0
    assert [condition.level for condition in watch.conditions()] == [Level.ERROR]


def test_before_the_first_tick_there_is_no_reason(wall):
    assert PeriodWatch('control period', 0.05).conditions() == []
