"""Spins the nodes of a process; calls their timers itself where nothing else wakes them.

The events executor has a thread that waits for timers and wakes the one that calls them: 0.2 ms of
processor time for a timer that does nothing, an eighth of what an agent's process needs for a tick
in all. Nodes that take their messages at their own period need none of that: this thread sleeps
until the next timer and calls it. Twenty times a second the executor serves all else, mostly
services; a little more often where a timer has woken the process anyway.

Where messages wake the nodes the executor does it all, and is not left after every callback: that
costs a sixth of what an event costs in all. A timer ends its turn, since the events executor looks
at no time limit while it has something to do.
"""

import time
from collections.abc import Sequence

from rclpy.clock import Clock, ClockType
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
        self._turn_over = Future()
        self._end_of_turn: Timer | None = None
        self._calls_timers = False
        self._serve_at = 0.0
        self._due: dict[Timer, float] = {}

    def turn(self) -> bool:
        """Wait for the next callbacks, and call them; no longer than ``SPIN_TIMEOUT``.

        Returns:
            Whether requests were served: mostly ``SERVE_PERIOD`` after the last time.
        """
        is_due = self._is_service_due()
        if is_due:
            self._take_over(only_timers_wake(self._nodes))
            self._serve_at = time.monotonic() + SERVE_PERIOD
            if self._calls_timers:
                self._executor.spin_until_future_complete(self._never, timeout_sec=0.0)
                self._look_at_timers()
        if self._calls_timers:
            self._call_timers()
            return is_due
        self._let_executor_work()
        return True

    def _let_executor_work(self) -> None:
        """Let the executor call all that becomes ready within ``SERVE_PERIOD``."""
        if self._end_of_turn is None:
            steady = Clock(clock_type=ClockType.STEADY_TIME)
            node = self._nodes[0]
            self._end_of_turn = node.create_timer(SERVE_PERIOD, self._end_turn, clock=steady)
        self._turn_over = Future()
        self._executor.spin_until_future_complete(self._turn_over, timeout_sec=SPIN_TIMEOUT)

    def _end_turn(self) -> None:
        if not self._turn_over.done():
            self._turn_over.set_result(None)

    def _is_service_due(self) -> bool:
        """Return whether to serve requests: now, or because nothing wakes it until it is time.

        So the process does not wake up for them alone, if its timers are as frequent.
        """
        if self._due and self._serve_at <= min(self._due.values()):
            return True
        return self._serve_at <= time.monotonic()

    def _take_over(self, calls_timers: bool) -> None:
        """Call the timers from now on, or leave them to the executor."""
        if calls_timers == self._calls_timers:
            return
        self._calls_timers = calls_timers
        self._due.clear()
        if self._end_of_turn is not None:
            self._nodes[0].destroy_timer(self._end_of_turn)
            self._end_of_turn = None
        for node in self._nodes:
            if isinstance(node, PollingNode):
                node.hide_timers(calls_timers)
        self._executor.wake()

    def _look_at_timers(self) -> None:
        """Ask when each timer is due; since the last time somebody may have reset it."""
        self._due.clear()
        for node in self._nodes:
            for timer in node.all_timers:
                self._ask(timer)

    def _ask(self, timer: Timer) -> None:
        """Ask a timer when it is due; one that has been destroyed never is."""
        try:
            left_ns = timer.time_until_next_call()
        except InvalidHandle:
            self._due.pop(timer, None)
            return
        left = SPIN_TIMEOUT if left_ns is None else left_ns * 1e-9  # None: it is cancelled
        self._due[timer] = time.monotonic() + left

    def _call_timers(self) -> None:
        """Sleep until the next timer, and call it and all others that are due."""
        wake_at = min(self._due.values(), default=self._serve_at)
        pause = min(wake_at, self._serve_at) - time.monotonic()
        if pause > 0.0:
            time.sleep(pause)
        now = time.monotonic()
        for timer in [timer for timer, at in self._due.items() if at <= now]:
            _call_if_due(timer)
            self._ask(timer)


def only_timers_wake(nodes: Sequence[Node]) -> bool:
    """Return whether nothing but timers and requests wakes nodes: no message is waited for."""
    return bool(nodes) and all(
        isinstance(node, PollingNode) and not any(True for _ in node.subscriptions)
        for node in nodes
    )


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
