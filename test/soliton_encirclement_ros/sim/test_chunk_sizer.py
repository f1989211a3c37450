"""Turns of about the same wall time, whatever a tick costs."""

import pytest
from soliton_encirclement_ros.sim import chunk_sizer
from soliton_encirclement_ros.sim.chunk_sizer import TURN, ChunkSizer


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that advances by hand."""
    now = [100.0]
    monkeypatch.setattr(chunk_sizer.time, 'monotonic', lambda: now[0])
    return now


def turns(clock, tick, count):
    """Return how many ticks each of some turns had when a tick takes so long [s]."""
    learned, found = ChunkSizer(), []

    def advance(ticks):
        found.append(ticks)
        clock[0] += ticks * tick(sum(found))

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
