"""The time of a node: steps of its clock, its period, and how much of that it reaches.

Steady time runs beside the clock, and simulated time may be missing. The actual period of a timer
is compared with the desired one, and a node that does not keep it leaves something out. Stamps of
messages are whole nanoseconds.
"""

import itertools
import math
import statistics
import time
from collections import deque
from collections.abc import Callable

from builtin_interfaces.msg import Time
from rclpy.clock import Clock as RosClock, ClockType
from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from velocity_mobility_ros.core.step_time import DecayingPeak
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.graph_faults import several_publishers

CLOCK = '/clock'

LEAST_STEP_NS = 50_000_000
"""Smallest step [ns] between two looks at the clocks."""

FASTEST_SLEW = 0.1
"""What a clock gains or loses per second beside steps, while it is corrected, at most."""

LEAST_LEAP_NS = 1_000_000_000
"""Smallest step [ns] from one message of ``/clock`` to the next that is none of a simulator."""

FASTEST_SIMULATION = 10
"""Times real time: a step of ``/clock`` on in which so much time may have passed is no jump."""

LEAST_REST_NS = 2_000_000_000
"""For how long ``/clock`` must not have gone on [ns] to stand still."""

LEAST_PAUSE_NS = 3_000_000_000
"""Time [ns] between two looks of a node at its clock after which it must have been stopped."""


class NodeTime:
    """The time of a node, for stamps, and its relation to the steady clock.

    The clock of a computer is set on or back: by NTP, by GPS, by a network that comes late. Then a
    timer of that clock is still for as long as the clock went back, and every age is wrong by it.
    So periodic work has a steady clock, and the owner of a stored time is called at a step, to
    move it along. Simulated time jumps when a simulator is reset or a bag is played again; the
    owners are called then, too.

    Attributes:
        is_simulated: Whether it is simulated time.
        set_on_ns: By how much its clock was set so far, or jumped [ns].
    """

    def __init__(self, node: Node) -> None:
        """Begin with the node's present time."""
        self._node = node
        self.is_simulated = bool(node.get_parameter('use_sim_time').value)
        self._listeners: list[Callable[[int], None]] = []
        self._looked: tuple[int, int] | None = None
        self.set_on_ns = self._reported_ns = 0
        self._went_on_ns = time.monotonic_ns()
        self._pause_ns: int | None = None
        self._is_used = False

    def timer_clock(self) -> RosClock:
        """Return the clock for timers: the steady one, or that of simulated time."""
        if self.is_simulated:
            return self._node.get_clock()
        return RosClock(clock_type=ClockType.STEADY_TIME)

    def on_step(self, move: Callable[[int], None]) -> None:
        """Call ``move`` with the length of every step [ns], before a time after it is returned."""
        self._listeners.append(move)

    def steady_ns(self) -> int:
        """Return a time that nobody sets [ns], for what is on its way; or even simulated time."""
        return self.even_ns() if self.is_simulated else time.monotonic_ns()

    def steady(self) -> float:
        """Return the same [s]."""
        return 1e-9 * self.steady_ns()

    @property
    def why_late(self) -> str:
        """Why timers ring late, in words."""
        slow = 'the machine is too slow'
        return f'/clock comes too rarely, or {slow}' if self.is_simulated else slow

    def now_ns(self) -> int:
        """Return the node's time [ns]; who keeps times has moved them if the clock was set."""
        self._is_used = True
        return self._look()

    def _look(self) -> int:
        steady_ns = time.monotonic_ns()
        now_ns = self._node.get_clock().now().nanoseconds
        while time.monotonic_ns() - steady_ns > LEAST_STEP_NS // 2:  # others ran in between
            steady_ns = time.monotonic_ns()
            now_ns = self._node.get_clock().now().nanoseconds
        before, self._looked = self._looked, (now_ns, steady_ns)
        if before is None:
            return now_ns
        passed_ns = steady_ns - before[1]
        if self._pause_ns is not None:
            self._pause_ns = max(self._pause_ns, passed_ns)
        step_ns = now_ns - before[0] - passed_ns
        if not self.is_simulated and abs(step_ns) >= LEAST_STEP_NS + FASTEST_SLEW * passed_ns:
            self._step(step_ns)
        return now_ns

    def _step(self, step_ns: int) -> None:
        self.set_on_ns += step_ns
        for move in self._listeners:
            move(step_ns)

    def even_ns(self) -> int:
        """Return the node's time as if its clock had never been set [ns], for ages."""
        return self.now_ns() - self.set_on_ns

    def take_clock(self, take: Callable[[Clock], None], message: Clock) -> None:
        """Take a message of ``/clock``, unless its time is negative, which makes rclpy raise."""
        stamp_ns = 10**9 * message.clock.sec + message.clock.nanosec
        if stamp_ns < 0:
            self._node.get_logger().warning('negative times on /clock are ignored', once=True)
            return
        steady_ns, now_ns = time.monotonic_ns(), self._look()
        if stamp_ns != now_ns:
            possible_ns = FASTEST_SIMULATION * (steady_ns - self._went_on_ns)
            self._went_on_ns = steady_ns
            step_ns = stamp_ns - (now_ns or stamp_ns)
            if not 0 <= step_ns < max(LEAST_LEAP_NS, possible_ns):
                self._step(step_ns)
        take(message)

    def conditions(self) -> list[Condition]:
        """Return by how much the time has been set since the last call, and whether it stood."""
        return [*self._of_pause(), *self._of_rest(), *self._of_steps()]

    def _of_steps(self) -> list[Condition]:
        """Return by how much the clock was set, or simulated time jumped."""
        before_ns, self._reported_ns = self._reported_ns, self.set_on_ns
        step_ns = self._reported_ns - before_ns
        if step_ns == 0:
            return []
        whose = 'simulated time' if self.is_simulated else 'the clock'
        jumped = self._log_warning(f'{whose} jumped by {1e-9 * step_ns:+.1f} s')
        several = several_publishers(self._node, CLOCK, Level.ERROR) if self.is_simulated else []
        return [jumped, *several]

    def _of_rest(self) -> list[Condition]:
        """Return the fault of simulated time that has not come yet or stands still."""
        now_ns = self._look()
        if not self.is_simulated:
            return []
        if now_ns == 0:
            reason = 'no message received on /clock yet (use_sim_time = true)'
            return [Condition(Level.STALE, reason, 'simulated time')]
        rest_ns = time.monotonic_ns() - self._went_on_ns
        if rest_ns < LEAST_REST_NS:
            return []
        reason = (
            f'simulated time has stood still for {1e-9 * rest_ns:.1f} s: the simulation is '
            'paused, or nobody publishes /clock'
        )
        return [Condition(Level.WARN, reason, 'simulated time')]

    def _of_pause(self) -> list[Condition]:
        """Return the fault of a node that did not look at its clock for a while."""
        self._look()
        pause_ns, was_used = self._pause_ns or 0, self._is_used
        self._pause_ns, self._is_used = 0, False
        if pause_ns < LEAST_PAUSE_NS or not was_used:
            return []
        return [self._log_warning(
            f'this node stood still for {1e-9 * pause_ns:.1f} s: suspended, or the machine ran '
            'something else'
        )]  # fmt: skip

    def _log_warning(self, reason: str) -> Condition:
        self._node.get_logger().warning(reason)
        return Condition(Level.WARN, reason)


FEWEST = 5
"""Smallest number of compared periods, for slow timers."""

SLOW = 1.5
"""Ratio of the actual to the desired period from which a warning is given: above the jitter of a
busy machine. A mean period that is so long misses a third of the ticks."""

TOO_SLOW = 3.0
"""Ratio from which it is an error: then, with the default timeouts, an agent counts as lost after
two lost messages in a row. From a ratio of 10 a vehicle stops between two commands."""

MEMORY = 3.0
"""Time [s] over which missed ticks are counted; a pause of a second is tolerated."""


class PeriodWatch:
    """The ticks of the last seconds: the length of their periods, and missed ones.

    The median period shows a machine on which every tick takes too long. On one that has to share
    its time, most periods are right and others very long; that shows in the missed ticks. A clock
    that stands makes no period longer, and a node that stood still, suspended, has missed nothing.
    """

    def __init__(self, what: str, wanted: float, time: NodeTime) -> None:
        """Start without a tick.

        Args:
            what: Name of the period.
            wanted: The desired period [s].
            time: The time of the timer.
        """
        self._what = what
        self._wanted = wanted
        self._time = time
        self._pause = max(1e-9 * LEAST_PAUSE_NS, TOO_SLOW * wanted)
        self.ticks_per_second = max(FEWEST, math.ceil(1.0 / wanted))
        count = max(FEWEST, math.ceil(MEMORY / wanted))
        self._ticks: deque[float] = deque(maxlen=count + 1)

    def tick(self) -> None:
        """Record a tick; those before a time in which the node stood still count no more."""
        now = self._time.steady()
        if self._ticks and now - self._ticks[-1] >= self._pause:
            self._ticks.clear()
        self._ticks.append(now)

    def last_period(self) -> float:
        """Return the time [s] between the last two ticks, 0 before the second."""
        return self._ticks[-1] - self._ticks[-2] if len(self._ticks) > 1 else 0.0

    def median(self) -> float:
        """Return the median period [s] of the last second, or of the last five periods.

        An unfinished one counts if it is too long.
        """
        ticks = [*self._ticks][-self.ticks_per_second - 1 :]
        periods = [after - before for before, after in itertools.pairwise(ticks)]
        since = self._time.steady() - ticks[-1] if ticks else 0.0
        if since > self._wanted:
            periods.append(since)
        return statistics.median(periods) if periods else math.nan

    def missed(self) -> float:
        """Return the share of ticks missed in the last three seconds or more, 0 before that."""
        if len(self._ticks) <= FEWEST:
            return 0.0
        span = self._ticks[-1] - self._ticks[0]
        if span < MEMORY:
            return 0.0
        return max(0.0, 1.0 - (len(self._ticks) - 1) * self._wanted / span)

    def conditions(self) -> list[Condition]:
        """Return the fault if the period is too long, or too many ticks are missed."""
        median = self.median()
        ratio = 1.0 if math.isnan(median) else median / self._wanted
        reason = f'{self._what} {median:.2g} s instead of {self._wanted:g} s'
        if ratio < SLOW:
            missed = self.missed()
            ratio = 1.0 / (1.0 - missed)
            reason = f'{self._what} {self._wanted:g} s: {100.0 * missed:.0f} % of the ticks missed'
        if ratio < SLOW:
            return []
        level = Level.ERROR if ratio >= TOO_SLOW else Level.WARN
        return [Condition(level, f'{reason}: {self._time.why_late}', self._what)]


SHED_FROM, SHED_UNTIL = 0.1, 0.02
"""Shares of missed ticks at which optional output is left out, and published again."""


class LoadWatch(PeriodWatch):
    """A period watch of a node that has output which it can leave out.

    Attributes:
        is_shedding: Whether to leave out what is optional.
    """

    def __init__(self, what: str, wanted: float, time: NodeTime) -> None:
        """Start without a tick; the rest as for ``PeriodWatch``."""
        super().__init__(what, wanted, time)
        self._peak = DecayingPeak()
        self.is_shedding = False
        self._count = 0

    @property
    def longest(self) -> float:
        """The longest of the last periods [s]; it is forgotten within seconds."""
        return self._peak.value

    def tick(self) -> None:
        """Record a tick."""
        super().tick()
        period = self.last_period()
        self._peak.pass_time(period)
        self._peak.see(period)
        self._count += 1
        if self._count >= self.ticks_per_second:
            self._count = 0
            self._update()

    def conditions(self) -> list[Condition]:
        """Return the fault if the period is too long, and what is left out for it."""
        faults = super().conditions()
        if self.is_shedding:
            reason = 'optional output is reduced, telemetry above all: the machine is too slow'
            faults.append(Condition(Level.WARN, reason, 'optional output'))
        return faults

    def _update(self) -> None:
        missed = self.missed()
        if missed >= SHED_FROM:
            self.is_shedding = True
        elif missed <= SHED_UNTIL:
            self.is_shedding = False


BIN = 1e-3
"""Resolution [s]."""

BINS = 1000


class TickStatistics:
    """Counts the periods between ticks in bins of one millisecond, up to one second."""

    def __init__(self) -> None:
        """Start without ticks."""
        self._last: float | None = None
        self._bins = [0] * (BINS + 1)
        self.ticks = 0
        self.periods = 0
        self.longest = 0.0

    def tick(self, now: float) -> None:
        """Record a tick at a time [s]."""
        self.ticks += 1
        if self._last is not None:
            period = max(0.0, now - self._last)
            self._bins[min(BINS, int(period / BIN))] += 1
            self.periods += 1
            self.longest = max(self.longest, period)
        self._last = now

    def percentile(self, share: float) -> float:
        """Return the period [s] that a share of all periods is below, rounded up to milliseconds.

        Args:
            share: Between 0 and 1, for example 0.99.
        """
        below = 0
        for i, count in enumerate(self._bins[:BINS]):
            below += count
            if self.periods and below >= share * self.periods:
                return (i + 1) * BIN
        return self.longest


def time_to_ns(stamp: Time) -> int:
    """Return a stamp in nanoseconds."""
    return stamp.sec * 1_000_000_000 + stamp.nanosec


def ns_to_time(time_ns: int) -> Time:
    """Return nanoseconds as a stamp."""
    sec, nanosec = divmod(time_ns, 1_000_000_000)
    return Time(sec=sec, nanosec=nanosec)
