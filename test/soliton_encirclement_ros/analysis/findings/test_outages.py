"""When agents were down."""

from soliton_encirclement_ros.analysis.findings.outages import outages_of, time_down
from soliton_encirclement_ros.core.run.figures.gap_recovery import RingEvent

EVENTS = [
    RingEvent(1.0, 3, True), RingEvent(2.0, 1, True), RingEvent(4.0, 3, False),
    RingEvent(7.0, 3, True),
]  # fmt: skip


def test_an_outage_lasts_from_going_down_to_coming_up():
    assert outages_of(3, EVENTS) == ((1.0, 4.0), (7.0, None))
    assert outages_of(2, EVENTS) == ()


def test_one_that_never_comes_up_is_down_to_the_end():
    assert time_down(outages_of(3, EVENTS), 9.5) == 5.5
    assert time_down((), 9.5) == 0.0
