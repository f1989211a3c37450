"""Which topic tells what of whom: by the names and types that are usual."""

import difflib
import re
from collections.abc import Iterable
from typing import NamedTuple

from soliton_encirclement_ros.analysis.bag.naming import CMD_VEL, ODOM, TELEMETRY, Naming
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.topics import (
    ADVERSARY_STATE,
    AGENT_STATES,
    CLOCK,
    METRICS,
    TARGET_STATE,
    uav,
)

WORDS, FIGURES, TIME = 'words', 'metrics', 'clock'
"""Roles of the swarm's own topics, beside those of a vehicle's."""

JOINT_STATE, CLOCK_TYPE = 'sensor_msgs/msg/JointState', 'rosgraph_msgs/msg/Clock'
ODOMETRY, POSE = 'nav_msgs/msg/Odometry', 'geometry_msgs/msg/PoseStamped'
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
PLACES = {ODOMETRY: 0, LOCAL_POSITION: 1, VEHICLE_ODOMETRY: 2, POSE: 3}
"""Types that tell where a body is, the one to prefer first."""

WISHES = {TWIST_STAMPED: 0, TWIST: 1, SETPOINT: 2}
"""Types that tell what a vehicle should do, the one to prefer first."""

INNER = {
    'mavros', 'local_position', 'setpoint_velocity', 'fmu', 'in', 'out', 'ap', 'odometry', 'pose',
    'odom', 'cmd_vel',
}  # fmt: skip
"""Parts of a topic's name that say what it is about, not whose it is."""

NAMELESS = 'vehicle'
"""The member whose topics have no namespace."""

PX4_INSTANCE = re.compile(r'px4_(0|[1-9][0-9]{0,8})', re.ASCII)


class Role(NamedTuple):
    """What a topic tells.

    Attributes:
        kind: ``odom``, ``cmd_vel``, ``telemetry``, ``words``, ``metrics`` or ``clock``.
        member: Of whom; empty for the swarm's own topics.
        rank: Smaller is better where several topics tell the same.
    """

    kind: str
    member: str = ''
    rank: tuple[int, int, str] = (0, 0, '')


Key = tuple[str, str]
"""A topic's name and type."""


def roles(keys: Iterable[Key], naming: Naming | None) -> dict[Key, Role]:
    """Return what every topic tells; topics that tell nothing of use are left out."""
    keys = list(keys)
    found = {key: Role(SWARM[key]) for key in keys if key in SWARM}
    if naming is not None:
        return found | _named(keys, naming)
    vehicles = {key: kind for key in keys if (kind := _kind(*key))}
    names = short_names({_namespace(topic) for topic, _ in vehicles})
    for (topic, type_name), kind in vehicles.items():
        role = Role(kind, names[_namespace(topic)], rank(topic, type_name))
        found[topic, type_name] = role
    return found


def unmatched(keys: Iterable[Key], naming: Naming) -> list[str]:
    """Return a line for every topic of a map that the bag does not have, or not so.

    Raises:
        RunError: It has none of them.
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
                told = ', '.join(sorted(types[topic]))
                lines.append(f'{where} is of type {told}, which tells no {kind}')
            else:
                matched += 1
    if not matched:
        raise RunError(f'{naming.path}: none of its topics is in the bag: {lines[0]}')
    return lines


def rank(topic: str, type_name: str) -> tuple[int, int, str]:
    """Return how good a topic is: by type, then whether it has the usual name."""
    last = topic.rpartition('/')[2]
    kinds = PLACES | WISHES
    return kinds.get(type_name, 0), int(last not in (ODOM, CMD_VEL)), topic


def fits(kind: str, type_name: str) -> bool:
    """Say whether a message of a type can tell this."""
    types = {ODOM: PLACES, CMD_VEL: WISHES, TELEMETRY: (JOINT_STATE,)}
    return type_name in types[kind]


def short_names(namespaces: set[str]) -> dict[str, str]:
    """Return a member's name by namespace: the last part, the whole where that is not enough."""
    last = {space: space.rpartition('/')[2] or NAMELESS for space in namespaces}
    shared = {name for name in last.values() if [*last.values()].count(name) > 1}
    return {
        space: space.strip('/') or NAMELESS if name in shared else name
        for space, name in last.items()
    }


def _named(keys: Iterable[Key], naming: Naming) -> dict[Key, Role]:
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
    last = topic.rpartition('/')[2]
    if type_name in PLACES:
        return None if type_name == POSE and last != 'pose' else ODOM
    if type_name == SETPOINT or (type_name in WISHES and last.startswith(CMD_VEL)):
        return CMD_VEL
    return TELEMETRY if type_name == JOINT_STATE and last == TELEMETRY else None


def _namespace(topic: str) -> str:
    parts = topic.split('/')[:-1]
    while parts and parts[-1] in INNER:
        parts.pop()
    return '/'.join([*parts[:-1], _instance(parts[-1])]) if parts else ''


def _instance(name: str) -> str:
    """Return ``uav_k`` for PX4's own ``px4_k``."""
    match = PX4_INSTANCE.fullmatch(name)
    return uav(int(match[1])) if match else name
