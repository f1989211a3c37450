"""Clocks that jump or do not come, periods that are too long, and what is left out then."""

from types import SimpleNamespace

import pytest
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock

from velocity_mobility_ros.ros_io import node_time
from velocity_mobility_ros.ros_io.conditions import Level
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.node_time import LoadWatch, NodeTime, PeriodWatch, ns_to_time

pytestmark = pytest.mark.ros

def told(node_time):
    return [condition[:2] for condition in node_time.conditions()]


def test_simulated_time_that_never_came_is_stale_and_jumps_of_it_are_told_once(ros):
    node = TunableNode('sim', parameter_overrides=[Parameter('use_sim_time', value=True)])
    time, clock = ros.add(node).node_time, ros.voice(Clock, '/clock')
    never = (Level.STALE, 'no message received on /clock yet (use_sim_time = true)')
    back, on = ((Level.WARN, f'simulated time jumped by {by} s') for by in ('-3.0', '+9.0'))
    assert told(time) == [never]
    for seconds, expected in ((5, []), (5, []), (2, [back]), (2, []), (2.9, []), (11.9, [on])):
        clock.publish(Clock(clock=ns_to_time(round(seconds * 1e9))))
        ros.until(lambda s=seconds: time.now_ns() == round(s * 1e9), 'the time')
        assert told(time) == expected
    assert told(time) == []


def test_two_that_publish_simulated_time_are_named_when_it_jumps(ros):
    node = TunableNode('sim', parameter_overrides=[Parameter('use_sim_time', value=True)])
    time = ros.add(node).node_time
    for seconds, voice in ((5, ros.voice(Clock, '/clock')), (3, ros.voice(Clock, '/clock'))):
        voice.publish(Clock(clock=ns_to_time(seconds * 10**9)))
        ros.until(lambda s=seconds: time.now_ns() == s * 10**9, 'the time')
    (_, jumped), (level, why) = told(time)
    assert jumped == 'simulated time jumped by -2.0 s' and level == Level.ERROR
    assert why.startswith('2 publishers on /clock: ')


class Wall:
    """A clock on the wall that is set by hand."""

    now, why_late = 100.0, 'the machine is too slow'

    def steady(self) -> float:
        """Return the time [s]."""
        return self.now


@pytest.fixture
def wall():
    """Return the clock that period watches see."""
    return Wall()


def ticked(wall: Wall, periods: list[float]) -> PeriodWatch:
    """Return a watch of a period of 0.05 s after ticks with some periods [s] between."""
    watch = PeriodWatch('control period', 0.05, wall)
    watch.tick()
    for period in periods:
        wall.now += period
        watch.tick()
    return watch


@pytest.mark.parametrize(
    ('period', 'level'),
    [(0.05, None), (0.074, None), (0.076, Level.WARN), (0.149, Level.WARN), (0.151, Level.ERROR)],
)
def test_the_median_counts(wall, period, level):
    found = ticked(wall, [period] * 20).conditions()
    assert [condition.level for condition in found] == ([level] if level else [])
    words = f'control period {period:.2g} s instead of 0.05 s'
    assert all(one.reason.startswith(words) for one in found)


def test_one_late_tick_is_no_reason(wall):
    assert ticked(wall, [0.05] * 10 + [1.0] + [0.05] * 9).conditions() == []


def test_what_was_more_than_three_seconds_ago_is_forgotten(wall):
    assert ticked(wall, [0.5] * 100 + [0.05] * 21).conditions() != []
    assert ticked(wall, [0.5] * 100 + [0.05] * 61).conditions() == []


@pytest.mark.parametrize(
    ('pause', 'level'), [(0.2, None), (0.25, None), (0.3, Level.WARN), (1.0, Level.ERROR)]
)
def test_pauses_between_timely_ticks_count_as_missed_ticks(wall, pause, level):
    """As on a machine that many processes share: eight periods out of nine are right."""
    found = ticked(wall, ([0.05] * 8 + [pause]) * 20).conditions()
    assert [condition.level for condition in found] == ([level] if level else [])


def test_missed_ticks_are_reported_as_a_share(wall):
    (condition,) = ticked(wall, ([0.05] * 8 + [0.5]) * 20).conditions()
    assert condition.reason == (
        'control period 0.05 s: 51 % of the ticks missed: the machine is too slow'
    )


@pytest.mark.parametrize('after', [0, 1, 59, 200])
@pytest.mark.parametrize('pause', [3.5, 60.0])
def test_a_node_that_was_suspended_has_missed_nothing(wall, pause, after):
    """Its time says that it stood still; the machine is not too slow."""
    watch = LoadWatch('control period', 0.05, wall)
    for period in [0.05] * 100 + [pause] + [0.05] * after:
        wall.now += period
        watch.tick()
    assert (watch.conditions(), watch.is_shedding) == ([], False)
    assert watch.missed() == pytest.approx(0.0, abs=1e-9)
    assert watch.longest == pytest.approx(0.05, rel=0.1) or after == 0


@pytest.mark.parametrize('after', [1, 59, 200])
def test_a_pause_of_a_second_is_tolerated_whenever_it_comes(wall, after):
    watch = ticked(wall, [0.05] * 100 + [1.0])
    for _ in range(after):
        wall.now += 0.05
        watch.tick()
    assert watch.conditions() == []


def test_a_timer_that_stands_still_is_told(wall):
    watch = PeriodWatch('control period', 5.0, wall)
    watch.tick()
    assert watch.conditions() == []
    wall.now += 16.0
    assert [condition.level for condition in watch.conditions()] == [Level.ERROR]


def test_before_the_first_tick_there_is_no_reason(wall):
    assert PeriodWatch('control period', 0.05, wall).conditions() == []


WANTED = 0.05


class Driven:
    """A load watch whose ticks come when the test wants."""

    def __init__(self, wall: Wall) -> None:
        """Begin now."""
        self.wall, self.watch = wall, LoadWatch('control period', WANTED, wall)

    def run(self, seconds: float, period: float = WANTED) -> 'Driven':
        """Tick for a time with a period [s]."""
        end = self.wall.now + seconds
        while self.wall.now < end:
            self.wall.now += period
            self.watch.tick()
        return self


@pytest.fixture
def driven(wall):
    """Return a watch of a period of 0.05 s."""
    return Driven(wall)


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
    driven.run(0.4, 0.4)
    assert watch.longest == pytest.approx(0.4)
    driven.run(3.0)
    assert 0.1 < watch.longest < 0.2
    driven.run(6.0)
    assert watch.longest == pytest.approx(WANTED)


class Computer:
    """A node on a computer whose two clocks the test sets [ns]."""

    def __init__(self, monkeypatch) -> None:
        self.steady_ns, self.set_ns, self.pauses = 0, 10**18, iter(())
        monkeypatch.setattr(node_time.time, 'monotonic_ns', lambda: self.steady_ns)
        self.steps, self.said = [], []
        self.time = NodeTime(self)
        self.time.on_step(self.steps.append)

    def get_parameter(self, _):
        return SimpleNamespace(value=False)

    def get_clock(self):
        return self

    def get_logger(self):
        return SimpleNamespace(warning=self.said.append)

    def now(self):
        found = SimpleNamespace(nanoseconds=self.set_ns + self.steady_ns)
        self.steady_ns += next(self.pauses, 0)
        return found

    def look(self, after_ns: int = 10_000_000, set_on_ns: int = 0) -> list[tuple[Level, str]]:
        """Let time pass and set the clock; return what is said of it."""
        self.steady_ns += after_ns
        self.set_ns += set_on_ns
        return told(self.time)


def test_a_pause_between_two_clocks_is_no_step(monkeypatch):
    """On a busy machine others may run between the two readings."""
    computer = Computer(monkeypatch)
    computer.pauses = iter([0, 80_000_000, 0, 0, 0])
    assert [computer.look() for _ in range(3)] == [[]] * 3
    assert computer.look(set_on_ns=60_000_000) == [(Level.WARN, 'the clock jumped by +0.1 s')]
    assert computer.steps == [60_000_000]


@pytest.mark.parametrize(('jump', 'reason'), [
    (60.0, 'the clock jumped by +60.0 s'), (-3.0, 'the clock jumped by -3.0 s'), (0.1, None),
])  # fmt: skip
def test_a_jump_of_the_systems_clock_is_told_once(monkeypatch, jump, reason):
    """What is less, after a second, may be the correction of a clock."""
    computer = Computer(monkeypatch)
    assert computer.look() == []
    expected = [(Level.WARN, reason)] if reason else []
    assert computer.look(10**9, round(jump * 1e9)) == expected
    assert computer.look() == [] and computer.said == [one for _, one in expected]
