"""The ROS domain of a command, and the node of an operator that is lent to it.

The domain is a valid number without another swarm in the same namespace. The node is taken down
again.
"""

import os
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import STOP, SWARM, Fleet, named_fleet
from velocity_mobility_ros.core.environment.fast_dds import ask_for_all_topics
from velocity_mobility_ros.core.environment.network import first_port
from velocity_mobility_ros.core.environment.ros_environment import (
    LARGEST_DOMAIN, check_discovery, check_middleware, domain_number
)
from velocity_mobility_ros.core.environment.unix_process import raise_interrupt
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim

if TYPE_CHECKING:
    from rclpy.node import Node


EPHEMERAL = range(102, 215)
"""Domains whose ports are among those that Linux assigns to any connection."""


def domain() -> int:
    """Return the domain set in the environment; warn of one that may not always work.

    Raises:
        StartupError: The environment sets no valid domain.
    """
    number = domain_number()
    if line := port_warning(number):
        print(f'warning: {line}', file=sys.stderr)
    return number


def port_warning(number: int) -> str:
    """Return that the ports of a domain may be in use, empty if they cannot be."""
    if number not in EPHEMERAL or sys.platform != 'linux':
        return ''
    return (
        f'ROS_DOMAIN_ID={number}: its ports, from {first_port(number)} on, are among those that '
        'Linux assigns to any program (32768 to 60999), so nodes may be missed; '
        f'0 to {EPHEMERAL[0] - 1} and {EPHEMERAL[-1] + 1} to {LARGEST_DOMAIN} are safe'
    )


def namespace_error(number: int, fleet: Fleet, sign: str) -> RunError:
    """Return the error for a namespace in use; ``sign`` is the evidence."""
    where = f' in {fleet.namespace}' if fleet.namespace else ''
    return RunError(
        f'ROS_DOMAIN_ID={number} already has a swarm{where} ({sign}): stop it, use another '
        '--namespace, or set ROS_DOMAIN_ID to a free number from 0 to '
        f'{EPHEMERAL[0] - 1}'
    )


LOOK_AROUND = 0.6
"""Wall time [s] to look for another swarm in the same namespace."""

SPIN_TIMEOUT = 0.02

UNKNOWN = '_NODE_NAMESPACE_UNKNOWN_'
"""Namespace that ROS gives before it has discovered the node of a publisher."""


def refuse_neighbours(fleet: Fleet, expected: Collection[str] = ()) -> None:
    """Refuse to share a namespace with another swarm; RViz and operators are welcome.

    Args:
        fleet: Names of the swarm.
        expected: Names of members whose nodes may be there.

    Raises:
        RunError: Nodes of a swarm are already in the namespace of the fleet.
    """
    import rclpy

    from velocity_mobility_ros.ros_io.autopilot.fleet_topics import FLY_ORDERS
    from velocity_mobility_ros.ros_io.process.teardown import destroy

    swarm = fleet.full_name(SWARM)
    welcome = {fleet.namespace_of(member) for member in expected}
    if expected:
        welcome.add(UNKNOWN)  # on a busy machine it may stay so
    probe = rclpy.create_node('swarm_probe')
    try:
        until = time.monotonic() + LOOK_AROUND
        while time.monotonic() < until:
            rclpy.spin_once(probe, timeout_sec=SPIN_TIMEOUT)
            topics = {name for name, _ in probe.get_topic_names_and_types()}
            # Operators speak also before there is a swarm; its members speak on other topics.
            topics -= {fleet.full_name(topic) for topic in (STOP, FLY_ORDERS)}
            named = sorted(topic for topic in topics if topic.startswith(swarm))
            ends = {topic: probe.get_publishers_info_by_topic(topic) for topic in named}
            taken = [topic for topic in named
                     if {end.node_namespace for end in ends[topic]} - welcome]  # fmt: skip
            if taken:
                raise namespace_error(probe.context.get_domain_id(), fleet, f'{taken[0]} is there')
    finally:
        destroy([probe])


class DomainClaim:
    """Holds a namespace of a domain on this machine until it is released or the process ends.

    A search for other nodes takes time and misses a run that starts at the same moment.
    Other users of the machine are refused as well, and no file is left.
    """

    def __init__(self, number: int, fleet: Fleet) -> None:
        """Claim the namespace of a fleet in a domain.

        Raises:
            RunError: Another run on this machine holds it.
        """
        try:
            self._claim = NameClaim(fleet.full_name('swarm run'), number)
        except StartupError:
            raise namespace_error(number, fleet, 'another run uses it') from None

    def __enter__(self) -> 'DomainClaim':
        """Hold it while a run lasts."""
        return self

    def __exit__(self, *error: object) -> None:
        """Release it."""
        self._claim.close()


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
    """Start discovery while Python still imports the command; errors come later.

    All nodes of a process share what its first one has found.
    """
    try:
        domain_number()
        check_middleware()
        check_discovery()
        import rclpy
        from rclpy.signals import SignalHandlerOptions

        ask_for_all_topics()
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        FIRST.append(rclpy.create_node(f'swarm_discovery_{os.getpid()}', **bare_node_options()))
    except Exception as error:  # the command itself says what is wrong
        raise_interrupt(error)


def bare_node_options() -> dict[str, Any]:
    """Return the options of a node without services of its own: these slow the start."""
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


def lend_node(verb: str, place: str, namespace: str) -> AbstractContextManager[Any]:
    """Lend a node whose module is imported only now.

    Args:
        verb: The command, named in errors.
        place: Module of the command line, and class of the node: ``fly.fly_node:FlyNode``.
        namespace: Namespace of the fleet, as the user wrote it.

    Raises:
        MobilityError: The namespace or the environment is invalid, or ROS is not installed.
    """
    module, _, name = place.partition(':')
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    kind = lambda: getattr(import_module(f'soliton_encirclement_ros.cli.{module}'), name)  # noqa: E731
    return ros_node(verb, kind, fleet)


@contextmanager
def ros_node(verb: str, kind: Callable[[], type[Operator]], fleet: Fleet) -> Iterator[Operator]:
    """Lend a node; ROS is ended afterwards, unless it had been started by somebody else.

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
        raise_interrupt(error)
        raise RunError(NO_ROS.format(verb, error)) from None
    from rclpy.signals import SignalHandlerOptions

    from velocity_mobility_ros.ros_io.process.start_errors import one_line_errors
    from velocity_mobility_ros.ros_io.process.teardown import destroy, shut_down

    ask_for_all_topics()
    node, is_ours = None, bool(FIRST) or not rclpy.ok()
    try:
        with one_line_errors():
            if not rclpy.ok():
                rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
            node = make(fleet)
        yield node
    finally:
        destroy([*FIRST, *([] if node is None else [node])])
        FIRST.clear()
        if is_ours:
            shut_down()
