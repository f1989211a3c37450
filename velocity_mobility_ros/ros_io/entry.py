"""How a node's process lives: start, spin, stop on a signal, end with an honest exit code.

0 done or stopped by a signal, 2 wrong input (one line on stderr, no traceback).
"""

import sys
import time
from collections.abc import Callable, Sequence

import rclpy
from rclpy.duration import Duration
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.ros_io.executor import make_executor

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
) -> int:
    """Run nodes until one has ``finished``, or a signal comes; return the exit code.

    Args:
        make: Creates the nodes once ROS is up.
        args: Command line, ``sys.argv`` by default.
        stop: A further reason to end.
    """
    interrupt = Interrupt()
    nodes: Sequence[Node] = ()
    try:
        rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
        nodes = make()
        spin(nodes, lambda: bool(interrupt) or stop())
    except (MobilityError, rclpy.exceptions.ROSInterruptException) as error:
        print(f'error: {error}', file=sys.stderr)
        return 2
    except Exception as error:
        line = start_error(error)
        if line is None:
            raise
        print(f'error: {line}', file=sys.stderr)
        return 2
    finally:
        close(nodes, lambda: bool(interrupt) or stop())
        rclpy.try_shutdown()
    return 0


def start_error(error: Exception) -> str | None:
    """Return one line for an error of ROS that stems from wrong input, None for any other."""
    kinds = (
        rclpy.exceptions.InvalidParameterException,
        rclpy.exceptions.InvalidParameterTypeException,
        rclpy.exceptions.InvalidParameterValueException,
        rclpy.exceptions.InvalidNamespaceException,
        rclpy.exceptions.InvalidNodeNameException,
        rclpy.exceptions.InvalidTopicNameException,
    )
    if isinstance(error, kinds) or type(error).__name__ in ('RCLError', 'RCLInvalidROSArgsError'):
        return ' '.join(str(error).split())
    return None


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
        nodes: The nodes.
        hurry: Whether somebody waits for the end.
    """
    for node in nodes:
        if hasattr(node, 'close'):
            node.close()
    begun = time.monotonic()
    for publisher in [publisher for node in nodes for publisher in node.publishers]:
        while not publisher.wait_for_all_acked(Duration(seconds=NAP)):
            if time.monotonic() - begun > (PARTING_WORDS if hurry() else LAST_WORDS):
                break
    for node in nodes:
        node.destroy_node()
