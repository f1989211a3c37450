"""When a node leaves out what is optional, and how long its longest period counts."""

import pytest
from velocity_mobility_ros.ros_io import period_watch
from velocity_mobility_ros.ros_io.load_watch import LoadWatch

WANTED = 0.05


class Driven:
    """A load watch whose ticks come when the test wants."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Begin at some time."""
        self.now = 50.0
        monkeypatch.setattr(period_watch, 'time', self)
        self.watch = LoadWatch('control period', WANTED)

    def monotonic(self) -> float:
        """Return the time [s]."""
        return self.now

    def run(self, seconds: float, period: float = WANTED) -> 'Driven':
        """Tick for a time with a period [s]."""
        end = self.now + seconds
        while self.now < end:
            self.now += period
            self.watch.tick()
        return self


@pytest.fixture
def driven(monkeypatch):
    """Return a watch of a period of 0.05 s."""
    return Driven(monkeypatch)


def test_a_node_in_time_leaves_nothing_out(driven):
    watch = driven.run(20.0).watch
    assert not watch.is_shedding and watch.conditions() == []
    assert watch.longest == pytest.approx(WANTED)


def test_a_late_node_sheds_and_returns_to_normal(driven):
    watch = driven.run(5.0).watch
    driven.run(5.0, 0.06)
    assert watch.is_shedding
    reasons = [condition.reason for condition in watch.conditions()]
    assert 'optional output is reduced, telemetry above all: the machine is too slow' in reasons
    driven.run(2.0)
    assert watch.is_shedding, 'not before three seconds in time'
    driven.run(5.0)
    assert not watch.is_shedding and watch.conditions() == []


def test_a_slightly_late_node_stays_as_it_is(driven):
    watch = driven.run(20.0, 0.0525).watch
    assert not watch.is_shedding
    driven.run(5.0, 0.06)
    driven.run(20.0, 0.0525)
    assert watch.is_shedding, 'between both limits nothing changes'


def test_a_long_period_counts_for_seconds(driven):
    watch = driven.run(5.0).watch
    driven.now += 0.4
    watch.tick()
    assert watch.longest == pytest.approx(0.4)
    driven.run(3.0)
    assert 0.1 < watch.longest < 0.2
    driven.run(6.0)
    assert watch.longest == pytest.approx(WANTED)
