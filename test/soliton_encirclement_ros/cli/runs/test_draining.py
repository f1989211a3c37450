"""The end of draining: nothing more arrives, the user has had enough, or time is up."""

from types import SimpleNamespace

import pytest

from soliton_encirclement_ros.cli.runs import runner
from soliton_encirclement_ros.cli.runs.runner import IDLE_TURNS, drain

pytestmark = pytest.mark.ros


class Arrivals:
    """An executor whose turns bring one observer further, or not."""

    def __init__(self, steps: list[int]) -> None:
        """Let the n-th turn bring so many messages, all further ones none."""
        self.steps = steps
        self.turns = 0
        self.observer = SimpleNamespace(progress=0)

    def spin_once(self, timeout_sec: float) -> None:
        """Receive what is due."""
        if self.turns < len(self.steps):
            self.observer.progress += self.steps[self.turns]
        self.turns += 1

    def drain(self, missing: list[str], stop: bool = False) -> list[str]:
        """Drain with something that never arrives, or nothing."""
        return drain(self, [self.observer], lambda: missing, lambda: stop)


def test_it_ends_when_nothing_more_arrives():
    """So many idle turns after the last message."""
    arrivals = Arrivals([1, 0, 0, 2])
    assert arrivals.drain([]) == []
    assert arrivals.turns == 4 + IDLE_TURNS
    assert arrivals.observer.progress == 3


def test_who_has_had_enough_does_not_wait_for_what_is_missing():
    """The idle turns are waited for, what is missing is not."""
    arrivals = Arrivals([])
    assert arrivals.drain(['2 ticks'], stop=True) == []
    assert arrivals.turns == IDLE_TURNS + 1


@pytest.mark.parametrize('limit', ['DRAIN_LIMIT', 'MAX_DRAIN'])
def test_what_never_arrives_is_given_up_and_named(monkeypatch, limit):
    """After a while without messages, and after a longer one in any case."""
    monkeypatch.setattr(runner, limit, 0.0)
    arrivals = Arrivals([])
    assert arrivals.drain(['2 ticks']) == ['2 ticks']
    assert arrivals.turns <= IDLE_TURNS + 1
