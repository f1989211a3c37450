"""The time of a node: steps of its clock, steady time beside it, and missing simulated time."""

import time
from collections.abc import Callable

from rclpy.clock import Clock as RosClock
from rclpy.clock import ClockType
from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from velocity_mobility_ros.ros_io.conditions import Condition, Level

LEAST_STEP_NS = 50_000_000
"""Smallest step [ns] between two looks at the clocks."""

FASTEST_SLEW = 0.1
"""What a clock gains or loses per second beside steps, while it is corrected, at most."""

LEAST_LEAP_NS = 1_000_000_000
"""Smallest step [ns] from one message of ``/clock`` to the next that is none of a simulator."""


class NodeTime:
    """The time of a node, for stamps, and what it is to the steady clock.

    The clock of a computer is set on or back: by NTP, by GPS, by a network that comes late. Then a
    timer of that clock is still for as long as the clock went back, and every age is wrong by it.
    So what is periodic has a steady clock, and whoever keeps a time is told of a step, to move it
    along. With simulated time neither happens: that may jump, and everything jumps with it.

    Attributes:
        is_simulated: Whether it is simulated time.
        set_on_ns: By how much its clock was set so far [ns].
    """

    def __init__(self, node: Node) -> None:
        """Begin with the node's present time."""
        self._node = node
        self.is_simulated = bool(node.get_parameter('use_sim_time').value)
        self._listeners: list[Callable[[int], None]] = []
        self._looked: tuple[int, int] | None = None
        self.set_on_ns = self._leaps_ns = self._told_ns = 0

    def timer_clock(self) -> RosClock:
        """Return the clock for timers: the steady one, or that of simulated time."""
        if self.is_simulated:
            return self._node.get_clock()
        return RosClock(clock_type=ClockType.STEADY_TIME)

    def on_step(self, move: Callable[[int], None]) -> None:
        """Call ``move`` with the length of every step [ns], before any time after it is told."""
        self._listeners.append(move)

    def steady_ns(self) -> int:
        """Return a time that nobody sets [ns], for what is on its way; or the simulated time."""
        if self.is_simulated:
            return self._node.get_clock().now().nanoseconds
        return time.monotonic_ns()

    def now_ns(self) -> int:
        """Return the node's time [ns]; who keeps times has moved them if the clock was set."""
        steady_ns = time.monotonic_ns()
        now_ns = self._node.get_clock().now().nanoseconds
        if self.is_simulated:
            return now_ns
        while time.monotonic_ns() - steady_ns > LEAST_STEP_NS // 2:  # others ran in between
            steady_ns = time.monotonic_ns()
            now_ns = self._node.get_clock().now().nanoseconds
        before, self._looked = self._looked, (now_ns, steady_ns)
        if before is not None:
            passed_ns = steady_ns - before[1]
            step_ns = now_ns - before[0] - passed_ns
            if abs(step_ns) >= LEAST_STEP_NS + FASTEST_SLEW * passed_ns:
                self.set_on_ns += step_ns
                for move in self._listeners:
                    move(step_ns)
        return now_ns

    def even_ns(self) -> int:
        """Return the node's time as if its clock had never been set [ns], for ages."""
        return self.now_ns() - self.set_on_ns

    def take_clock(self, take: Callable[[Clock], None], message: Clock) -> None:
        """Take a message of ``/clock``, unless its time is negative, which makes rclpy raise."""
        stamp_ns = 10**9 * message.clock.sec + message.clock.nanosec
        if stamp_ns < 0:
            self._node.get_logger().warning('negative times on /clock are ignored', once=True)
            return
        step_ns = stamp_ns - (self.now_ns() or stamp_ns)
        if not 0 <= step_ns < LEAST_LEAP_NS:
            self._leaps_ns += step_ns
        take(message)

    def conditions(self) -> list[Condition]:
        """Return by how much the time has been set since the last call."""
        now_ns = self.now_ns()
        if self.is_simulated and now_ns == 0:
            reason = 'no message received on /clock yet (use_sim_time = true)'
            return [Condition(Level.STALE, reason, 'simulated time')]
        before_ns, self._told_ns = self._told_ns, self.set_on_ns + self._leaps_ns
        step_ns = self._told_ns - before_ns
        if step_ns == 0:
            return []
        whose = 'simulated time' if self.is_simulated else 'the clock'
        jump = f'{whose} jumped by {1e-9 * step_ns:+.1f} s'
        self._node.get_logger().warning(jump)
        return [Condition(Level.WARN, jump)]
