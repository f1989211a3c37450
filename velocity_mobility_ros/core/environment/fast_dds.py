"""Fast DDS: where ROS has its library, its files with settings, and its discovery server.

Fast DDS ignores a list of servers that it cannot read or resolve, and the node then finds others
without a server, or finds nobody.
"""

import os
import re
import socket
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from velocity_mobility_ros.core.environment.network import Interface
from velocity_mobility_ros.core.user_errors import StartupError, shown

OF_2, OF_3 = 'FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE'
"""Variables that name a file with settings. Fast DDS 2 reads the first, 3 with ROS both."""


def prefixes() -> list[Path]:
    """Return the folders in which ROS may be installed."""
    paths = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    return [Path(text) for text in (*paths, sys.prefix) if text]


def library(name: str) -> Path | None:
    """Return a library on the path of the loader, or beside ROS, None if there is none."""
    search_path = os.environ.get('LD_LIBRARY_PATH', '').split(os.pathsep)
    folders = [Path(text) for text in search_path if text] + [root / 'lib' for root in prefixes()]
    return next((folder / name for folder in folders if (folder / name).exists()), None)


def profile_files() -> dict[str, Path]:
    """Return the files with settings that Fast DDS reads, by variable."""
    return {name: Path(path) for name in (OF_2, OF_3) if (path := os.environ.get(name))}


def check_allowed_interfaces(interfaces: Iterable[Interface]) -> None:
    """Refuse files of settings that allow only interfaces which are not here.

    Raises:
        StartupError: With them nobody is ever heard.
    """
    own = {text for interface in interfaces if interface.is_usable for text in interface[:2]}
    for name, path in profile_files().items():
        try:
            root = ElementTree.parse(path).getroot()
        except (OSError, ElementTree.ParseError) as error:
            raise StartupError(f'{name}={shown(str(path))} cannot be read: {error}') from None
        allowed = sorted(_allowed_interfaces(root))
        if allowed and own.isdisjoint(allowed):
            raise StartupError(
                f'{name}={shown(str(path))} allows only {", ".join(allowed)}, and the interfaces '
                f'here are {", ".join(sorted(own)) or "down"}: nobody would ever be heard'
            )


def _allowed_interfaces(root: ElementTree.Element) -> set[str]:
    """Return the names and addresses in the lists of allowed interfaces, by old and new tags."""
    names: set[str] = set()
    for element in root.iter():
        tag = element.tag.rpartition('}')[2]  # without its namespace
        if tag == 'interfaceWhiteList':
            names |= {(child.text or '').strip() for child in element}
        elif tag == 'allowlist':
            names |= {child.get('name', '').strip() for child in element}
    return names - {''}


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
        fault = _server_fault(entry) if entry and not FORMAL.fullmatch(entry) else ''
        if fault:
            raise StartupError(f'{SERVERS}={shown(text)}: {fault}')


def dead_servers() -> list[str]:
    """Return the discovery servers, as ADDRESS:PORT, that do not listen on their port.

    Of others nothing is known: a server that is there does not answer an empty message, and of a
    computer that is off, or behind a firewall, no answer comes either.
    """
    entries = filter(None, os.environ.get(SERVERS, '').split(';'))
    servers = [match.groups() for entry in entries if (match := NAMED.fullmatch(entry))]
    return [
        f'{name}:{port or DEFAULT_PORT}'
        for name, port in servers
        if _is_closed(name, int(port or DEFAULT_PORT))
    ]


def server_warnings() -> list[str]:
    """Return a line for the discovery servers that do not run, if there are any."""
    return [
        f'nobody listens on {server}, a discovery server ({SERVERS}): start it there, fastdds '
        f'discovery -i 0 -l {server.partition(":")[0]} -p {server.partition(":")[2]}'
        for server in dead_servers()
    ]


def _is_closed(name: str, port: int) -> bool:
    """Return whether a computer answers that a port of UDP is closed."""
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


def _server_fault(entry: str) -> str:
    """Return the fault of an entry, empty if there is none."""
    match = NAMED.fullmatch(entry)
    if match is None:
        return f'{shown(entry)} must be ADDRESS:PORT; servers are separated by ;'
    name, port = match.groups()
    if port and int(port) > LARGEST_PORT:
        return f'port {port} must be at most {LARGEST_PORT}'
    try:
        socket.getaddrinfo(name, None)
    except (OSError, UnicodeError):
        return f'the address of {name} is not known; give its IP address'
    return ''
