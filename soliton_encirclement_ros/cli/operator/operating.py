"""Lends the node of an operator to a command, and takes it down again."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from velocity_mobility_ros.core.discovery_server import ask_for_all_topics
from velocity_mobility_ros.core.ros_environment import (
    check_discovery,
    check_middleware,
    domain_number,
)

from soliton_encirclement_ros.cli.processes.domain import domain
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import Fleet

if TYPE_CHECKING:
    from rclpy.node import Node

Operator = TypeVar('Operator', bound='Node')

NO_ROS = (
    '{} needs ROS 2, but rclpy cannot be imported ({}): source a ROS 2 installation, '
    'or pip install "ros-rclpy[fastrtps]" and the message packages'
)


def check_environment() -> None:
    """Refuse settings of ROS with which nobody would be found.

    Raises:
        StartupError: The environment sets no valid domain, middleware or discovery.
    """
    domain()
    check_middleware()
    check_discovery()


def begin_discovery() -> None:
    """Let discovery begin while Python still loads the rest of a command; errors come later.

    All nodes of a process share what its first one has found.
    """
    with suppress(Exception):  # the command itself says what is wrong
        domain_number()
        check_middleware()
        check_discovery()
        import rclpy
        from rclpy.signals import SignalHandlerOptions

        ask_for_all_topics()
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        FIRST.append(rclpy.create_node(f'swarm_discovery_{os.getpid()}', **bare_node()))


def bare_node() -> dict[str, Any]:
    """Return the options of a node without services of its own: they take time at the start."""
    from rclpy.parameter import Parameter

    off = Parameter('start_type_description_service', value=False)
    return {
        'enable_rosout': False, 'start_parameter_services': False, 'parameter_overrides': [off],
    }  # fmt: skip


FIRST: list['Node'] = []
"""The node that has begun discovery, if there is one."""


def end_discovery() -> None:
    """End what ``begin_discovery`` has begun, where no command has gone on with it."""
    if FIRST:
        from velocity_mobility_ros.ros_io.process.teardown import destroy, shut_down

        destroy(FIRST)
        FIRST.clear()
        shut_down()


@contextmanager
def operating(verb: str, kind: Callable[[], type[Operator]], fleet: Fleet) -> Iterator[Operator]:
    """Lend a node.

    Args:
        verb: The command, named in errors.
        kind: Imports and returns the class of the node.
        fleet: The fleet.

    Raises:
        RunError: ROS is not installed.
        StartupError: ROS cannot start.
    """
    try:
        import rclpy

        make = kind()
    except ImportError as error:
        raise RunError(NO_ROS.format(verb, error)) from None
    from rclpy.signals import SignalHandlerOptions
    from velocity_mobility_ros.ros_io.process.start_errors import one_line_errors
    from velocity_mobility_ros.ros_io.process.teardown import destroy, shut_down

    ask_for_all_topics()
    node = None
    try:
        with one_line_errors():
            if not rclpy.ok():
                rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
            node = make(fleet)
        yield node
    finally:
        destroy([*FIRST, *([] if node is None else [node])])
        FIRST.clear()
        shut_down()
