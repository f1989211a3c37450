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

DEFAULT_PORT = 11811

ANSWER_TIME = 0.05
"""Time [s] in which a computer of the same network says that nobody listens on a port."""


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


def dead_servers() -> list[str]:
    """Return the discovery servers, as ADDRESS:PORT, on whose port nobody listens.

    Of others nothing is known: a server that is there does not answer an empty message, and of a
    computer that is off, or behind a firewall, no answer comes either.
    """
    entries = filter(None, os.environ.get(SERVERS, '').split(';'))
    named = [found.groups() for entry in entries if (found := NAMED.fullmatch(entry))]
    return [
        f'{name}:{port or DEFAULT_PORT}'
        for name, port in named
        if _is_closed(name, int(port or DEFAULT_PORT))
    ]


def server_warnings() -> list[str]:
    """Return a line for the discovery servers that do not run, if there are any."""
    return [
        f'nobody listens on {one}, a discovery server ({SERVERS}): start it there, fastdds '
        f'discovery -i 0 -l {one.partition(":")[0]} -p {one.partition(":")[2]}'
        for one in dead_servers()
    ]


def _is_closed(name: str, port: int) -> bool:
    """Return whether a computer answers that nobody listens on a port of UDP."""
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        probe.settimeout(ANSWER_TIME)
        try:
            probe.connect((name, port))
            probe.send(b'')
            probe.recv(1)
        except ConnectionRefusedError:
            return True
        except OSError:
            return False  # no answer, or no way to it: nothing is known
    return False


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
