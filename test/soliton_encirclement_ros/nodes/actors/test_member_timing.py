"""Late messages stretch the timeouts; members of one process tell telemetry at different ticks."""

import tracemalloc
from itertools import pairwise

import pytest

from soliton_encirclement_ros.core import AgentState, TargetState
from soliton_encirclement_ros.nodes.actors.identity_watch import SequenceWatch
from soliton_encirclement_ros.nodes.actors.state_source import LONGEST, LateSenders
from soliton_encirclement_ros.nodes.actors.telemetry_output import TelemetryTicks

ORIGIN = (0.0, 0.0, 0.0)
PERIOD = 0.05


def heard(*arrivals: tuple[float, int]) -> LateSenders:
    """Return a watch after messages of one agent: when they came [s], and their numbers."""
    senders = LateSenders()
    for now, seq in arrivals:
        senders.receive(now, [AgentState(2, seq, ORIGIN, ORIGIN), TargetState(1, ORIGIN, ORIGIN)])
    return senders


def test_messages_in_time_have_the_gap_of_a_period():
    senders = heard(*((PERIOD * k, k) for k in range(1, 50)))
    assert senders.longest_gap == pytest.approx(PERIOD, rel=0.1)


def test_a_late_message_counts_and_is_forgotten():
    senders = heard((1.0, 1), (1.05, 2), (1.65, 3))
    assert senders.longest_gap == pytest.approx(0.6)
    for k in range(1, 200):
        senders.receive(1.65 + PERIOD * k, [AgentState(2, 3 + k, ORIGIN, ORIGIN)])
    assert senders.longest_gap == pytest.approx(PERIOD, rel=0.1)


def test_a_lost_message_is_none_that_was_late():
    assert heard((1.0, 1), (1.05, 2), (1.65, 14)).longest_gap < 0.06


def test_a_failure_is_no_late_message():
    assert heard((1.0, 1), (1.05, 2), (1.1 + LONGEST, 3)).longest_gap < 0.06


def test_several_messages_at_once_are_one_gap():
    senders = heard((1.0, 1))
    states = [AgentState(2, seq, ORIGIN, ORIGIN) for seq in (2, 3, 4)]
    senders.receive(1.4, states)
    assert senders.longest_gap == pytest.approx(0.4)
    senders.receive(1.45, [AgentState(2, 5, ORIGIN, ORIGIN)])
    assert senders.longest_gap == pytest.approx(0.4, rel=0.02)


def test_each_sender_has_its_own_gap():
    senders = LateSenders()
    for k in range(1, 20):
        now = PERIOD * k
        states = [AgentState(2, k, ORIGIN, ORIGIN)]
        if k % 6 == 0:
            states.append(AgentState(3, k // 6, ORIGIN, ORIGIN))
        senders.receive(now, states)
    assert senders.longest_gap == pytest.approx(0.3, rel=0.2)


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
        found = [due(member, 500, period_ns, first) for member in members]
        counts = per_tick(found, first + 60, first + 500)
        assert least <= min(counts) <= max(counts) <= most


@pytest.mark.parametrize('kind', [SequenceWatch, LateSenders])
def test_a_stranger_with_ever_new_numbers_does_not_fill_the_memory(kind: type) -> None:
    watch = kind()
    see = watch.see if kind is SequenceWatch else lambda state: watch.receive(1.0, [state])
    tracemalloc.start()
    for number in range(50_000):
        for seq in (2, 1):
            see(AgentState(number, seq, ORIGIN, ORIGIN))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 4_000_000
