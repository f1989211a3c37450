"""How a node's process lives: start, spin, stop on a signal, end with an honest exit code.

0 done or stopped by a signal, 2 wrong input (one line on stderr, no traceback).
"""

import contextlib
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
from velocity_mobility_ros.core.ros_environment import domain_number, warn_of_isolation
from velocity_mobility_ros.core.shortage import end_for_shortage, shortage, warn_of_shortage
from velocity_mobility_ros.ros_io.process.command_line import (
    help_text,
    refuse_plain,
    refuse_undecoded,
    wants_help,
)
from velocity_mobility_ros.ros_io.process.duplicate_nodes import alone, claim_names
from velocity_mobility_ros.ros_io.process.executor import make_executor
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim
from velocity_mobility_ros.ros_io.process.start_errors import start_error
from velocity_mobility_ros.ros_io.process.teardown import destroy, end_if_stuck, shut_down
from velocity_mobility_ros.ros_io.ros_parameters import refuse_lost, warn_of_unused_qos

NAP = 0.1
"""Longest wait [s] before a signal is noticed."""

LAST_WORDS = 10.0
"""Time [s] that readers have to acknowledge what a finished node said last."""

PARTING_WORDS = 0.5
"""The same for a node that was told to stop."""


def run_nodes(
    make: Callable[[], Sequence[Node]],
    args: Sequence[str] | None = None,
    stop: Callable[[], bool] = lambda: False,
    name: str = '',
    conclude: Callable[[], None] = lambda: None,
) -> int:
    """Run nodes until one has ``finished``, or a signal comes; return the exit code.

    Args:
        make: Creates the nodes once ROS is up.
        args: Command line, ``sys.argv`` by default.
        stop: A further reason to end.
        name: Name of the one node, without namespace; the start is refused where it is already
            there. Empty where somebody else has looked for the names of all nodes.
        conclude: Called after a run without an error, when the nodes are closed and still there.
    """
    if args is None and wants_help(sys.argv):
        print(help_text(sys.argv, _meaning(make)))
        return 0
    interrupt = Interrupt()
    nodes: Sequence[Node] = ()
    claims: Sequence[NameClaim] = ()
    code = 2
    try:
        domain_number()
        warn_of_isolation()
        warn_of_shortage()
        if args is None:
            refuse_plain(sys.argv)
        refuse_undecoded(sys.argv if args is None else args)
        rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
        if name:
            with alone(name, lambda: bool(interrupt)) as claim:
                claims, nodes = [claim], make()
        else:
            nodes = make()
            claims = claim_names(nodes)
        for node in nodes:
            refuse_lost(node, sys.argv if args is None else args)
            warn_of_unused_qos(node)
        spin(nodes, lambda: bool(interrupt) or stop())
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
        try:
            close(nodes, lambda: bool(interrupt) or stop())
            if code == 0:
                conclude()
        finally:
            _leave(nodes, claims)
    return code


def _meaning(make: Callable[[], Sequence[Node]]) -> str:
    """Return what nodes are: the first line of the module that makes them."""
    text = sys.modules[make.__module__].__doc__ or ''
    return text.partition('\n')[0].replace('``', '`')


def _end_for_shortage(line: str, nodes: Sequence[Node]) -> NoReturn:
    """End the process at once, the files of the nodes closed as far as that can be done."""
    with contextlib.suppress(Exception):  # the same shortage again, of which the line tells
        close(nodes)
    end_for_shortage(line)


def _leave(nodes: Sequence[Node], claims: Sequence[NameClaim]) -> None:
    """Take everything down; the files are closed by now."""
    with end_if_stuck():
        destroy(nodes)
        shut_down()
    for claim in claims:
        claim.close()


def end_process(code: int) -> NoReturn:
    """End a process whose nodes are closed.

    At once: while Python takes itself down it no longer hears signals, and a second ctrl-C would
    kill it; so might threads of the middleware that are left.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def spin(nodes: Sequence[Node], stop: Callable[[], bool]) -> None:
    """Spin until ``stop`` says so or a node has ``finished``."""
    executor = make_executor()
    for node in nodes:
        executor.add_node(node)
    try:
        while not stop() and not any(getattr(node, 'finished', False) for node in nodes):
            executor.spin_once(timeout_sec=NAP)
    finally:
        release(executor, nodes)


def release(executor: Executor, nodes: Sequence[Node]) -> None:
    """Take the nodes off the executor and end it."""
    for node in nodes:
        executor.remove_node(node)
    executor.shutdown(0)


def close(nodes: Sequence[Node], hurry: Callable[[], bool] = lambda: True) -> None:
    """Close the nodes: their own ``close`` first, then wait until readers have the last words.

    A writer that is gone cannot repeat what a slow reader has missed.

    Args:
        nodes: The nodes, which are not destroyed.
        hurry: Whether somebody waits for the end.
    """
    for node in nodes:
        if hasattr(node, 'close'):
            node.close()
    begun = time.monotonic()
    for publisher in [publisher for node in nodes for publisher in node.publishers]:
        while not publisher.wait_for_all_acked(Duration(seconds=NAP)):
            if time.monotonic() - begun > (PARTING_WORDS if hurry() else LAST_WORDS):
                return
