"""Checks of the environment variables of ROS before rclpy is imported.

With some values rclpy ends the process in C. A value that cannot be checked is accepted.
"""

import os
import re
import sys
from collections.abc import Iterable

from velocity_mobility_ros.core.environment.fast_dds import (
    SERVERS, check_allowed_interfaces, check_servers, library, prefixes, profile_files,
    server_warnings
)
from velocity_mobility_ros.core.environment.network import has_loopback, interfaces, links
from velocity_mobility_ros.core.user_errors import StartupError, shown

LARGEST_DOMAIN = 232
"""Largest domain with valid DDS ports."""

NUMBER = re.compile(r'0|[1-9][0-9]{0,2}', re.ASCII)
"""No leading zeros: ROS reads 010 as octal."""

DISCOVERY = 'ROS_AUTOMATIC_DISCOVERY_RANGE'
PEERS = 'ROS_STATIC_PEERS'
LOCALHOST_ONLY = 'ROS_LOCALHOST_ONLY'
OFF = 'OFF'
LOCALHOST = 'LOCALHOST'
SUBNET = 'SUBNET'
SYSTEM_DEFAULT = 'SYSTEM_DEFAULT'
RANGES = (LOCALHOST, SUBNET, SYSTEM_DEFAULT)
"""The other values of rcl, case-sensitive; for an unknown one it warns and uses a default."""

TRANSPORTS = 'FASTDDS_BUILTIN_TRANSPORTS'
"""Which transports Fast DDS uses; with LOCALHOST rmw_fastrtps chooses them itself."""

UDP_ONLY = ('UDPv4', 'UDPv6')
"""Its values without shared memory."""

SHM = 'SHM'
"""Its value without a network."""

LOOPBACK_UP = 'sudo ip link set lo up'
NO_LOOPBACK = f'lo is down: processes of this computer do not hear each other; {LOOPBACK_UP}'
NO_LINK = (
    'no network interface is up but lo: other computers are not heard; connect the network, and '
    'start again what does not do so by itself'
)

MIDDLEWARES = 'share/ament_index/resource_index/rmw_typesupport'
"""Where a ROS installation lists its implementations of rmw, one file each."""

NO_MIDDLEWARE = 'rmw_implementation'
"""The entry that only selects another one."""


SECURITY, STRATEGY = 'ROS_SECURITY_ENABLE', 'ROS_SECURITY_STRATEGY'


def security_gap() -> str:
    """Return why anybody on the network can speak with nodes here; empty: keys are enforced."""
    if os.environ.get(SECURITY) != 'true':  # rcl knows no other word for it
        return f'security is off ({SECURITY} is not true): who is on this network can give orders'
    if os.environ.get(STRATEGY) != 'Enforce':
        return f'security is not enforced ({STRATEGY} is not Enforce): without keys it is off'
    return ''


def domain_number() -> int:
    """Return the ROS domain of the environment.

    Raises:
        StartupError: ROS_DOMAIN_ID is invalid.
    """
    text = os.environ.get('ROS_DOMAIN_ID', '') or '0'
    if not (NUMBER.fullmatch(text) and int(text) <= LARGEST_DOMAIN):
        raise StartupError(
            f'ROS_DOMAIN_ID={shown(text)} must be a whole number from 0 to {LARGEST_DOMAIN}'
        )
    return int(text)


def discovery_range() -> str:
    """Return the discovery range, ``OFF`` or one of ``RANGES``; empty: it is not set.

    Raises:
        StartupError: The value is invalid.
    """
    text = os.environ.get(DISCOVERY, '')
    if text and text not in (*RANGES, OFF):
        raise StartupError(f'{DISCOVERY}={shown(text)} must be {" or ".join(RANGES)}; or unset it')
    return text


def range_in_force() -> str:
    """Return the discovery range that ROS uses.

    Raises:
        StartupError: The discovery range is invalid.
    """
    chosen = discovery_range()
    return LOCALHOST if is_localhost_only() else chosen or SUBNET


def is_localhost_only() -> bool:
    """Return whether the older setting is on, beside which ROS ignores the range and peers."""
    return os.environ.get(LOCALHOST_ONLY) == '1'


def static_peers() -> str:
    """Return the peers that ROS asks, empty for none."""
    return '' if is_localhost_only() else os.environ.get(PEERS, '')


def is_alone() -> bool:
    """Return whether other computers are not looked for.

    Raises:
        StartupError: The discovery range is invalid.
    """
    others = os.environ.get(SERVERS) or static_peers()
    return range_in_force() in (LOCALHOST, OFF) and not others


def check_interfaces(is_local: bool = False) -> None:
    """Refuse a network in which no other node can be received.

    Without an interface nothing is found, not even by shared memory; without loopback nothing on
    the same computer. A process that uses shared memory alone needs neither.

    Args:
        is_local: Whether processes of this computer must hear each other.

    Raises:
        StartupError: No interface is up that is needed, or the discovery range is invalid.
    """
    network, range_ = interfaces(), range_in_force()
    if network is not None:
        check_allowed_interfaces(network)
    needs_none = os.environ.get(TRANSPORTS) == SHM and range_ != LOCALHOST
    if network is None or needs_none or range_ == OFF or profile_files():
        return
    if not any(interface.is_usable for interface in network):
        raise StartupError(
            'no network interface is up with an IPv4 address, not even lo: nobody would ever be '
            f'heard; {LOOPBACK_UP}, connect the network, and start again'
        )
    if not has_loopback(network) and (is_local or is_alone()):
        raise StartupError(f'{NO_LOOPBACK}, and start again')


def interface_warnings() -> list[str]:
    """Return a line for each fault of the network.

    Raises:
        StartupError: The discovery range is invalid.
    """
    network = interfaces()
    if network is None or is_alone():
        return []
    return [
        *([] if has_loopback(network) else [NO_LOOPBACK]),
        *([] if links(network) else [NO_LINK]),
    ]


def discovery_warnings() -> list[str]:
    """Return a line for each setting of discovery without effect, and for each dead server.

    Raises:
        StartupError: The discovery range is invalid.
    """
    range_, lines = range_in_force(), []
    for name in (DISCOVERY, PEERS) if is_localhost_only() else ():
        if (os.environ.get(name) or LOCALHOST) != LOCALHOST:
            lines.append(f'{LOCALHOST_ONLY}=1: {name} is ignored; unset {LOCALHOST_ONLY}')
    if range_ == OFF:
        lines.append(f'{DISCOVERY}={OFF}: the node finds no other process')
    if range_ == SYSTEM_DEFAULT and os.environ.get(PEERS):
        lines.append(f'{DISCOVERY}={range_}: {PEERS} is ignored; set {LOCALHOST} or {SUBNET}')
    return lines + server_warnings()


def discovery_text() -> str:
    """Return the domain and the way in which processes find each other, in ROS's own terms.

    Raises:
        StartupError: The domain or the discovery range is invalid.
    """
    server, peers = os.environ.get(SERVERS), static_peers()
    text = range_in_force()
    if server:
        text = f'by server {server}'
    elif peers:
        text += f' with static peers {peers}'
    return f'ROS domain {domain_number()}, discovery {text}'


def warn_of_isolation() -> None:
    """Refuse a network in which no node is received; warn on standard error of one with gaps.

    Raises:
        StartupError: No process would hear another, or a setting of discovery is invalid.
    """
    check_interfaces()
    check_servers()
    warn_of((*discovery_warnings(), *interface_warnings()))


def warn_of(lines: Iterable[str]) -> None:
    """Print warnings on standard error."""
    for line in lines:
        print(f'warning: {line}', file=sys.stderr)


def check_discovery(is_local: bool = False) -> None:
    """Refuse an environment in which processes do not find each other.

    Args:
        is_local: Whether processes of this computer must hear each other.

    Raises:
        StartupError: Discovery is switched off, its range or list of servers is invalid, or no
            network interface is up.
    """
    if discovery_range() == OFF:
        raise StartupError(
            f'{DISCOVERY}={OFF}: no process would find another; set it to LOCALHOST or SUBNET'
        )
    check_interfaces(is_local)
    check_servers()


def check_middleware() -> None:
    """Refuse a middleware that is not installed; rcl would end the process in C.

    Raises:
        StartupError: It is not installed.
    """
    name = os.environ.get('RMW_IMPLEMENTATION', '')
    known = _middlewares()
    if not name or not known or name in known or library(f'librmw_{name[4:]}.so'):
        return
    raise StartupError(
        f'RMW_IMPLEMENTATION={shown(name)} is not installed, must be '
        f'{" or ".join(sorted(known))}; or unset it'
    )


def _middlewares() -> set[str]:
    """Return the implementations of rmw that installations list."""
    names = {path.name for prefix in prefixes() for path in (prefix / MIDDLEWARES).glob('*')}
    return names - {NO_MIDDLEWARE}
