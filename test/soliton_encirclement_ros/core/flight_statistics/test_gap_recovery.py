"""How long a ring takes to close after an event, how wide it was, and means between events."""

import math

import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.flight_statistics.gap_recovery import (
    CLOSED_E_GAP, STEADY, STEADY_SHARE, RingEvent, closing_summary, closings, steady_samples,
    steady_summary
)
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES

NAN = math.nan
PERIOD, TIMEOUT = 0.5, 1.0
FAILURE, RECOVERY = RingEvent(2.0, 3, True), RingEvent(6.0, 3, False)


def series(e_gap, g_max=None):
    """Return a series with a sample every half second, the first at half a second."""
    times = [(k + 1) * PERIOD for k in range(len(e_gap))]
    g_max = g_max or [1.0] * len(e_gap)
    return {'time': times, 'E_gap': e_gap, 'G_max': g_max}


def opened(until: float, count: int = 30):
    """Return a ring that is open from the failure on until a time."""
    return [0.5 if 2.0 < (k + 1) * PERIOD < until else 0.01 for k in range(count)]


def test_the_peak_is_the_one_until_the_ring_was_closed():
    g_max = [9.0] * 4 + [1.5, 2.5, 2.0] + [7.0] * 20
    (found,) = closings([FAILURE], series(opened(4.0, 27), g_max), TIMEOUT)
    assert found.peak_g_max == 7.0
    g_max = [9.0] * 4 + [1.5, 2.5, 2.0, 1.0] + [7.0] * 19
    (found,) = closings([FAILURE], series(opened(4.0, 27), g_max), TIMEOUT)
    assert found.peak_g_max == 2.5


def test_nobody_left_is_no_closed_ring():
    (found,) = closings([FAILURE], series([NAN] * 20, [NAN] * 20), TIMEOUT)
    assert (found.time_to_close, found.peak_g_max) == (None, None)


@pytest.mark.parametrize('hole', [range(4, 7), range(6, 9)])
def test_samples_without_anybody_have_no_part_in_the_peak(hole):
    g_max = [NAN if k in hole else 2.0 for k in range(30)]
    (found,) = closings([FAILURE], series(opened(99.0), g_max), TIMEOUT)
    assert found.peak_g_max == 2.0


@pytest.mark.parametrize('samples', [0, 4])
def test_an_event_without_any_later_sample_has_neither(samples):
    (found,) = closings([FAILURE], series([0.01] * samples), TIMEOUT)
    assert (found.time_to_close, found.peak_g_max) == (None, None)


@given(
    st.lists(st.tuples(st.integers(1, 40), st.integers(1, 4), st.booleans()), max_size=12),
    st.lists(st.sampled_from([0.0, 0.04, CLOSED_E_GAP, 0.6]), min_size=40, max_size=40),
)
def test_against_the_definition(raw, e_gap):
    """Walk the samples of every event one by one."""
    events = sorted(RingEvent(k * PERIOD, agent, failed) for k, agent, failed in raw)
    values = series(e_gap)
    for event, closing in zip(events, closings(events, values, TIMEOUT), strict=True):
        end = min((e.time for e in events if e.time > event.time), default=1e9)
        expected = None
        for time, gap in zip(values['time'], e_gap, strict=True):
            noticed = time >= event.time + TIMEOUT if event.failed else time > event.time
            if noticed and time < end and gap < CLOSED_E_GAP:
                expected = time - event.time
                break
        assert closing.event == event
        assert closing.time_to_close == expected


def test_the_summary_keeps_failures_and_recoveries_apart():
    events = [FAILURE, RECOVERY, RingEvent(9.0, 1, True), RingEvent(12.0, 2, True)]
    summary = closing_summary(closings(events, series(opened(4.0)), TIMEOUT))
    assert summary == {
        'time_to_close_after_failure_s': TIMEOUT,
        'peak_G_max_after_failure': 1.0,
        'closed_after_failure': 3,
        'unclosed_after_failure': 0,
        'time_to_close_after_recovery_s': PERIOD,
        'peak_G_max_after_recovery': 1.0,
        'closed_after_recovery': 1,
        'unclosed_after_recovery': 0,
    }


def test_without_events_there_are_no_medians():
    summary = closing_summary([])
    assert summary['time_to_close_after_failure_s'] is None
    assert summary['peak_G_max_after_recovery'] is None
    assert summary['unclosed_after_failure'] == summary['closed_after_recovery'] == 0


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
    samples = steady_samples(TIMES, events, transient)
    assert [TIMES[i] for i in samples] == expected


def metrics_of(**columns: list[float]) -> dict[str, list[float]]:
    """Return a series of ten samples, 0 where nothing else is given."""
    return {'time': TIMES, **{name: [0.0] * 10 for name in METRIC_NAMES}, **columns}


def test_the_summary_has_means_and_the_share_of_the_time():
    """Half of the samples are steady; one that nobody took part in has no metric."""
    values = metrics_of(E_r=[9.0] * 5 + [1.0, 2.0, math.nan, 3.0, 4.0])
    found = steady_summary(values, [RingEvent(4.0, 1, True)], 2.0)
    assert found[STEADY_SHARE] == 0.6
    assert found[STEADY]['E_r'] == pytest.approx((9.0 + 1.0 + 2.0 + 3.0 + 4.0) / 5.0)
    assert list(found[STEADY]) == [*METRIC_NAMES]
