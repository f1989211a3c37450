"""The ROS domain of a run: a valid number, and nobody else's swarm in it."""

import fcntl
import os
import tempfile
from pathlib import Path

from soliton_encirclement_ros.core.errors import RunError

LARGEST_DOMAIN = 101
"""Beyond this the ports of DDS reach into those that Linux hands out to anybody."""


def domain() -> int:
    """Return the domain that the environment asks for.

    Raises:
        RunError: The environment names no usable domain.
    """
    text = os.environ.get('ROS_DOMAIN_ID', '') or '0'
    if not (text.isascii() and text.isdigit() and int(text) <= LARGEST_DOMAIN):
        raise RunError(
            f'ROS_DOMAIN_ID={text!r} must be a whole number from 0 to {LARGEST_DOMAIN}'
        )
    return int(text)


def clash(number: int, sign: str) -> RunError:
    """Return the error for a domain that is taken; ``sign`` says how that shows."""
    return RunError(
        f'ROS_DOMAIN_ID={number} already has a swarm ({sign}): stop it, or set ROS_DOMAIN_ID to a '
        f'free number from 0 to {LARGEST_DOMAIN}'
    )


class DomainClaim:
    """Holds a domain on this machine until it is released or the process ends, however it ends.

    Looking around for other nodes takes time and misses a run that starts at the same moment; a
    file lock does not.
    """

    def __init__(self, number: int) -> None:
        """Claim a domain.

        Raises:
            RunError: Another run on this machine holds it.
        """
        path = Path(tempfile.gettempdir()) / f'soliton_encirclement_domain_{number}.lock'
        self._file = os.open(path, os.O_CREAT | os.O_RDONLY, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise clash(number, 'another run holds it') from None

    def __enter__(self) -> 'DomainClaim':
        """Hold the domain while a run lasts."""
        return self

    def __exit__(self, *error: object) -> None:
        """Let go of the domain."""
        os.close(self._file)
