"""Members of one process publish their telemetry at different ticks, each at its own rate."""

from itertools import pairwise

import pytest
from soliton_encirclement_ros.nodes.actors.telemetry_ticks import TelemetryTicks

TICK_NS, PERIOD_NS = 20_000_000, 50_000_000
START_NS = 10**18


def due(
    ticks: TelemetryTicks, count: int, period_ns: int = PERIOD_NS, first: int = 0
) -> list[int]:
    """Return at which of some ticks telemetry is due."""
    numbers = range(first, first + count)
    return [k for k in numbers if ticks.is_due(START_NS + k * TICK_NS, period_ns)]


def per_tick(found: list[list[int]], first: int, last: int) -> list[int]:
    """Return how many members publish at each tick."""
    return [sum(k in one for one in found) for k in range(first, last)]


@pytest.mark.parametrize('number', [0, 1, 2, 7, 1000])
def test_each_has_its_own_rate(number):
    found = due(TelemetryTicks(TICK_NS, number), 1000)
    assert len(found) == pytest.approx(1000 * TICK_NS / PERIOD_NS, abs=1)
    gaps = {after - before for before, after in pairwise(found[1:])}
    assert gaps == {2, 3}


def test_all_together_have_no_tick_much_longer_than_others():
    found = [due(TelemetryTicks(TICK_NS, number), 200) for number in range(1, 51)]
    counts = per_tick(found, 5, 200)
    assert 15 <= min(counts) <= max(counts) <= 25


def test_so_it_is_after_another_period():
    """As on a machine that is too slow, where there is less of it, and back."""
    members = [TelemetryTicks(TICK_NS, number) for number in range(1, 51)]
    for first, period_ns, least, most in ((0, PERIOD_NS, 15, 25), (500, 10 * PERIOD_NS, 0, 5)):
        found = [due(one, 500, period_ns, first) for one in members]
        counts = per_tick(found, first + 60, first + 500)
        assert least <= min(counts) <= max(counts) <= most
