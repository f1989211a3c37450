"""Claims a name on this computer, without ROS, so that a second process cannot have it.

The claim is an abstract socket: the operating system decides at once, where discovery takes up to
3 s and misses a node that starts at the same time, and releases the name when the process ends in
any way.
"""

import errno
import hashlib
import os
import socket
import sys

from velocity_mobility_ros.core.environment.fast_dds import SERVERS
from velocity_mobility_ros.core.user_errors import StartupError

HAS_ABSTRACT_SOCKETS = sys.platform == 'linux'


class NameClaim:
    """Claim of a name on this computer until it is closed or the process ends.

    Without abstract sockets, or with discovery switched off, nothing is claimed.
    """

    def __init__(self, name: str, domain: int, refusal: str = '') -> None:
        """Claim a name.

        Args:
            name: Full name of the node.
            domain: The ROS domain.
            refusal: What to say if it is claimed; empty: that the node is running.

        Raises:
            StartupError: Another process on this computer holds it.
        """
        self._socket: socket.socket | None = None
        if not HAS_ABSTRACT_SOCKETS or os.environ.get('ROS_AUTOMATIC_DISCOVERY_RANGE') == 'OFF':
            return
        text = f'{domain} {os.environ.get(SERVERS, "")} {name}'
        address = b'\0velocity_mobility_ros/' + hashlib.sha256(text.encode()).hexdigest().encode()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.bind(address)
        except OSError as error:
            self.close()
            if error.errno == errno.EADDRINUSE:
                raise StartupError(
                    refusal
                    or f'{name} is already running; stop it, or start this one in another '
                    'namespace (-r __ns:=/NAME; namespace:=NAME with ros2 launch) or ROS_DOMAIN_ID'
                ) from None

    @property
    def is_closed(self) -> bool:
        """Whether it has been released."""
        return self._socket is not None and self._socket.fileno() < 0

    def close(self) -> None:
        """Release the name."""
        if self._socket is not None:
            self._socket.close()
