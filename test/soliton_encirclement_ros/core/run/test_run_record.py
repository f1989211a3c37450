"""The account of a flight adds up."""

from soliton_encirclement_ros.core.run.figures.gap_recovery import RingEvent
from soliton_encirclement_ros.core.run.run_record import NEVER_TWO, RunRecord


def test_nothing_has_happened_yet() -> None:
    """No events, and no rate without any time."""
    account = RunRecord()
    assert (account.failures, account.recoveries, account.switches_per_min) == (0, 0, None)


def test_events_and_switches_are_counted() -> None:
    """Two failures, one recovery; three switches in half a minute."""
    account = RunRecord()
    account.events = [RingEvent(1.0, 1, True), RingEvent(2.0, 2, True), RingEvent(3.0, 1, False)]
    account.switches, account.uptime = 3, 30.0
    assert (account.failures, account.recoveries, account.switches_per_min) == (2, 1, 6.0)


def test_near_misses_are_per_minute_of_what_was_seen() -> None:
    """No rate without any time, nor where they were not counted."""
    account = RunRecord()
    account.encounters = (6, 3, 0)
    assert account.near_misses_per_min == (None, None, None)
    account.series['time'].extend([10.0, 100.0])
    assert account.near_misses_per_min == (4.0, 2.0, 0.0)
    account.encounters = None
    assert account.near_misses_per_min == (None, None, None)
    assert (account.closest, account.min_separation) == (NEVER_TWO, float('inf'))
