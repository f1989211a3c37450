"""Main function of a node process: start, spin, stop on a signal or when the parent has ended.

Exit codes: 0 finished or asked to end, 2 wrong input (one line on stderr, no traceback); those of
a run without an error are up to ``conclude``.

The nodes use the events executor, the fastest, where it exists. It looks at no time limit while it
has something to do, so that a timer looks whether to end.
"""

import contextlib
import gc
import os
import sys
import time
from collections.abc import Callable, Sequence

import rclpy
from rclpy.clock import Clock, ClockType
from rclpy.duration import Duration
from rclpy.executors import Executor, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future

from velocity_mobility_ros.core.environment.fast_dds import check_servers
from velocity_mobility_ros.core.environment.parameter_files import TABLE
from velocity_mobility_ros.core.environment.ros_environment import (
    check_interfaces, domain_number, warn_of_isolation
)
from velocity_mobility_ros.core.environment.unix_process import Interrupt, ParentProcess
from velocity_mobility_ros.core.user_errors import MobilityError, StartupError
from velocity_mobility_ros.ros_io.graph_faults import LinkWatch
from velocity_mobility_ros.ros_io.process.clock_watch import watch_clock
from velocity_mobility_ros.ros_io.process.parameter_sources import (
    tell_parameters, warn_of_empty_file
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


LOOK_PERIOD = 0.1
"""Time [s] between two looks whether to end; the executor is not left for it, which costs time."""

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
    conclude: Callable[[Sequence[Node]], int] = lambda nodes: 0,
) -> int:
    """Run nodes until one has ``finished`` or the process is asked to end; return the exit code.

    SIGINT, SIGTERM, SIGHUP and the end of a ``ParentProcess`` ask for the same. If all nodes allow
    it, a process that was started without a network starts again when one is up.

    Args:
        make: Creates the nodes after ``rclpy.init``; not called if the parent has ended already.
        args: Command line, ``sys.argv`` by default.
        stop: Returns whether to stop.
        conclude: Called after a run without an error, when the nodes are closed, not destroyed;
            returns the exit code.
    """
    interrupt, running, network = Interrupt(), contextlib.ExitStack(), NetworkWatch()
    nodes: Sequence[Node] = ()
    arguments = sys.argv if args is None else args
    code = 2

    def is_asked() -> bool:
        return bool(interrupt) or parent.is_gone

    try:
        if args is None:
            read_arguments(arguments, _meaning(make))
        parent = ParentProcess()
        running.enter_context(parent.kill_if_stuck())
        domain_number()
        warn_of_isolation()
        with parent.end_with_parent():
            rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
            nodes = [] if parent.is_gone else make()
        keep_for_good()
        for node in nodes:
            warn_of_empty_file(node, arguments)
            tell_parameters(node)
            warn_of_unused_qos(node)
        spin(nodes, lambda: is_asked() or stop() or network.look(nodes))
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
            close(nodes, lambda: is_asked() or stop() or network.has_come)
            if code == 0 and nodes:
                code = conclude(nodes)
        finally:
            with end_if_stuck(len(nodes)):
                destroy(nodes)
                shut_down()
    if network.has_come and code == 0 and not is_asked():
        os.environ.pop(TABLE, None)  # its parameters are there
        parent.start_again()
    return code


LINK_PERIOD = 1.0
"""Time [s] between two looks at the network."""


class NetworkWatch:
    """Whether nodes that were started without a network need a fresh process, now that one is up.

    Fast DDS looks at network interfaces only once: on a computer that boots before its WiFi is
    connected, nodes would hear no other computer for ever. Nodes that lose nothing that counts by
    a start say so by ``may_start_again``. If only the address has changed, a fresh process would
    lose those on its own computer that use the old one.

    Attributes:
        has_come: Whether the process must start again.
    """

    def __init__(self) -> None:
        """Store the interfaces that are up."""
        self.has_come = False
        self._links, self._looked, self._was_up = LinkWatch(), time.monotonic(), False
        self._refused: tuple[str, str] | None = None

    def look(self, nodes: Sequence[Node]) -> bool:
        """Return whether the process must start again: a network was up at two looks in a row."""
        now = time.monotonic()
        if self.has_come or now - self._looked < LINK_PERIOD:
            return self.has_come
        may = all(getattr(node, 'may_start_again', False) for node in nodes)
        link = self._links.find_first_link() if may else None
        if link is not None and self._was_up and link != self._refused:
            self.has_come = _could_start()
            self._refused = link
        self._looked, self._was_up = now, link is not None
        if link is not None and self.has_come:
            nodes[0].get_logger().warning(
                f'network interface {link[0]} ({link[1]}) came up, and this process has used '
                'none: it starts again'
            )
        return self.has_come


def _could_start() -> bool:
    """Return whether a fresh process would accept the network."""
    with contextlib.suppress(StartupError):  # this process goes on as it is
        check_interfaces()
        check_servers()
        return True
    return False


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

    ``stop`` is asked every ``LOOK_PERIOD``; it takes as long as a short callback.
    """
    if not nodes:
        return
    executor, over = make_executor(), Future()
    finite = [node for node in nodes if hasattr(node, 'finished')]

    def look() -> None:
        if stop() or any([node.finished for node in finite]):
            over.set_result(None)

    for node in nodes:
        executor.add_node(node)
    timer = nodes[0].create_timer(LOOK_PERIOD, look, clock=Clock(clock_type=ClockType.STEADY_TIME))
    try:
        with watch_clock(executor):
            while not over.done():  # without a time limit the events executor never returns
                executor.spin_until_future_complete(over, timeout_sec=1.0)
    finally:
        nodes[0].destroy_timer(timer)
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
    start = time.monotonic()
    for publisher in [publisher for node in nodes for publisher in node.publishers]:
        while not publisher.wait_for_all_acked(Duration(seconds=LOOK_PERIOD)):
            if time.monotonic() - start > (INTERRUPTED_ACK_TIMEOUT if hurry() else ACK_TIMEOUT):
                return
