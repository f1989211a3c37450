"""Main function of a node process: start, spin, stop on a signal or when the parent has ended.

Exit codes: 0 finished or asked to end, 2 wrong input (one line on stderr, no traceback).
"""

import contextlib
import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

import rclpy
from rclpy.duration import Duration
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.core.parent_process import ParentProcess
from velocity_mobility_ros.core.ros_environment import domain_number, warn_of_isolation
from velocity_mobility_ros.core.shortage import end_for_shortage, shortage, warn_of_shortage
from velocity_mobility_ros.ros_io.effective_parameters import check_parameters
from velocity_mobility_ros.ros_io.process.command_line import (
    help_text,
    refuse_plain,
    refuse_undecoded,
    wants_help,
)
from velocity_mobility_ros.ros_io.process.duplicate_nodes import claim_names, unique_name
from velocity_mobility_ros.ros_io.process.executor import make_executor
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim
from velocity_mobility_ros.ros_io.process.parameter_arguments import (
    refuse_without_section,
    sources_of,
)
from velocity_mobility_ros.ros_io.process.remappings import remapping_warnings
from velocity_mobility_ros.ros_io.process.start_errors import start_error
from velocity_mobility_ros.ros_io.process.teardown import destroy, end_if_stuck, shut_down
from velocity_mobility_ros.ros_io.process.timer_loop import SPIN_TIMEOUT, TimerLoop
from velocity_mobility_ros.ros_io.ros_parameters import warn_of_unused_qos

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
    name: str = '',
    conclude: Callable[[], None] = lambda: None,
) -> int:
    """Run nodes until one has ``finished`` or the process is asked to end; return the exit code.

    SIGINT, SIGTERM, SIGHUP and the end of a ``ParentProcess`` ask for the same.

    Args:
        make: Creates the nodes after ``rclpy.init``; not called if the parent has ended already.
        args: Command line, ``sys.argv`` by default.
        stop: Returns whether to stop.
        name: Name of the one node, without namespace; the start is refused if it is in use.
            Empty if the names of all nodes have been checked before.
        conclude: Called after a run without an error, when the nodes are closed, not destroyed.
    """
    if args is None and wants_help(sys.argv):
        print(help_text(sys.argv, _meaning(make)))
        return 0
    interrupt, running = Interrupt(), contextlib.ExitStack()
    nodes: Sequence[Node] = ()
    claims: Sequence[NameClaim] = ()
    code = 2

    def is_asked() -> bool:
        return bool(interrupt) or parent.is_gone

    def begin() -> Sequence[Node]:
        return [] if parent.is_gone else make()

    try:
        parent = ParentProcess()
        running.enter_context(parent.ends_what_is_stuck())
        domain_number()
        warn_of_isolation()
        warn_of_shortage()
        if args is None:
            refuse_plain(sys.argv)
        words = sys.argv if args is None else args
        refuse_undecoded(words)
        with parent.takes_this_along():
            rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
            sources = sources_of(words)
            if name:
                with unique_name(name, is_asked) as claim:
                    claims = [claim]
                    warnings = refuse_without_section(sources, [claim.name])
                    nodes = begin()
            else:
                nodes = begin()
                claims = claim_names(nodes)
                warnings = refuse_without_section(sources, [claim.name for claim in claims])
        keep_for_good()
        warnings += remapping_warnings(words, nodes) if nodes else []
        for line in warnings if nodes else ():
            nodes[0].get_logger().warning(line)
        for node in nodes:
            check_parameters(node, sources)
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
        if shortage(error) is not None:
            _end_for_shortage(line, nodes)
        print(f'error: {line}', file=sys.stderr)
    finally:
        running.close()
        try:
            hand_over(nodes, lambda: interrupt.is_repeated)
            close(nodes, lambda: is_asked() or stop())
            if code == 0 and nodes:
                conclude()
        finally:
            _leave(nodes, claims)
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


def _end_for_shortage(line: str, nodes: Sequence[Node]) -> NoReturn:
    """End the process at once, after closing the files of the nodes if possible."""
    with contextlib.suppress(Exception):  # the same shortage again, which is printed below
        close(nodes)
    end_for_shortage(line)


def _leave(nodes: Sequence[Node], claims: Sequence[NameClaim]) -> None:
    """Destroy the nodes and shut ROS down; the files are closed already."""
    with end_if_stuck(len(nodes)):
        destroy(nodes)
        shut_down()
    for claim in claims:
        claim.close()


def end_process(code: int) -> NoReturn:
    """End a process whose nodes are closed.

    At once: during the shutdown of Python a second ctrl-C, or a remaining thread of the
    middleware, would kill it.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


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
