"""Announcements of ROS processes that arrive by multicast, of any domain, without ROS.

Every process that looks beyond its computer announces itself to its domain every three seconds.
"""

import contextlib
import itertools
import select
import socket
import struct
import time
from collections.abc import Iterable

from velocity_mobility_ros.core.network import MULTICAST_GROUP, first_port

DOMAINS = range(102)
"""Domains whose ports are their own."""

SIGN = b'RTPS'
"""How a message of DDS begins."""

WAIT = 3.2
"""Time for announcements [s]: a little more than from one to the next."""

HOST = slice(8, 12)
"""Where a message of DDS has what is the same for all processes of a computer."""

PROBE = b'swarm doctor'

ANSWER_TIME = 0.3
"""Time in which what is sent to oneself arrives [s]."""

LONGEST = 65536


class Announcements:
    """Sockets that wait for announcements; the kernel keeps what arrives until it is read."""

    def __init__(self, addresses: Iterable[str], domains: Iterable[int] = DOMAINS) -> None:
        """Begin to listen on the interfaces with some addresses."""
        self._addresses = tuple(addresses)
        self._sockets: dict[int, socket.socket] = {}
        self._begun = time.monotonic()
        self._heard: dict[int, dict[str, bytes]] = {}
        for domain in domains:
            with contextlib.suppress(OSError):  # another program has the port for itself
                self._sockets[domain] = listener(first_port(domain))
        for one, address in itertools.product(self._sockets.values(), self._addresses):
            with contextlib.suppress(OSError):  # ``multicast_fault`` says why
                join(one, address)

    def wait(self) -> None:
        """Wait for the time from one announcement to the next, since the beginning."""
        time.sleep(max(0.0, self._begun + WAIT - time.monotonic()))

    def heard(self) -> dict[int, dict[str, bytes]]:
        """Return the other computers that have announced processes until now.

        By domain, the address of each, with the identifier by which Fast DDS knows it.
        """
        for domain, one in self._sockets.items():
            with contextlib.suppress(BlockingIOError):  # all is read
                while True:
                    data, (address, _) = one.recvfrom(LONGEST)
                    if data.startswith(SIGN) and address not in self._addresses:
                        self._heard.setdefault(domain, {})[address] = data[HOST]
        return self._heard

    def close(self) -> None:
        """End it."""
        for one in self._sockets.values():
            one.close()


def listener(port: int) -> socket.socket:
    """Return a socket for multicast; others may listen there, too.

    Args:
        port: The port; 0: any.

    Raises:
        OSError: Another program has the port for itself.
    """
    found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        found.setblocking(False)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((MULTICAST_GROUP, port))
    except OSError:
        found.close()
        raise
    return found


def join(one: socket.socket, address: str) -> None:
    """Let multicast arrive that comes by the interface with an IPv4 address.

    Raises:
        OSError: There is no such interface, or it passes no multicast.
    """
    member = struct.pack('4s4s', socket.inet_aton(MULTICAST_GROUP), socket.inet_aton(address))
    one.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)


def multicast_fault(address: str) -> str:
    """Return why multicast that is sent on an interface does not come back, empty if it does.

    Args:
        address: IPv4 address of the interface.
    """
    try:
        with listener(0) as back, socket.socket(type=socket.SOCK_DGRAM) as out:
            join(back, address)
            out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
            out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
            out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 0)  # no farther than here
            out.sendto(PROBE, (MULTICAST_GROUP, back.getsockname()[1]))
            until = time.monotonic() + ANSWER_TIME
            while select.select([back], [], [], max(0.0, until - time.monotonic()))[0]:
                if back.recv(LONGEST) == PROBE:
                    return ''
    except OSError as error:
        return error.strerror or str(error)
    return 'what is sent does not come back'
