"""The ROS domain of a run: a valid number, and no other swarm in the same namespace."""

import sys

from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.core.network import first_port
from velocity_mobility_ros.core.ros_environment import LARGEST_DOMAIN, domain_number
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import Fleet

EPHEMERAL = range(102, 215)
"""Domains whose ports are among those that Linux assigns to any connection."""


def domain() -> int:
    """Return the domain set in the environment; warn of one that may not always work.

    Raises:
        StartupError: The environment sets no valid domain.
    """
    number = domain_number()
    if line := port_warning(number):
        print(f'warning: {line}', file=sys.stderr)
    return number


def port_warning(number: int) -> str:
    """Return that the ports of a domain may be in use, empty if they cannot be."""
    if number not in EPHEMERAL or sys.platform != 'linux':
        return ''
    return (
        f'ROS_DOMAIN_ID={number}: its ports, from {first_port(number)} on, are among those that '
        'Linux assigns to any program (32768 to 60999), so nodes may be missed; '
        f'0 to {EPHEMERAL[0] - 1} and {EPHEMERAL[-1] + 1} to {LARGEST_DOMAIN} are safe'
    )


def clash(number: int, fleet: Fleet, sign: str) -> RunError:
    """Return the error for a namespace in use; ``sign`` is the evidence."""
    where = f' in {fleet.namespace}' if fleet.namespace else ''
    return RunError(
        f'ROS_DOMAIN_ID={number} already has a swarm{where} ({sign}): stop it, use another '
        '--namespace, or set ROS_DOMAIN_ID to a free number from 0 to '
        f'{EPHEMERAL[0] - 1}'
    )


class DomainClaim:
    """Holds a namespace of a domain on this machine until it is released or the process ends.

    A search for other nodes takes time and misses a run that starts at the same moment.
    Other users of the machine are refused as well, and no file is left.
    """

    def __init__(self, number: int, fleet: Fleet) -> None:
        """Claim the namespace of a fleet in a domain.

        Raises:
            RunError: Another run on this machine holds it.
        """
        try:
            self._claim = NameClaim(fleet.full_name('swarm run'), number)
        except StartupError:
            raise clash(number, fleet, 'another run uses it') from None

    def __enter__(self) -> 'DomainClaim':
        """Hold it while a run lasts."""
        return self

    def __exit__(self, *error: object) -> None:
        """Release it."""
        self._claim.close()
