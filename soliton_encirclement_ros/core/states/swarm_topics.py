"""Names of a swarm's topics and of its members, and their full names in a fleet.

Several fleets can share a ROS domain, each in a namespace of its own. At the root the namespace
is empty, and the names are ``/swarm/metrics``, ``/uav_1/odom``, ``/clock``.
"""

import re
from typing import NamedTuple

from velocity_mobility_ros.core.user_errors import ParameterError

SWARM = 'swarm/'
"""Prefix of the swarm's topics within the namespace of the fleet."""

AGENT_STATES = 'swarm/agent_states'
TARGET_STATE = 'swarm/target_state'
ADVERSARY_STATE = 'swarm/adversary_state'
METRICS = 'swarm/metrics'
MARKERS = 'swarm/markers'
OBSERVER_PROGRESS = 'swarm/observer_progress'
STOP = 'swarm/stop'
SWARM_EMERGENCY_STOP = 'swarm/emergency_stop'
CLOCK = 'clock'

DIAGNOSTICS = '/diagnostics'
PARAMETER_EVENTS = '/parameter_events'

RECEIVED_STATES = 'received_states'
TARGET_BEARING = 'target_bearing'
TELEMETRY = 'telemetry'

GOAL_POSE, RESUME = 'goal_pose', 'resume'
"""Of the target: a topic that sends it somewhere, and a service that lets it move itself again."""

PAUSE, STEP = 'pause', 'step'
"""Services of the world of a lockstep run."""

WORLD = 'world'
AGENT = 'agent'
TARGET = 'target'
ADVERSARY = 'adversary'
SAFETY = 'safety'
MONITOR = 'monitor'
RECORDER = 'recorder'
ENGINE = 'engine'

SIMULATION = 'simulation'
"""The function of world and engine, as their diagnostics name it."""

BEGUN = 'begun_ns'
"""Key of when a run in real time began [ns], in the diagnostics of its world."""

MEASURING, RECORDING = 'metrics', 'recording'
"""What monitor and recorder do, as their diagnostics name it."""

MISSED_TICKS = 'missed_ticks'
"""Key of a member's share of missed ticks in its diagnostics."""

STOPPED = 'emergency_stop'
"""Key of whether a member is stopped, in its diagnostics."""

STOP_STAMP = 'stop_order_ns'
"""Key of the stamp of the newest order of the emergency stop that a member has heard."""

OWN_STOP = 'own_stop'
"""Key of why a member has stopped itself, in its diagnostics; empty if it has not."""

ODOM_TWIST = 'odom_twist'
"""Key of what the displacements of a member say of the frame of its twist, in its diagnostics."""

ODOM_TWIST_WRONG = 'other'
"""Its value for a twist in another frame than the member reads it in."""

MEMBERS_HEARD = 'members_heard'
"""Key of the members that a member has heard since its start, in its diagnostics."""

MEMBERS = 'members'
"""Key of all members that the monitor has heard, in its diagnostics."""

MORE_MEMBERS = '...'
"""Last name of a list of members that is cut, since there are too many."""

SHOWN = (MARKERS, 'uav_1/odom', 'target/odom')
"""Topics that the layout for RViz shows, by their names at the root."""

LARGEST_ID = 999_999_999
"""Nine digits, as the namespace of an agent may have."""

MAX_MEMBERS = 2000
"""Members that a listener tells apart: twice the largest swarm, so that no sender fills the
memory."""

UAV = re.compile(r'uav_(0|[1-9][0-9]{0,8})', re.ASCII)


def uav(agent_id: int | str) -> str:
    """Return the name of agent k: ``uav_k``."""
    return f'uav_{agent_id}'


def uav_id(name: str) -> int | None:
    """Return k for the name ``uav_k``, None for any other (each k has one spelling)."""
    match = UAV.fullmatch(name)
    return int(match[1]) if match else None


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
