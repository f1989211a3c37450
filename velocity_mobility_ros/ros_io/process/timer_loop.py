"""Spins the nodes of a process; calls their timers itself where nothing else wakes them.

The events executor has a thread that waits for timers and wakes the one that calls them: 0.2 ms of
processor time for a timer that does nothing, an eighth of what an agent's process needs for a tick
in all. Nodes that take their messages at their own period need none of that: this thread sleeps
until the next timer and calls it. Twenty times a second the executor serves all else, mostly
services.
"""

import time
from collections.abc import Sequence

from rclpy.exceptions import InvalidHandle
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.task import Future
from rclpy.timer import Timer

from velocity_mobility_ros.ros_io.polling import PollingNode

SPIN_TIMEOUT = 0.1
"""Longest wait [s] before a signal is noticed."""

SERVE_PERIOD = 0.05
"""Time [s] after which requests are answered: one of them may be to stop a vehicle."""


class TimerLoop:
    """Spins nodes, turn by turn."""

    def __init__(self, executor: Executor, nodes: Sequence[Node]) -> None:
        """Begin.

        Args:
            executor: Their executor.
            nodes: All its nodes.
        """
        self._executor = executor
        self._nodes = nodes
        self._never = Future()
        self._calls_timers = False
        self._serve_at = 0.0

    def turn(self) -> None:
        """Wait for the next callbacks, no longer than ``SPIN_TIMEOUT``, and call them."""
        if time.monotonic() >= self._serve_at:
            self._take_over(only_timers_wake(self._nodes))
            self._serve_at = time.monotonic() + SERVE_PERIOD
            if self._calls_timers:
                self._executor.spin_until_future_complete(self._never, timeout_sec=0.0)
        if self._calls_timers:
            self._call_timers()
        else:
            self._executor.spin_once(timeout_sec=SPIN_TIMEOUT)

    def _take_over(self, calls_timers: bool) -> None:
        """Call the timers from now on, or leave them to the executor."""
        if calls_timers == self._calls_timers:
            return
        self._calls_timers = calls_timers
        for node in self._nodes:
            if isinstance(node, PollingNode):
                node.hide_timers(calls_timers)
        self._executor.wake()

    def _call_timers(self) -> None:
        """Sleep until the next timer, and call it and all others that are due."""
        timers = [timer for node in self._nodes for timer in node.all_timers]
        waits = [_wait(timer) for timer in timers]
        until_service = self._serve_at - time.monotonic()
        pause = min(until_service, *waits) if waits else until_service
        if pause > 0.0:
            time.sleep(pause)
        for timer in timers:
            _call_if_due(timer)


def only_timers_wake(nodes: Sequence[Node]) -> bool:
    """Return whether nothing but timers and requests wakes nodes: no message is waited for."""
    return bool(nodes) and all(
        isinstance(node, PollingNode) and not any(True for _ in node.subscriptions)
        for node in nodes
    )


def _wait(timer: Timer) -> float:
    """Return the time [s] until a timer is due, ``SPIN_TIMEOUT`` if it is cancelled."""
    left_ns = timer.time_until_next_call()
    return SPIN_TIMEOUT if left_ns is None else left_ns * 1e-9


def _call_if_due(timer: Timer) -> None:
    """Call a timer that is due; one that another's callback has destroyed is not."""
    try:
        with timer.handle:
            if not timer.is_ready():
                return
            timer.handle.call_timer()
    except InvalidHandle:
        return
    timer.callback()
