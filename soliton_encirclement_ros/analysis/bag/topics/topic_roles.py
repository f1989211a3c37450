"""Assignment of topics to members by the usual names and types."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.analysis.bag.topics.fleets import (
    CLOCK_TYPE,
    JOINT_STATE,
    choose,
    fleets,
)
from soliton_encirclement_ros.analysis.bag.topics.namespaces import (
    namespace,
    of_px4,
    short_names,
    subject,
)
from soliton_encirclement_ros.analysis.bag.topics.topic_map import (
    CMD_VEL,
    ODOM,
    TELEMETRY,
    TRUTH,
    TopicMap,
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.fleet_names import ROOT
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE,
    AGENT_STATES,
    CLOCK,
    METRICS,
    TARGET_STATE,
)

WORDS, FIGURES, TIME = 'words', 'metrics', 'clock'
"""Roles of the swarm's own topics, besides those of a vehicle."""

ODOMETRY, POSE = 'nav_msgs/msg/Odometry', 'geometry_msgs/msg/PoseStamped'
POSE_COVARIANCE = 'geometry_msgs/msg/PoseWithCovarianceStamped'
TWIST, TWIST_STAMPED = 'geometry_msgs/msg/Twist', 'geometry_msgs/msg/TwistStamped'
LOCAL_POSITION = 'px4_msgs/msg/VehicleLocalPosition'
VEHICLE_ODOMETRY = 'px4_msgs/msg/VehicleOdometry'
SETPOINT = 'px4_msgs/msg/TrajectorySetpoint'

SWARM = {
    (AGENT_STATES, JOINT_STATE): WORDS,
    (TARGET_STATE, JOINT_STATE): WORDS,
    (ADVERSARY_STATE, JOINT_STATE): WORDS,
    (METRICS, JOINT_STATE): FIGURES,
    (CLOCK, CLOCK_TYPE): TIME,
}
POSES = (POSE, POSE_COVARIANCE)
PLACES = {ODOMETRY: 0, LOCAL_POSITION: 1, VEHICLE_ODOMETRY: 2, POSE: 3, POSE_COVARIANCE: 4}
"""Types with the position of a body, in order of preference."""

WISHES = {TWIST_STAMPED: 0, TWIST: 1, SETPOINT: 2}
"""Types with a command to a vehicle, in order of preference."""

TELLING = {ODOM: PLACES, CMD_VEL: WISHES, TELEMETRY: (JOINT_STATE,), TRUTH: (ODOMETRY,)}
"""Supported types for a map file."""

PX4 = (LOCAL_POSITION, VEHICLE_ODOMETRY, SETPOINT)

NAMES_OF_POSES = ('pose', ODOM, 'odometry')
"""Topic names for the vehicle's own pose, not a goal's."""

ASTRAY = ('cmd_vel_legacy',)
"""Has the type of a velocity command, but is Crazyflie's tilt and thrust."""

USUAL = {
    ODOM, CMD_VEL, 'odometry', 'pose', 'vehicle_local_position', 'vehicle_odometry',
    'trajectory_setpoint',
}  # fmt: skip
"""Contents of topics with a vehicle's own position or commands."""

MAX_NAMED = 8
"""Maximum number of topics in one line."""


Rank = tuple[int, int, int, str]


class Role(NamedTuple):
    """Role of a topic.

    Attributes:
        kind: ``odom``, ``ground_truth``, ``cmd_vel``, ``telemetry``, ``words``, ``metrics`` or
            ``clock``.
        member: Its member; empty for the swarm's own topics.
        rank: Smaller is better if several topics have the same role.
    """

    kind: str
    member: str = ''
    rank: Rank = (0, 0, 0, '')


Key = tuple[str, str]
"""A topic's name and type."""


def roles(keys: Iterable[Key], naming: TopicMap | None) -> dict[Key, Role]:
    """Return the role of every topic; irrelevant topics are left out."""
    keys = list(keys)
    found = _shared(set(keys))
    if naming is not None:
        return found | _named(keys, naming)
    vehicles = {key: kind for key in keys if (kind := _kind(*key))}
    names = short_names({namespace(topic) for topic, _ in vehicles})
    for (topic, type_name), kind in vehicles.items():
        role = Role(kind, names[namespace(topic)], rank(topic, type_name))
        found[topic, type_name] = role
    return found


def _shared(keys: set[Key]) -> dict[Key, Role]:
    """Return the roles of a fleet's topics; simulated time may be shared by all fleets."""
    fleet = choose(fleets(keys), None)
    own = {(fleet.full_name(name), kind): role for (name, kind), role in SWARM.items()}
    if (fleet.full_name(CLOCK), CLOCK_TYPE) not in keys:
        own[ROOT.full_name(CLOCK), CLOCK_TYPE] = TIME
    return {key: Role(role) for key, role in own.items() if key in keys}


def unmatched(keys: Iterable[Key], naming: TopicMap) -> list[str]:
    """Return a line for every topic of a map that the bag lacks, or has with another type.

    Raises:
        RunError: It has none of them, or none with a supported type.
    """
    types: dict[str, set[str]] = {}
    for topic, type_name in keys:
        types.setdefault(topic, set()).add(type_name)
    lines, matched = [], 0
    for member, topics in naming.topics.items():
        for kind, topic in topics.items():
            where = f'{naming.path.name}: {member}.{kind} = {topic}'
            if topic not in types:
                near = difflib.get_close_matches(topic, types, 1)
                hint = ''.join(f'; meant {one!r}?' for one in near)
                lines.append(f'{where} is not in the bag{hint}')
            elif not any(fits(kind, type_name) for type_name in types[topic]):
                found = ', '.join(sorted(types[topic]))
                can = ', '.join(name.rpartition('/')[2] for name in TELLING[kind])
                lines.append(f'{where} is of type {found}, which tells no {kind} ({can} do)')
            else:
                matched += 1
    if not matched:
        raise RunError(f'{naming.path}: none of its topics is of use: {lines[0]}')
    return lines


def overlooked(keys: Iterable[Key], chosen: Mapping[Key, Role]) -> list[str]:
    """Return a line on topics with a supported type that are excluded by their names."""
    kinds = PLACES | WISHES
    found = [key for key in sorted(keys) if key[1] in kinds and key not in chosen]
    if not found:
        return []
    return [f'not used, since other names are usual: {listed(found)}; '
            'a map file (--map) can name them']  # fmt: skip


def listed(keys: Sequence[Key]) -> str:
    """Return topics with their types, as many as one line holds."""
    named = [f'{topic} ({kind.rpartition("/")[2]})' for topic, kind in keys[:MAX_NAMED]]
    more = len(keys) - len(named)
    return ', '.join(named) + (f' and {more} more' if more else '')


def rank(topic: str, type_name: str) -> Rank:
    """Return the rank of a topic: by type, whether it has the usual name, and its depth.

    PX4 topics with other names are inputs of its estimator, and come last.
    """
    kinds = PLACES | WISHES
    is_unusual = subject(topic) not in USUAL
    aside = len(kinds) * (is_unusual and type_name in PX4)
    return kinds.get(type_name, 0) + aside, int(is_unusual), topic.count('/'), topic


def fits(kind: str, type_name: str) -> bool:
    """Return whether a message of a type can have this role."""
    return type_name in TELLING[kind]


def _named(keys: Iterable[Key], naming: TopicMap) -> dict[Key, Role]:
    wanted = {
        topic: (kind, member)
        for member, topics in naming.topics.items()
        for kind, topic in topics.items()
    }
    return {
        (topic, type_name): Role(*wanted[topic], rank(topic, type_name))
        for topic, type_name in keys
        if topic in wanted and fits(wanted[topic][0], type_name)
    }


def _kind(topic: str, type_name: str) -> str | None:
    last, about = topic.rpartition('/')[2], subject(topic)
    if type_name in PX4 and not of_px4(topic):
        return None
    if last == TRUTH and type_name == ODOMETRY:
        return TRUTH
    if type_name in PLACES:
        return None if type_name in POSES and about not in NAMES_OF_POSES else ODOM
    if type_name in WISHES:
        is_command = type_name == SETPOINT or (last.startswith(CMD_VEL) and last not in ASTRAY)
        return CMD_VEL if is_command else None
    return TELEMETRY if type_name == JOINT_STATE and last == TELEMETRY else None
