"""Full names in a fleet: its namespace, its topics and those of its members.

Several fleets can share a ROS domain, each in a namespace of its own. At the root the namespace
is empty, and the names are ``/swarm/metrics``, ``/uav_1/odom``, ``/clock``.
"""

import re
from typing import NamedTuple

from velocity_mobility_ros.core.errors import ParameterError

NAMESPACE = re.compile(r'/?|/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*', re.ASCII)

MAX_NAMESPACE_LENGTH = 180
"""Characters; ROS 2 allows 245, and the names of a fleet's nodes, topics and services follow."""


class Fleet(NamedTuple):
    """The names of one fleet.

    Attributes:
        namespace: Full name of its namespace, such as ``/fleet``; empty at the root.
    """

    namespace: str = ''

    def full_name(self, name: str) -> str:
        """Return the full name of a topic, node or member: ``/fleet/swarm/metrics``."""
        return f'{self.namespace}/{name}'

    def namespace_of(self, member: str) -> str:
        """Return the namespace of a member, of the fleet for an empty name; ``/`` is the root."""
        return self.full_name(member).rstrip('/') or '/'

    def member_topic(self, member: str, name: str) -> str:
        """Return the full name of a member's topic: ``/fleet/uav_1/odom``."""
        return f'{self.namespace}/{member}/{name}'

    def has(self, topic: str) -> bool:
        """Return whether the full name of a topic is in the namespace of the fleet."""
        return topic.startswith(f'{self.namespace}/')


ROOT = Fleet()


def fleet_in(namespace: str) -> Fleet:
    """Return the fleet whose world, monitor or recorder is in a namespace, ``/`` at the root."""
    return Fleet(namespace.rstrip('/'))


def fleet_above(namespace: str) -> Fleet:
    """Return the fleet of the member with a namespace: ``/fleet`` for ``/fleet/uav_1``."""
    return Fleet(namespace.rstrip('/').rpartition('/')[0])


def named_fleet(text: str, source: str) -> Fleet:
    """Return the fleet in a namespace that a user has written.

    Args:
        text: The namespace, with or without the first slash; ``/`` is the root.
        source: The parameter or option the text was given for, named in the error.

    Raises:
        ParameterError: The text is not a valid ROS 2 namespace.
    """
    if not NAMESPACE.fullmatch(text):
        raise ParameterError(
            f'{source} = {text!r} must be a namespace such as /fleet: letters, digits and _, '
            'no digit first, / between its parts and none at the end'
        )
    if len(text) > MAX_NAMESPACE_LENGTH:
        raise ParameterError(
            f'{source} = {text[:20]!r}... has {len(text)} characters, must be at most '
            f'{MAX_NAMESPACE_LENGTH}'
        )
    return Fleet(f'/{text.strip("/")}' if text.strip('/') else '')
