"""The histogram of the periods between ticks."""

import pytest

from velocity_mobility_ros.ros_io.node_time import TickStatistics


def ticked(*times: float) -> TickStatistics:
    """Return statistics after ticks at these times."""
    statistics = TickStatistics()
    for time in times:
        statistics.tick(time)
    return statistics


@pytest.mark.parametrize('times', [(), (1.0,)])
def test_without_a_period_everything_is_zero(times: tuple[float, ...]) -> None:
    """One tick makes no period."""
    statistics = ticked(*times)
    assert (statistics.periods, statistics.longest, statistics.percentile(0.99)) == (0, 0.0, 0.0)


def test_percentiles_are_whole_milliseconds_above() -> None:
    """Ninety-nine periods of 20.5 ms and one of 100.5 ms."""
    times = [0.0205 * k for k in range(100)]
    statistics = ticked(*times, times[-1] + 0.1005)
    assert statistics.periods == 100
    assert statistics.longest == pytest.approx(0.1005)
    assert statistics.percentile(0.5) == pytest.approx(0.021)
    assert statistics.percentile(0.99) == pytest.approx(0.021)
    assert statistics.percentile(1.0) == pytest.approx(0.101)


def test_time_running_back_is_no_period_below_zero() -> None:
    """A clock that jumps back counts as no time."""
    assert ticked(5.0, 4.0).longest == 0.0


def test_periods_beyond_the_last_bin() -> None:
    """Half of the periods last five seconds: 99 % do not stay below one."""
    assert ticked(0.0, 5.0, 5.1).percentile(0.99) >= 5.0
