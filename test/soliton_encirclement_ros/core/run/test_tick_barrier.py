"""The gate that waits for everybody."""

import itertools

import pytest

from soliton_encirclement_ros.core.run.world import TickBarrier

NAMES = ('a', 'b', 'c')


def opened(tick: int = 1) -> TickBarrier:
    """Return a gate that waits for three at a tick."""
    gate = TickBarrier(NAMES)
    gate.open(tick)
    return gate


@pytest.mark.parametrize('order', list(itertools.permutations(NAMES)))
def test_complete_when_everybody_has_arrived(order: tuple[str, ...]) -> None:
    """Complete with the last one, in any order."""
    gate = opened()
    for name in order:
        assert not gate.complete
        assert name in gate.missing()
        assert gate.arrive(name, 1)
    assert gate.complete and gate.missing() == []


@pytest.mark.parametrize(('name', 'tick'), [('a', 1), ('z', 1), ('b', 0), ('b', 2)])
def test_what_does_not_count(name: str, tick: int) -> None:
    """A second contribution, a stranger, and the wrong tick in either direction."""
    gate = opened()
    gate.arrive('a', 1)
    assert not gate.arrive(name, tick)
    assert gate.missing() == ['b', 'c']


def test_the_given_up_are_not_waited_for_again() -> None:
    """Whoever stays away holds nobody up at the next tick."""
    gate = opened()
    gate.arrive('a', 1)
    assert gate.give_up() == ['b', 'c']
    assert gate.complete
    gate.open(2)
    assert gate.missing() == ['a']
    gate.arrive('a', 2)
    assert gate.complete and gate.give_up() == []


def test_a_returning_one_counts_at_once() -> None:
    """Back with the right tick it counts."""
    gate = opened()
    gate.give_up()
    gate.open(2)
    assert gate.arrive('b', 2)
    gate.open(3)
    assert gate.missing() == ['b']


def test_a_late_answer_is_void_but_shows_life() -> None:
    """An answer to an old tick never counts, and its sender is waited for again."""
    gate = opened()
    gate.give_up()
    gate.open(2)
    assert not gate.arrive('c', 1)
    assert gate.missing() == ['c'] and not gate.complete


def test_nobody_expected_is_complete() -> None:
    """An empty gate is open."""
    gate = TickBarrier(())
    gate.open(1)
    assert gate.complete


def test_deserted_when_everybody_was_given_up() -> None:
    """One that comes back, even late, ends it."""
    gate = opened()
    assert not gate.deserted
    gate.give_up()
    assert gate.deserted
    gate.arrive('b', 0)
    assert not gate.deserted
