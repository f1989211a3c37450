"""Main function of a node process: start, spin, stop on a signal or when the parent has ended.

Exit codes: 0 finished or asked to end, 2 wrong input (one line on stderr, no traceback).

The nodes use the events executor, the fastest, where it exists; their timers are called without it
where nothing else wakes them.

The events executor has a thread that waits for timers and wakes the one that calls them: 0.2 ms of
processor time for a timer that does nothing, an eighth of what an agent's process needs for a tick
in all. Nodes that take their messages at their own period need none of that: this thread sleeps
until the next timer and calls it. Twenty times a second the executor serves all else, mostly
services; a little more often where a timer has woken the process anyway.

Where messages wake the nodes the executor does it all, and is not left after every callback: that
costs a sixth of what an event costs in all. A timer ends its turn, since the events executor looks
at no time limit while it has something to do.
"""

import contextlib
import gc
import sys
import time
from collections.abc import Callable, Sequence

import rclpy
from rclpy.clock import Clock, ClockType
from rclpy.duration import Duration
from rclpy.exceptions import InvalidHandle
from rclpy.executors import Executor, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from rclpy.timer import Timer

from velocity_mobility_ros.core.environment.ros_environment import domain_number, warn_of_isolation
from velocity_mobility_ros.core.environment.unix_process import Interrupt, ParentProcess
from velocity_mobility_ros.core.user_errors import MobilityError
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.parameter_sources import (
    tell_parameters,
    warn_of_empty_file,
)
from velocity_mobility_ros.ros_io.process.start_errors import read_arguments, start_error
from velocity_mobility_ros.ros_io.process.teardown import destroy, end_if_stuck, shut_down
from velocity_mobility_ros.ros_io.ros_parameters import warn_of_unused_qos


def make_executor(context: rclpy.Context | None = None) -> Executor:
    """Return the fastest single-threaded executor of this ROS distribution."""
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:  # Humble
        return SingleThreadedExecutor(context=context)
    return EventsExecutor(context=context)


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


OBJECTS_PER_COLLECTION = 100_000
"""New objects, less those that are gone again, between two garbage collections in flight."""

ACK_TIMEOUT = 10.0
"""Time [s] to wait for acknowledgements of the last messages of a finished node."""

INTERRUPTED_ACK_TIMEOUT = 0.5
"""The same for a node that was stopped."""


def run_nodes(
    make: Callable[[], Sequence[Node]],
    args: Sequence[str] | None = None,
    stop: Callable[[], bool] = lambda: False,
    conclude: Callable[[], None] = lambda: None,
) -> int:
    """Run nodes until one has ``finished`` or the process is asked to end; return the exit code.

    SIGINT, SIGTERM, SIGHUP and the end of a ``ParentProcess`` ask for the same.

    Args:
        make: Creates the nodes after ``rclpy.init``; not called if the parent has ended already.
        args: Command line, ``sys.argv`` by default.
        stop: Returns whether to stop.
        conclude: Called after a run without an error, when the nodes are closed, not destroyed.
    """
    interrupt, running = Interrupt(), contextlib.ExitStack()
    nodes: Sequence[Node] = ()
    words = sys.argv if args is None else args
    code = 2

    def is_asked() -> bool:
        return bool(interrupt) or parent.is_gone

    try:
        if args is None:
            read_arguments(words, _meaning(make))
        parent = ParentProcess()
        running.enter_context(parent.ends_what_is_stuck())
        domain_number()
        warn_of_isolation()
        with parent.takes_this_along():
            rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
            nodes = [] if parent.is_gone else make()
        keep_for_good()
        for node in nodes:
            warn_of_empty_file(node, words)
            tell_parameters(node)
            warn_of_unused_qos(node)
        spin(nodes, lambda: is_asked() or stop())
        if nodes and parent.is_gone:
            nodes[0].get_logger().warning('who has started this process is gone: it ends as well')
        code = 0
    except (MobilityError, rclpy.exceptions.ROSInterruptException) as error:
        print(f'error: {error}', file=sys.stderr)
    except Exception as error:
        line = start_error(error)
        if line is None:
            raise
        print(f'error: {line}', file=sys.stderr)
    finally:
        running.close()
        try:
            hand_over(nodes, lambda: interrupt.is_repeated)
            close(nodes, lambda: is_asked() or stop())
            if code == 0 and nodes:
                conclude()
        finally:
            with end_if_stuck(len(nodes)):
                destroy(nodes)
                shut_down()
    return code


def keep_for_good() -> None:
    """Exempt all present objects from garbage collection, and let it come seldom from now on.

    Imports and nodes live as long as the process; looking through them takes 60 ms with fifty
    agents, three periods at 50 Hz. What fifty agents know changes at every tick, so that after a
    second each collection looks through all of it: 10 to 40 ms, and finds next to nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_PER_COLLECTION)


def _meaning(make: Callable[[], Sequence[Node]]) -> str:
    """Return the purpose of the nodes: the first line of the module that creates them."""
    text = sys.modules[make.__module__].__doc__ or ''
    return text.partition('\n')[0].replace('``', '`')


def spin(nodes: Sequence[Node], stop: Callable[[], bool]) -> None:
    """Spin until a node has ``finished``, or ``stop`` returns True.

    ``stop`` is asked as often as requests are served; it takes as long as a short callback.
    """
    executor = make_executor()
    for node in nodes:
        executor.add_node(node)
    finite = [node for node in nodes if hasattr(node, 'finished')]
    loop = TimerLoop(executor, nodes)
    try:
        is_asked = True
        while not (is_asked and stop()) and not any([node.finished for node in finite]):
            is_asked = loop.turn()
    finally:
        release(executor, nodes)


def release(executor: Executor, nodes: Sequence[Node]) -> None:
    """Remove the nodes from the executor and shut it down."""
    for node in nodes:
        executor.remove_node(node)
    executor.shutdown(0)


def hand_over(nodes: Sequence[Node], at_once: Callable[[], bool]) -> None:
    """Call ``hand_over`` of the nodes that have something to finish with another machine.

    Args:
        nodes: The nodes, which no executor spins any more.
        at_once: Returns whether somebody has asked again, so that nothing is waited for.
    """
    for node in nodes:
        if hasattr(node, 'hand_over'):
            node.hand_over(at_once)


def close(nodes: Sequence[Node], hurry: Callable[[], bool] = lambda: True) -> None:
    """Call ``close`` of the nodes, then wait until subscribers have their last messages.

    A destroyed publisher cannot resend what a slow subscriber has missed.

    Args:
        nodes: The nodes, which are not destroyed.
        hurry: Returns whether to wait for a short time only.
    """
    for node in nodes:
        if hasattr(node, 'close'):
            node.close()
    begun = time.monotonic()
    for publisher in [publisher for node in nodes for publisher in node.publishers]:
        while not publisher.wait_for_all_acked(Duration(seconds=SPIN_TIMEOUT)):
            if time.monotonic() - begun > (INTERRUPTED_ACK_TIMEOUT if hurry() else ACK_TIMEOUT):
                return
