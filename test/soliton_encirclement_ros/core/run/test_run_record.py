"""The account of a flight adds up."""

from soliton_encirclement_ros.core.run.gap_recovery import RingEvent
from soliton_encirclement_ros.core.run.run_record import RunRecord


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
