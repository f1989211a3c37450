"""Detects jumps of a node's clock, and missing simulated time."""

import time
from collections.abc import Callable

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
