"""Holds a node's name on this machine, so that a second process of that name cannot start.

Discovery finds nodes on other machines, but takes from 0.1 to 3 s and misses who starts at the
same instant. On one machine the operating system decides at once, and lets go of a name when its
process ends, however it ends.
"""

import errno
import hashlib
import os
import socket
import sys

from velocity_mobility_ros.core.errors import StartupError

HAS_ABSTRACT_SOCKETS = sys.platform == 'linux'


def already_there(name: str) -> StartupError:
    """Return the error for a node, by its full name, that runs somewhere else."""
    return StartupError(
        f'{name} is already there (same namespace and name); stop it, or give this one another '
        'namespace (-r __ns:=/NAME; namespace:=NAME with ros2 launch) or another ROS_DOMAIN_ID'
    )


class NameClaim:
    """The name of a node, held until it is closed or the process ends.

    It is an abstract socket, of which no file is left. Where the system has none, or processes are
    told not to discover each other, nothing is held.
    """

    def __init__(self, name: str, domain: int) -> None:
        """Claim a name.

        Args:
            name: Full name of the node.
            domain: The ROS domain.

        Raises:
            StartupError: Another process on this machine holds it.
        """
        self._socket: socket.socket | None = None
        if not HAS_ABSTRACT_SOCKETS or os.environ.get('ROS_AUTOMATIC_DISCOVERY_RANGE') == 'OFF':
            return
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.bind(address(name, domain))
        except OSError as error:
            self.close()
            if error.errno == errno.EADDRINUSE:
                raise already_there(name) from None

    def close(self) -> None:
        """Let go of the name."""
        if self._socket is not None:
            self._socket.close()


def address(name: str, domain: int) -> bytes:
    """Return the address that stands for a node's full name in a ROS domain."""
    server = os.environ.get('ROS_DISCOVERY_SERVER', '')
    text = f'{domain} {server} {name}'
    return b'\0velocity_mobility_ros/' + hashlib.sha256(text.encode()).hexdigest().encode()
