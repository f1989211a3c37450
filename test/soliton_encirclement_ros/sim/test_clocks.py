"""What goes by the clock, with one that is advanced by hand.

Turns of about the same wall time, flights that keep up with the clock, and a summary that is
replaced now and then and never ends a flight.
"""

import time

import pytest

from soliton_encirclement_ros.sim.chunk import MOST_BEHIND, TURN, ChunkSizer, RealTimePace
from soliton_encirclement_ros.sim.simulation import FaultTolerantSummary
from support.recorded.run_folder import read_json

PERIOD = 0.1


class Clock:
    """A clock that advances by what is waited for and by what work costs."""

    def __init__(self, monkeypatch):
        """Replace the steady clock."""
        self.now = 100.0
        monkeypatch.setattr(time, 'monotonic', lambda: self.now)

    def wait(self, seconds):
        """Wait; nobody waits for a negative time."""
        assert seconds >= 0.0
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def turns(clock, tick, count):
    """Return how many ticks each of some turns had when a tick takes so long [s]."""
    learned, found = ChunkSizer(), []

    def advance(ticks):
        found.append(ticks)
        clock.now += ticks * tick(sum(found))

    for _ in range(count):
        learned.turn(advance)
    return found


@pytest.mark.parametrize('cost', [1e-5, 1e-3, 0.02])
def test_turns_grow_to_the_time_they_may_take(clock, cost):
    found = turns(clock, lambda flown: cost, 40)
    assert found[:2] == [1, min(8, round(TURN / cost))]
    assert found[-1] * cost == pytest.approx(TURN, rel=0.2)
    assert max(found) * cost <= TURN * 1.01


def test_turns_shrink_when_ticks_become_slow(clock):
    found = turns(clock, lambda flown: 1e-4 if flown < 5000 else 1e-2, 40)
    assert max(found) > 900
    assert found[-1] == pytest.approx(10, abs=1)


def test_a_tick_that_takes_longer_than_a_turn_is_a_turn(clock):
    assert turns(clock, lambda flown: 3.0, 4) == [1, 1, 1, 1]


def test_turns_that_take_no_time_grow_step_by_step(clock):
    assert turns(clock, lambda flown: 0.0, 5) == [1, 8, 64, 512, 4096]


def begins(clock, costs):
    """Return when ticks that cost these times [s] began, and the pace."""
    pace, found = RealTimePace(PERIOD, clock.wait), []
    for cost in costs:

        def advance(ticks, cost=cost):
            assert ticks == 1
            found.append(clock.now - 100.0)
            clock.now += cost

        pace.turn(advance)
    return found, pace


def test_ticks_begin_when_they_are_due(clock):
    found, pace = begins(clock, [0.03] * 5)
    assert found == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert pace.delay == 0.0


def test_a_slow_tick_is_made_up_for(clock):
    found, pace = begins(clock, [0.01, 0.25, 0.01, 0.01, 0.01, 0.01])
    assert found == pytest.approx([0.0, 0.1, 0.35, 0.36, 0.4, 0.5])
    assert pace.delay == 0.0


def test_a_flight_that_is_far_behind_takes_longer_instead_of_hurrying(clock):
    found, pace = begins(clock, [0.01, 2.0, 0.01, 0.01])
    assert found == pytest.approx([0.0, 0.1, 2.1, 2.2])
    assert pace.delay == pytest.approx(1.9)


def test_a_machine_that_is_always_too_slow_loses_time_again_and_again(clock):
    found, pace = begins(clock, [0.2] * 21)
    assert found[-1] == pytest.approx(20 * 0.2)
    assert pace.delay == pytest.approx(found[-1] - 20 * PERIOD, abs=MOST_BEHIND)


def test_a_wait_that_is_too_long_counts_as_late(clock):
    pace, found = RealTimePace(PERIOD, lambda seconds: clock.wait(seconds + 0.02)), []
    for _ in range(4):
        pace.turn(lambda ticks: found.append(clock.now - 100.0))
    assert found == pytest.approx([0.02, 0.12, 0.22, 0.32])


def counted(folder, clock, cost=0.0):
    """Return a lasting summary that counts how often it was made, each time at a cost [s]."""
    made = []

    def make():
        made.append(1)
        clock.now += cost
        return {'n': len(made)}

    return FaultTolerantSummary(folder, make), made


def test_it_is_there_at_once_and_replaced_every_two_seconds(tmp_path, clock):
    summary, made = counted(tmp_path, clock)
    seen = []
    for _ in range(50):
        summary.write_if_due()
        seen.append(read_json(tmp_path / 'summary.json')['n'])
        clock.now += 0.1
    assert (seen[0], seen[-1], len(made)) == (1, 3, 3)


def test_one_that_takes_long_comes_seldom(tmp_path, clock):
    summary, made = counted(tmp_path, clock, cost=1.0)
    began = clock.now
    while clock.now < began + 200.0:
        summary.write_if_due()
        clock.now += 0.1
    assert 9 <= len(made) <= 11


def test_what_cannot_be_written_is_one_line_until_it_can(tmp_path, clock):
    folder = tmp_path / 'run'
    summary, _ = counted(folder, clock)
    summary.write_if_due()
    assert summary.error == (
        f'{folder}: cannot write: No such file or directory; there is no summary'
    )
    folder.mkdir()
    summary.write({'n': 9})
    assert summary.error == ''
    assert read_json(folder / 'summary.json') == {'n': 9}
