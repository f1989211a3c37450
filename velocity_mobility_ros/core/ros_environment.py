"""What the environment tells ROS, looked at before ROS is: some values end a process in C.

Read from ``os.environ``. Where it cannot be known whether a value works, it is let pass.
"""

import os
import re
import sys
from pathlib import Path

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.shown import shown

LARGEST_DOMAIN = 232
"""The ports of DDS end here."""

NUMBER = re.compile(r'0|[1-9][0-9]{0,2}', re.ASCII)
"""One spelling each: ROS reads 010 as 8."""

DISCOVERY = 'ROS_AUTOMATIC_DISCOVERY_RANGE'
OFF = 'OFF'
LOCALHOST = 'LOCALHOST'
RANGES = (LOCALHOST, 'SUBNET', 'SYSTEM_DEFAULT')
"""What else rcl knows, letter by letter; with any other word it warns and chooses by itself."""

MIDDLEWARES = 'share/ament_index/resource_index/rmw_typesupport'
"""Where a ROS installation lists its implementations of rmw, one file each."""

NO_MIDDLEWARE = 'rmw_implementation'
"""The one of these that only chooses another."""


def domain_number() -> int:
    """Return the ROS domain that the environment asks for.

    Raises:
        StartupError: The environment names no domain.
    """
    text = os.environ.get('ROS_DOMAIN_ID', '') or '0'
    if not (NUMBER.fullmatch(text) and int(text) <= LARGEST_DOMAIN):
        raise StartupError(
            f'ROS_DOMAIN_ID={shown(text)} must be a whole number from 0 to {LARGEST_DOMAIN}'
        )
    return int(text)


def discovery_range() -> str:
    """Return how far discovery reaches, ``OFF`` or one of ``RANGES``; empty: it is not set.

    Raises:
        StartupError: The environment names none of them.
    """
    text = os.environ.get(DISCOVERY, '')
    if text and text not in (*RANGES, OFF):
        raise StartupError(f'{DISCOVERY}={shown(text)} must be {" or ".join(RANGES)}; or unset it')
    return text


def warn_of_isolation() -> None:
    """Say on standard error that a node hears nobody, where the environment has it so.

    Raises:
        StartupError: ROS does not know how far discovery should reach.
    """
    if discovery_range() == OFF:
        print(f'warning: {DISCOVERY}={OFF}: the node finds no other process', file=sys.stderr)


def check_discovery() -> None:
    """Refuse an environment in which processes do not find each other.

    Raises:
        StartupError: Discovery is switched off, or ROS does not know how far it should reach.
    """
    if discovery_range() == OFF:
        raise StartupError(
            f'{DISCOVERY}={OFF}: no process would find another; set it to LOCALHOST or SUBNET'
        )


def check_middleware() -> None:
    """Refuse a middleware that is not there; rcl would end the process without a word of ours.

    Raises:
        StartupError: None of that name is installed.
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
    """Return where ROS may be installed."""
    told = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    return [Path(text) for text in (*told, sys.prefix) if text]


def _middlewares() -> set[str]:
    """Return the implementations of rmw that installations list."""
    listed = {path.name for prefix in _prefixes() for path in (prefix / MIDDLEWARES).glob('*')}
    return listed - {NO_MIDDLEWARE}


def _is_library(name: str) -> bool:
    """Say whether a library lies where the loader is told to look, or beside ROS."""
    told = os.environ.get('LD_LIBRARY_PATH', '').split(os.pathsep)
    folders = [Path(text) for text in told if text] + [one / 'lib' for one in _prefixes()]
    return any((folder / name).exists() for folder in folders)
