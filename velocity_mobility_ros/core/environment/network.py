"""Network interfaces of this computer, and the other processes with ROS on it, as Linux has them.

On another system nothing is known.
"""

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

SIOCGIFFLAGS, SIOCGIFADDR = 0x8913, 0x8915
"""Requests to the kernel for the flags and the IPv4 address of an interface."""

IFF_UP, IFF_LOOPBACK, IFF_RUNNING, IFF_MULTICAST = 0x1, 0x8, 0x40, 0x1000

LOOPBACK = 'lo'

VIRTUAL = ('docker', 'br-', 'veth', 'virbr')
"""How the names of interfaces begin behind which only containers of this computer are."""

UDP = Path('/proc/net/udp')
SOCKETS = Path('/proc/self/fd')

SHARED_MEMORY = Path('/dev/shm')

OTHER_MEMORY = (
    f'a process has another {SHARED_MEMORY}, as in a container: start that with --ipc=host'
)

PORT_BASE, DOMAIN_GAIN, UNICAST, MULTICAST_GROUP = 7400, 250, 10, '239.255.0.1'
"""From the standard of DDS: where the ports of a domain begin, and the group of announcements."""

MOST_PARTICIPANTS = 32
"""Participants of a domain whose ports are looked for; the ports of later ones are rather those of
other programs, such as MAVLink's 14550."""

EPHEMERAL = 32768
"""The first port that Linux assigns to any program."""


class Interface(NamedTuple):
    """A network interface.

    Attributes:
        name: Its name.
        address: Its IPv4 address, empty if it has none.
        is_up: Whether it is up and connected.
        passes_multicast: Whether it is up to sending multicast.
    """

    name: str
    address: str
    is_up: bool
    passes_multicast: bool

    @property
    def is_usable(self) -> bool:
        """Whether ROS can use it: Fast DDS speaks IPv4."""
        return self.is_up and bool(self.address)

    @property
    def is_loopback(self) -> bool:
        """Whether it only leads back to this computer."""
        return self.address.startswith('127.') or self.name == LOOPBACK


def interfaces() -> list[Interface] | None:
    """Return the network interfaces, None if they are not known."""
    if sys.platform != 'linux':
        return None
    network = []
    # then they are not known: no more files can be opened
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            flags = struct.unpack_from('H', _ioctl(probe, SIOCGIFFLAGS, name), 16)[0]
            address = socket.inet_ntoa(_ioctl(probe, SIOCGIFADDR, name)[20:24])
            is_up = flags & IFF_UP and flags & IFF_RUNNING
            given = '' if address == '0.0.0.0' else address
            network.append(Interface(name, given, bool(is_up), bool(flags & IFF_MULTICAST)))
        return network
    return None


def _ioctl(probe: socket.socket, request: int, name: str) -> bytes:
    """Return the answer of the kernel about an interface, zeros if there is none."""
    import fcntl

    try:
        return fcntl.ioctl(probe, request, struct.pack('256s', name.encode()[:15]))
    except OSError:  # it has no address, or is gone
        return bytes(256)


def has_loopback(interfaces: Iterable[Interface]) -> bool:
    """Return whether loopback is among interfaces, and up."""
    return any(interface.is_loopback and interface.is_usable for interface in interfaces)


def links(interfaces: Iterable[Interface] | None) -> dict[str, str]:
    """Return the addresses by which other computers are reached, by name of the interface."""
    return {
        link.name: link.address
        for link in interfaces or ()
        if link.is_usable and not link.is_loopback and not link.name.startswith(VIRTUAL)
    }


def first_port(domain: int) -> int:
    """Return the first port of a ROS domain, that of its announcements."""
    return PORT_BASE + DOMAIN_GAIN * domain


class Participant(NamedTuple):
    """A process with ROS on this computer: its domain, user, and the port of its messages."""

    domain: int
    user: int
    port: int


def participants(udp: Path = UDP, own: Path = SOCKETS) -> list[Participant]:
    """Return the other processes with ROS on this network, by their ports.

    Args:
        udp: The kernel's list of sockets.
        own: Folder with the open files of this process.
    """
    users = dict(_sockets(udp, own))
    return [
        Participant((port - PORT_BASE) // DOMAIN_GAIN, user, port)
        for port, user in sorted(users.items())
        if _is_for_messages(port) and port - 1 in users
    ]


def _is_for_messages(port: int) -> bool:
    """Return whether it is the second port of a participant; the first is for discovery."""
    number, is_second = divmod((port - PORT_BASE) % DOMAIN_GAIN - UNICAST, 2)
    return bool(is_second) and 0 <= number < MOST_PARTICIPANTS and PORT_BASE < port < EPHEMERAL


def _sockets(udp: Path, own: Path) -> Iterator[tuple[int, int]]:
    """Iterate over port and user of the UDP sockets of other processes."""
    with contextlib.suppress(OSError):  # not Linux: none are known
        own_sockets = set(_own_sockets(own))
        for line in udp.read_text(encoding='ascii').splitlines()[1:]:
            fields = line.split()
            if f'socket:[{fields[9]}]' not in own_sockets:
                yield int(fields[1].rpartition(':')[2], 16), int(fields[7])


def _own_sockets(folder: Path) -> Iterator[str]:
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # closed meanwhile
            yield os.readlink(path)


def memory_gap(domain: int) -> str:
    """Return which processes of a domain on this computer do not share memory with this one.

    In words, with the remedy; empty if all do. Those that use UDP alone need not.
    """
    user = os.geteuid()
    processes = [process for process in participants() if process.domain == domain]
    others = sorted({process.user for process in processes} - {user})
    if others:
        return (
            f'shared memory is not shared with another user (uid {", ".join(map(str, others))}, '
            f'here {user}): run all as one'
        )
    return '' if all(_shares_memory(process.port) for process in processes) else OTHER_MEMORY


def _shares_memory(port: int) -> bool:
    """Return whether the shared memory of a process is here, by the port of its messages."""
    return any((SHARED_MEMORY / f'{name}_port{port}').exists() for name in ('fastrtps', 'fastdds'))
