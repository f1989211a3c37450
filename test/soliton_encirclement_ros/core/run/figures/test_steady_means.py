"""Means of the metrics while nothing has happened to the ring for a while."""

import math

import pytest
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.figures.gap_recovery import RingEvent
from soliton_encirclement_ros.core.run.figures.steady_means import (
    STEADY,
    STEADY_SHARE,
    steady_samples,
    steady_summary,
)

TIMES = [float(k) for k in range(1, 11)]
"""From 1 to 10 s."""


@pytest.mark.parametrize(
    ('events', 'transient', 'expected'),
    [
        ([], 2.0, TIMES[2:]),
        ([], 10.0, []),
        ([5.0], 0.0, TIMES),
        ([5.0], 2.0, [3.0, 4.0, 7.0, 8.0, 9.0, 10.0]),
        ([5.0, 6.0, 6.0], 2.0, [3.0, 4.0, 8.0, 9.0, 10.0]),
        ([0.5, 9.5], 3.0, [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
    ],
)
def test_samples_soon_after_the_start_and_after_an_event_are_left_out(events, transient, expected):
    """A sample at the time of an event comes after it."""
    found = steady_samples(TIMES, events, transient)
    assert [TIMES[i] for i in found] == expected


def series(**columns: list[float]) -> dict[str, list[float]]:
    """Return a series of ten samples, 0 where nothing else is given."""
    return {'time': TIMES, **{name: [0.0] * 10 for name in METRIC_NAMES}, **columns}


def test_the_summary_has_means_and_the_share_of_the_time():
    """Half of the samples are steady; one that nobody took part in has no metric."""
    values = series(E_r=[9.0] * 5 + [1.0, 2.0, math.nan, 3.0, 4.0])
    found = steady_summary(values, [RingEvent(4.0, 1, True)], 2.0)
    assert found[STEADY_SHARE] == 0.6
    assert found[STEADY]['E_r'] == pytest.approx((9.0 + 1.0 + 2.0 + 3.0 + 4.0) / 5.0)
    assert list(found[STEADY]) == [*METRIC_NAMES]
