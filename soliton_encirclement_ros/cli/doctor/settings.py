"""Checks of ROS: its installation, its settings, and the network as it uses it."""

import importlib.util
import os
import shutil
from collections.abc import Collection

from velocity_mobility_ros.core.discovery_server import (
    SERVERS,
    check_servers,
    server_warnings,
)
from velocity_mobility_ros.core.errors import MobilityError, StartupError
from velocity_mobility_ros.core.network import SHARED_MEMORY, Interface, links, memory_gap
from velocity_mobility_ros.core.ros_environment import (
    DISCOVERY,
    LOCALHOST,
    OFF,
    TRANSPORTS,
    UDP_ONLY,
    check_interfaces,
    check_middleware,
    discovery_text,
    discovery_warnings,
    domain_number,
    interface_warnings,
    range_in_force,
)

from soliton_encirclement_ros.cli.doctor.announcements import multicast_fault
from soliton_encirclement_ros.cli.doctor.check import ERROR, WARNING, Check, judged
from soliton_encirclement_ros.cli.libraries import explain
from soliton_encirclement_ros.cli.processes.domain import port_warning

TESTED = ('jazzy', 'kilted')
"""Distributions of ROS with which the tests run."""

DEFAULT_MIDDLEWARE = 'rmw_fastrtps_cpp'

MESSAGES = (
    'diagnostic_msgs', 'geometry_msgs', 'nav_msgs', 'rosgraph_msgs', 'sensor_msgs', 'std_srvs',
    'visualization_msgs',
)  # fmt: skip
"""Message packages that nodes need."""

MEGA, GIGA = 1e6, 1e9

LEAST_MEMORY = 16 * MEGA
"""Free shared memory [bytes]: Fast DDS takes 0.5 MB for each process, and more for its topics."""


def ros_check() -> Check:
    """Check that ROS and the messages are installed."""
    told = os.environ.get('ROS_DISTRO', '')  # by setup.bash; the packages of PyPI do not
    distribution = told or 'distribution not known'
    missing = [name for name in MESSAGES if importlib.util.find_spec(name) is None]
    try:
        check_middleware()  # without it the import ends the process
        import rclpy
    except ImportError as error:
        return Check('ROS', 'not installed', ERROR, explain(error) or str(error))
    except MobilityError as error:
        return Check('ROS', distribution, ERROR, str(error))
    value = f'{distribution}, {os.path.dirname(rclpy.__file__)}'
    if missing:
        return Check(
            'ROS', value, ERROR,
            f'{", ".join(missing)} missing: install ros-DISTRO-NAME, or pip install ros-NAME',
        )  # fmt: skip
    if told and told not in TESTED:
        return Check('ROS', value, WARNING, f'tested with {" and ".join(TESTED)} (ROS_DISTRO)')
    return Check('ROS', value)


def middleware_check() -> Check:
    """Check the implementation of rmw."""
    chosen = os.environ.get('RMW_IMPLEMENTATION', '')
    foreign = 'advice on discovery and shared memory is for Fast DDS: unset RMW_IMPLEMENTATION'
    lines = [] if 'fastrtps' in (chosen or DEFAULT_MIDDLEWARE) else [foreign]
    value = chosen or f'{DEFAULT_MIDDLEWARE} (default)'
    return judged('middleware', value, check_middleware, lines=lines)


def domain_check() -> Check:
    """Check the ROS domain."""
    value = os.environ.get('ROS_DOMAIN_ID', '') or '0 (default)'
    try:
        lines = [*filter(None, [port_warning(domain_number())])]
    except StartupError:
        lines = []
    return judged('domain', value, domain_number, lines=lines)


def discovery_check() -> Check:
    """Check the settings by which processes find each other."""

    def refuse_off() -> None:
        if range_in_force() == OFF:
            raise StartupError(f'{DISCOVERY}={OFF}: nothing is found; set {LOCALHOST} or SUBNET')

    def refuse_dead_servers() -> None:
        dead = server_warnings()
        if dead and len(dead) == len([*filter(None, os.environ[SERVERS].split(';'))]):
            raise StartupError('; '.join(dead))

    try:
        value, lines = discovery_text().partition('discovery ')[2], discovery_warnings()
        if os.environ.get(SERVERS) and not lines:
            value += ' (whether it runs cannot be asked)'
    except StartupError:
        value, lines = os.environ.get(DISCOVERY, ''), []
    rules = range_in_force, refuse_off, check_servers, refuse_dead_servers
    return judged('discovery', value, *rules, lines=lines)


def interfaces_check(found: Collection[Interface] | None) -> Check:
    """Check the network interfaces."""
    if found is None:
        return Check('interfaces', 'not known')
    up = [f'{one.name} {one.address}' for one in found if one.is_usable]
    down = [one.name for one in found if not one.is_usable]
    value = ', '.join(up or ['none up']) + (f'; down: {", ".join(down)}' if down else '')
    rules = range_in_force, lambda: check_interfaces(is_local=True)
    try:
        lines = interface_warnings()
    except StartupError:
        lines = []
    return judged('interfaces', value, *rules, lines=lines)


def multicast_check(found: Collection[Interface] | None) -> Check:
    """Check that multicast passes through the interfaces, where it is used."""
    used, way = links(found), range_in_force()
    if way in (LOCALHOST, OFF):
        return Check('multicast', f'not used with {way}')
    if not used:
        return Check('multicast', 'no interface for it')
    faults = {name: multicast_fault(address) for name, address in used.items()}
    good = ', '.join(name for name, fault in faults.items() if not fault)
    bad = [f'{name}: {fault}' for name, fault in faults.items() if fault]
    value = f'works on {good}' if good else 'does not work'
    if bad:
        cure = f'{"; ".join(bad)}: see the firewall, or name the others in ROS_STATIC_PEERS'
        return Check('multicast', value, WARNING if good else ERROR, cure)
    return Check('multicast', value)


def memory_check() -> Check:
    """Check that processes of this computer can share memory."""
    if os.environ.get(TRANSPORTS) in UDP_ONLY and range_in_force() != LOCALHOST:
        return Check('shared memory', f'not used ({TRANSPORTS}={os.environ[TRANSPORTS]})')
    if not os.access(SHARED_MEMORY, os.W_OK):
        return Check('shared memory', f'{SHARED_MEMORY} cannot be written; UDP is used instead')
    free = shutil.disk_usage(SHARED_MEMORY).free
    size = f'{free / GIGA:.1f} GB' if free >= GIGA else f'{free / MEGA:.0f} MB'
    gap = memory_gap(domain_number())
    if free < LEAST_MEMORY and not gap:
        gap = f'{SHARED_MEMORY} is nearly full, and UDP is used instead: fastdds shm clean'
    return Check('shared memory', f'{SHARED_MEMORY}, {size} free', WARNING if gap else 'ok', gap)


def px4_check() -> Check:
    """Check the messages for PX4, which only its bridge needs."""
    from velocity_mobility_ros.ros_io.autopilot.px4_types import installed_px4_types

    try:
        types = installed_px4_types()
    except StartupError as error:
        return Check('px4_msgs', 'not installed', cure=f'for PX4 alone: {error}')
    return Check('px4_msgs', types.in_words, WARNING if types.trouble else 'ok', types.trouble)
