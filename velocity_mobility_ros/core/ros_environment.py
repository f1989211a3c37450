"""Checks of the environment variables of ROS before rclpy is imported.

With some values rclpy ends the process in C. A value that cannot be checked is accepted.
"""

import os
import re
import sys
from pathlib import Path

from velocity_mobility_ros.core.discovery_server import SERVERS, check_servers
from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.shown import shown

LARGEST_DOMAIN = 232
"""Largest domain with valid DDS ports."""

NUMBER = re.compile(r'0|[1-9][0-9]{0,2}', re.ASCII)
"""No leading zeros: ROS reads 010 as octal."""

DISCOVERY = 'ROS_AUTOMATIC_DISCOVERY_RANGE'
PEERS = 'ROS_STATIC_PEERS'
OFF = 'OFF'
LOCALHOST = 'LOCALHOST'
SUBNET = 'SUBNET'
SYSTEM_DEFAULT = 'SYSTEM_DEFAULT'
RANGES = (LOCALHOST, SUBNET, SYSTEM_DEFAULT)
"""The other values of rcl, case-sensitive; for an unknown one it warns and uses a default."""

MIDDLEWARES = 'share/ament_index/resource_index/rmw_typesupport'
"""Where a ROS installation lists its implementations of rmw, one file each."""

NO_MIDDLEWARE = 'rmw_implementation'
"""The entry that only selects another one."""


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


def discovery_text() -> str:
    """Return the domain and the way in which processes find each other, in ROS's own terms.

    Raises:
        StartupError: The domain or the discovery range is invalid.
    """
    server, peers = os.environ.get(SERVERS), os.environ.get(PEERS)
    localhost_only = os.environ.get('ROS_LOCALHOST_ONLY') == '1'
    way = LOCALHOST if localhost_only else discovery_range() or SUBNET
    if server:
        way = f'by server {server}'
    elif peers:
        way += f' with static peers {peers}'
    return f'ROS domain {domain_number()}, discovery {way}'


def warn_of_isolation() -> None:
    """Warn on standard error if discovery is switched off, or static peers are not used.

    Raises:
        StartupError: The discovery range or the list of discovery servers is invalid.
    """
    chosen = discovery_range()
    if chosen == OFF:
        print(f'warning: {DISCOVERY}={OFF}: the node finds no other process', file=sys.stderr)
    elif chosen == SYSTEM_DEFAULT and os.environ.get(PEERS):
        line = f'{DISCOVERY}={chosen}: {PEERS} is ignored; set {LOCALHOST} or {SUBNET}'
        print(f'warning: {line}', file=sys.stderr)
    check_servers()


def check_discovery() -> None:
    """Refuse an environment in which processes do not find each other.

    Raises:
        StartupError: Discovery is switched off, or its range or list of servers is invalid.
    """
    if discovery_range() == OFF:
        raise StartupError(
            f'{DISCOVERY}={OFF}: no process would find another; set it to LOCALHOST or SUBNET'
        )
    check_servers()


def check_middleware() -> None:
    """Refuse a middleware that is not installed; rcl would end the process in C.

    Raises:
        StartupError: It is not installed.
    """
    name = os.environ.get('RMW_IMPLEMENTATION', '')
    known = _middlewares()
    if not name or not known or name in known or _is_library(f'librmw_{name[4:]}.so'):
        return
    raise StartupError(
        f'RMW_IMPLEMENTATION={shown(name)} is not installed, must be '
        f'{" or ".join(sorted(known))}; or unset it'
    )


def _prefixes() -> list[Path]:
    """Return the folders in which ROS may be installed."""
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    return [Path(text) for text in (*prefixes, sys.prefix) if text]


def _middlewares() -> set[str]:
    """Return the implementations of rmw that installations list."""
    listed = {path.name for prefix in _prefixes() for path in (prefix / MIDDLEWARES).glob('*')}
    return listed - {NO_MIDDLEWARE}


def _is_library(name: str) -> bool:
    """Return whether a library is on the path of the loader, or beside ROS."""
    search_path = os.environ.get('LD_LIBRARY_PATH', '').split(os.pathsep)
    folders = [Path(text) for text in search_path if text] + [one / 'lib' for one in _prefixes()]
    return any((folder / name).exists() for folder in folders)
