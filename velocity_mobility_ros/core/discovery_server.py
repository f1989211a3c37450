"""The discovery server of Fast DDS, as the environment names it.

Fast DDS ignores a list of servers that it cannot read or resolve, and the node then finds others
without a server, or finds nobody.
"""

import os
import re
import socket

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.shown import shown

SERVERS = 'ROS_DISCOVERY_SERVER'
SUPER_CLIENT = 'ROS_SUPER_CLIENT'

LARGEST_PORT = 65535

NAMED = re.compile(r'([\w.-]{1,63})(?::([0-9]{1,9}))?', re.ASCII)
"""Name or IPv4 address of a computer, and a port."""

FORMAL = re.compile(r'.*\[.*|.*:.*:.*')
"""Notations that are left to Fast DDS: ``UDPv4:[10.0.0.10]:11811``, IPv6."""


def check_servers() -> None:
    """Refuse a list of discovery servers that Fast DDS would ignore.

    Raises:
        StartupError: An entry is no address, or its name cannot be resolved.
    """
    text = os.environ.get(SERVERS, '')
    for entry in text.split(';'):
        fault = _fault(entry) if entry and not FORMAL.fullmatch(entry) else ''
        if fault:
            raise StartupError(f'{SERVERS}={shown(text)}: {fault}')


def ask_for_all_topics() -> None:
    """Let this process receive all topics from a discovery server; call it before ``rclpy.init``.

    By default a server tells a process only of topics that the process itself uses.
    """
    if os.environ.get(SERVERS):
        os.environ.setdefault(SUPER_CLIENT, 'TRUE')


def _fault(entry: str) -> str:
    """Return the fault of an entry, empty if there is none."""
    found = NAMED.fullmatch(entry)
    if found is None:
        return f'{shown(entry)} must be ADDRESS:PORT; servers are separated by ;'
    name, port = found.groups()
    if port and int(port) > LARGEST_PORT:
        return f'port {port} must be at most {LARGEST_PORT}'
    try:
        socket.getaddrinfo(name, None)
    except (OSError, UnicodeError):
        return f'the address of {name} is not known; give its IP address'
    return ''
