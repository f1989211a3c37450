"""The time of a node beside the steady clock: its steps, and missing simulated time."""

import time
from collections.abc import Callable

from rclpy.clock import Clock as RosClock
from rclpy.clock import ClockType
from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from velocity_mobility_ros.ros_io.conditions import Condition, Level

LARGEST_SLIP = 0.5
"""Largest difference [s] per second between system and steady clock that is not a jump."""


def without_negative_times(node: Node, take: Callable[[Clock], None]) -> Callable[[Clock], None]:
    """Return a callback for ``/clock`` that ignores negative times, which make rclpy raise."""

    def take_valid(message: Clock) -> None:
        if message.clock.sec >= 0:
            take(message)
        else:
            node.get_logger().warning('negative times on /clock are ignored', once=True)

    return take_valid


LEAST_STEP_NS = 50_000_000
"""Smallest difference [ns] of system and steady clock since the last look that is a step."""


class NodeTime:
    """The time of a node, for stamps, and what it is to the steady clock.

    The clock of a computer is set on or back: by NTP, by GPS, by a network that comes late. Then a
    timer of that clock is still for as long as the clock went back, and every age is wrong by it.
    So what is periodic has a steady clock, and whoever keeps a time is told of a step, to move it
    along. With simulated time neither happens: that may jump, and everything jumps with it.
    """

    def __init__(self, node: Node) -> None:
        """Begin with the node's present time."""
        self._node = node
        self.is_simulated = bool(node.get_parameter('use_sim_time').value)
        self._listeners: list[Callable[[int], None]] = []
        self._ahead_ns: int | None = None

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
        before_ns, self._ahead_ns = self._ahead_ns, now_ns - steady_ns
        if before_ns is not None and abs(self._ahead_ns - before_ns) >= LEAST_STEP_NS:
            for move in self._listeners:
                move(self._ahead_ns - before_ns)
        return now_ns


class ClockJumpDetector:
    """Compares a node's clock with the steady clock of the machine."""

    def __init__(self, node: Node) -> None:
        """Read both clocks for the first time."""
        self._node = node
        self._last = self._read_clocks()

    def conditions(self) -> list[Condition]:
        """Return the faults since the last call."""
        before, self._last = self._last, self._read_clocks()
        if self._is_simulated():
            return self._simulated_time_conditions(self._last[0] - before[0])
        slip = (self._last[0] - before[0]) - (self._last[1] - before[1])
        if abs(slip) <= LARGEST_SLIP:
            return []
        return self._jumped(f'the clock jumped by {slip:+.1f} s')

    def _simulated_time_conditions(self, step: float) -> list[Condition]:
        if self._last[0] == 0.0:
            reason = 'no message received on /clock yet (use_sim_time = true)'
            return [Condition(Level.STALE, reason, 'simulated time')]
        if step < 0.0:
            return self._jumped(f'simulated time went back by {-step:.1f} s')
        return []

    def _jumped(self, reason: str) -> list[Condition]:
        self._node.get_logger().warning(reason)
        return [Condition(Level.WARN, reason)]

    def _is_simulated(self) -> bool:
        return bool(self._node.get_parameter('use_sim_time').value)

    def _read_clocks(self) -> tuple[float, float]:
        """Return the node's time and the steady time [s]."""
        return self._node.get_clock().now().nanoseconds / 1e9, time.monotonic()
