"""Claims a node name on this machine, so that a second process with that name cannot start.

Discovery takes from 0.1 to 3 s and misses a node that starts at the same time. On one machine the
operating system decides at once, and releases the name when the process ends in any way.
"""

import errno
import hashlib
import os
import socket
import sys

from velocity_mobility_ros.core.environment.fast_dds import SERVERS
from velocity_mobility_ros.core.user_errors import StartupError

HAS_ABSTRACT_SOCKETS = sys.platform == 'linux'


def name_in_use(name: str) -> StartupError:
    """Return the error for a full node name that another node has."""
    return StartupError(
        f'{name} is already running; stop it, or start this one in another namespace '
        '(-r __ns:=/NAME; namespace:=NAME with ros2 launch) or ROS_DOMAIN_ID'
    )


class NameClaim:
    """Claim of a node name until it is closed or the process ends.

    It is an abstract socket, which leaves no file. Without abstract sockets, or with discovery
    switched off, nothing is claimed.

    Attributes:
        name: Full name of the node.
    """

    def __init__(self, name: str, domain: int, refusal: StartupError | None = None) -> None:
        """Claim a name.

        Args:
            name: Full name of the node.
            domain: The ROS domain.
            refusal: What to raise if it is claimed; None: that the node is running.

        Raises:
            StartupError: Another process on this machine holds it.
        """
        self.name = name
        self._socket: socket.socket | None = None
        if not HAS_ABSTRACT_SOCKETS or os.environ.get('ROS_AUTOMATIC_DISCOVERY_RANGE') == 'OFF':
            return
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.bind(address(name, domain))
        except OSError as error:
            self.close()
            if error.errno == errno.EADDRINUSE:
                raise refusal or name_in_use(name) from None

    def close(self) -> None:
        """Release the name."""
        if self._socket is not None:
            self._socket.close()


def address(name: str, domain: int) -> bytes:
    """Return the socket address for a full node name in a ROS domain."""
    server = os.environ.get(SERVERS, '')
    text = f'{domain} {server} {name}'
    return b'\0velocity_mobility_ros/' + hashlib.sha256(text.encode()).hexdigest().encode()
