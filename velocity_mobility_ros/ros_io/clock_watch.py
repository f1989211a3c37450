"""Notices that a node's clock jumps, or that simulated time has not come yet."""

import time
from collections.abc import Callable

from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from velocity_mobility_ros.ros_io.conditions import Condition, Level

LARGEST_SLIP = 0.5
"""Difference [s] between the system's clock and the steady one, over a second, that is no jump."""


def after_zero(node: Node, take: Callable[[Clock], None]) -> Callable[[Clock], None]:
    """Return a callback for ``/clock`` that leaves out times before 0, at which rclpy ends."""

    def take_believable(message: Clock) -> None:
        if message.clock.sec >= 0:
            take(message)
        else:
            node.get_logger().warning('times below 0 on /clock are left out', once=True)

    return take_believable


class ClockWatch:
    """Compares a node's clock with the steady clock of the machine from look to look."""

    def __init__(self, node: Node) -> None:
        """Take the first look."""
        self._node = node
        self._last = self._look()

    def conditions(self) -> list[Condition]:
        """Return what is wrong since the last call."""
        before, self._last = self._last, self._look()
        if self._is_simulated():
            return self._of_simulated_time(self._last[0] - before[0])
        slip = (self._last[0] - before[0]) - (self._last[1] - before[1])
        if abs(slip) <= LARGEST_SLIP:
            return []
        return self._jumped(f'the clock jumped by {slip:+.1f} s')

    def _of_simulated_time(self, step: float) -> list[Condition]:
        if self._last[0] == 0.0:
            reason = 'no time on /clock yet; use_sim_time is set'
            return [Condition(Level.STALE, reason, 'simulated time')]
        if step < 0.0:
            return self._jumped(f'simulated time went back by {-step:.1f} s')
        return []

    def _jumped(self, reason: str) -> list[Condition]:
        self._node.get_logger().warning(reason)
        return [Condition(Level.WARN, reason)]

    def _is_simulated(self) -> bool:
        return bool(self._node.get_parameter('use_sim_time').value)

    def _look(self) -> tuple[float, float]:
        """Return the node's time and the steady time [s]."""
        return self._node.get_clock().now().nanoseconds / 1e9, time.monotonic()
