"""Assignment of topics to members by the usual names and types, in one fleet or several.

Fleets of one bag are told apart by their namespaces.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from soliton_encirclement_ros.analysis.bag import topic_names
from soliton_encirclement_ros.analysis.bag.topic_map import (
    CMD_VEL, ODOM, TELEMETRY, TRUTH, TopicMap
)
from soliton_encirclement_ros.analysis.bag.topic_names import (
    IN_LIST, TopicName, of_px4, owners, parse_topic, short_names, split_entry, subject
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE, AGENT_STATES, CLOCK, DIAGNOSTICS, METRICS, PARAMETER_EVENTS, ROOT, SWARM,
    TARGET_STATE, Fleet, named_fleet
)

JOINT_STATE, CLOCK_TYPE = 'sensor_msgs/msg/JointState', 'rosgraph_msgs/msg/Clock'

FLEET_TOPICS = (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE, METRICS)
"""Topics that identify a fleet, by the names that they have in its namespace."""

SHARED_TOPICS = (DIAGNOSTICS, PARAMETER_EVENTS)
"""Topics that all fleets share, also one at the root, in whose namespace they are."""


def fleets(keys: Iterable[tuple[str, str]]) -> list[Fleet]:
    """Return the fleets with topics in a list of names and types: at the root first."""
    return sorted({Fleet(topic[: -len(sign) - 1]) for topic, sign in _signs(keys)})


def may_be_shared(topic: str, type_name: str) -> bool:
    """Return whether a topic is a fleet's own, if there is a fleet in its namespace."""
    clock = type_name == CLOCK_TYPE and topic.endswith(f'/{CLOCK}')
    return clock or any(_signs([(topic, type_name)]))


def select_fleet(fleets: Sequence[Fleet], namespace: str | None) -> Fleet:
    """Return the requested fleet, by default the first; at the root if there is none.

    Raises:
        RunError: There is no such fleet.
        ParameterError: The text is not a valid namespace.
    """
    if namespace is None:
        return fleets[0] if fleets else ROOT
    fleet = named_fleet(namespace, '--namespace')
    if fleet not in fleets:
        raise RunError(f'--namespace {namespace}: the bag holds {_others(fleets)}')
    return fleet


def describe_fleets(fleets: Sequence[Fleet], fleet: Fleet) -> str:
    """Return the fleets in the bag, and which of them is used."""
    return (
        f'the bag holds {len(fleets)} fleets, in {_list(fleets)}; only the one in '
        f'{fleet.namespace_of("")} is looked at; --namespace chooses another'
    )


def is_of(topic: str, fleet: Fleet, fleets: Sequence[Fleet]) -> bool:
    """Return whether a topic is of a fleet, or of none; of nested namespaces the innermost."""
    if topic in SHARED_TOPICS:
        return True
    owners = [fleet_there for fleet_there in fleets if fleet_there.has(topic)]
    return not owners or max(owners, key=lambda fleet_there: len(fleet_there.namespace)) == fleet


def has_node(node: str, fleet: Fleet, fleets: Sequence[Fleet]) -> bool:
    """Return whether a node, by its full name, is of a fleet; for topics that all fleets share."""
    return fleet.has(node) and is_of(node, fleet, fleets)


def _signs(keys: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Iterate over the topics that identify a fleet, with their names within its namespace."""
    for topic, type_name in keys:
        own = SWARM + topic.rpartition(f'/{SWARM}')[2]
        if type_name == JOINT_STATE and own in FLEET_TOPICS and topic.endswith(f'/{own}'):
            yield topic, own


def _others(fleets: Sequence[Fleet]) -> str:
    """Return which fleets there are instead of the requested one."""
    if not fleets:
        return 'no fleet, in any namespace: leave --namespace out'
    if list(fleets) == [ROOT]:
        return 'one fleet, without a namespace: leave --namespace out'
    return f'{"fleets" if len(fleets) > 1 else "one fleet"}, in {_list(fleets)}'


def _list(fleets: Sequence[Fleet]) -> str:
    return ', '.join(fleet.namespace_of('') for fleet in fleets)


STATES, FIGURES, TIME = 'words', 'metrics', 'clock'
"""Roles of the swarm's own topics, besides those of a vehicle."""

LIST, OTHER = 'list', ''
"""Roles of a topic with several bodies, and of a vehicle's topic that is not needed."""

ODOMETRY, POSE = 'nav_msgs/msg/Odometry', 'geometry_msgs/msg/PoseStamped'
POSE_COVARIANCE = 'geometry_msgs/msg/PoseWithCovarianceStamped'
TRANSFORM = 'geometry_msgs/msg/TransformStamped'
TWIST, TWIST_STAMPED = 'geometry_msgs/msg/Twist', 'geometry_msgs/msg/TwistStamped'
LOCAL_POSITION = 'px4_msgs/msg/VehicleLocalPosition'
VEHICLE_ODOMETRY = 'px4_msgs/msg/VehicleOdometry'
SETPOINT = 'px4_msgs/msg/TrajectorySetpoint'
FRAMES, POSE_ARRAY = 'tf2_msgs/msg/TFMessage', 'geometry_msgs/msg/PoseArray'
NAMED_POSES = 'motion_capture_tracking_interfaces/msg/NamedPoseArray'
RIGID_BODIES = 'mocap4r2_msgs/msg/RigidBodies'

SWARM_ROLES = {
    (AGENT_STATES, JOINT_STATE): STATES,
    (TARGET_STATE, JOINT_STATE): STATES,
    (ADVERSARY_STATE, JOINT_STATE): STATES,
    (METRICS, JOINT_STATE): FIGURES,
    (CLOCK, CLOCK_TYPE): TIME,
}
POSES = (POSE, POSE_COVARIANCE, TRANSFORM)
POSITION_TYPES = {
    ODOMETRY: 0, LOCAL_POSITION: 1, VEHICLE_ODOMETRY: 2, POSE: 3, POSE_COVARIANCE: 4, TRANSFORM: 5,
}  # fmt: skip
"""Types with the position of a body, in order of preference."""

LIST_TYPES = (NAMED_POSES, RIGID_BODIES, FRAMES, POSE_ARRAY)
"""Types with the positions of several bodies, in order of preference."""

STATIC = '_static'
"""End of the name of a topic with frames that do not move, after the one with those that do."""

COMMAND_TYPES = {TWIST_STAMPED: 0, TWIST: 1, SETPOINT: 2}
"""Types with a command to a vehicle, in order of preference."""

TYPES_OF_ROLES = {
    ODOM: (*POSITION_TYPES, *LIST_TYPES), CMD_VEL: (*COMMAND_TYPES,), TELEMETRY: (JOINT_STATE,),
    TRUTH: (*POSITION_TYPES, *LIST_TYPES),
}  # fmt: skip
"""Supported types for a map file."""

PX4 = (LOCAL_POSITION, VEHICLE_ODOMETRY, SETPOINT)

NAMES_OF_POSES = ('pose', ODOM, 'odometry', 'transform')
"""Topic names for the vehicle's own pose, not a goal's."""

NO_VELOCITIES = ('cmd_vel_legacy',)
"""Has the type of a velocity command, but is Crazyflie's tilt and thrust."""

USUAL = {
    ODOM, CMD_VEL, 'odometry', 'pose', 'vehicle_local_position', 'vehicle_odometry',
    'trajectory_setpoint', 'odom_main',
}  # fmt: skip
"""Contents of topics with a vehicle's own position or commands."""

MAX_NAMED = 8


Rank = tuple[int, int, int, str]


class Role(NamedTuple):
    """Role of a topic.

    Attributes:
        kind: ``odom``, ``ground_truth``, ``cmd_vel``, ``telemetry``, ``words``, ``metrics``,
            ``clock``, ``list`` or nothing.
        member: Its member; empty for the swarm's own topics, and for a list.
        provenance: Origin of its data, as in ``topic_names``: estimate, sensor ...; may be empty.
        rank: Smaller is better if several topics with equal ``provenance`` have the same role.
    """

    kind: str
    member: str = ''
    provenance: str = ''
    rank: Rank = (0, 0, 0, '')

    @property
    def order(self) -> tuple[int, Rank]:
        """Sort key: estimates before sensors before the truth, then by rank."""
        known = topic_names.PREFERENCE
        return known.index(self.provenance) if self.provenance in known else 0, self.rank


Key = tuple[str, str]
"""A topic's name and type."""


def roles(keys: Iterable[Key], topic_map: TopicMap | None, lists: bool = False) -> dict[Key, Role]:
    """Return the role of every topic; irrelevant topics are left out.

    Without a map of topics to members their usual names count; topics with several bodies then
    only with ``lists``.
    """
    keys = list(keys)
    result = _roles_of_fleet(set(keys))
    if topic_map is not None:
        return result | _roles_of_map(keys, topic_map)
    if lists:
        result |= {
            (topic, kind): Role(LIST, rank=rank(topic, kind)) for topic, kind in keys
            if kind in LIST_TYPES
            and topic_names.role_of(*topic.split('/')) != topic_names.REFERENCE
        }  # fmt: skip
    return result | _usual(keys)


def _usual(keys: Iterable[Key]) -> dict[Key, Role]:
    """Return the roles of the topics of vehicles, by their names and types."""
    types = (*POSITION_TYPES, *COMMAND_TYPES, JOINT_STATE)
    named = {key: parse_topic(key[0]) for key in keys if key[1] in types}
    kinds = {key: kind for key, name in named.items() if (kind := _kind(*key, name))}
    places = [key for key, kind in kinds.items() if kind in (ODOM, TRUTH)]
    spaces = owners([named[key] for key in kinds], [named[key] for key in places])
    names = short_names({*spaces.values()})
    bodies = {spaces[named[key].owner] for key in places}
    vehicles = {spaces[named[key].owner] for key in places if key[1] != TRANSFORM}
    others = {*topic_names.OWNERS, *(space[-1] for space in bodies if space)}
    result = {}
    for key, name in named.items():
        kind, provenance = kinds.get(key, OTHER), topic_names.role_of(*name.content)
        outer = (name.owner[:k] for k in range(len(name.owner), 0, -1))
        space = spaces.get(name.owner, next((space for space in outer if space in names), ()))
        below = (*name.owner[len(space) :], name.content[-1]) if space else ()
        if any(part in others and part != space[-1] for part in below):  # it knows of another
            kind, provenance = OTHER, topic_names.REFERENCE
        elif key[1] == TRANSFORM and vehicles and space not in vehicles:  # perhaps no vehicle
            kind = kind if names[space] in topic_names.OWNERS else OTHER
        if kind or (key[1] != JOINT_STATE and provenance and space in bodies):
            result[key] = Role(kind, names[space], _provenance(kind, provenance), rank(*key))
    return result


def _provenance(kind: str, role: str | None) -> str:
    """Return the origin of a topic's data: estimate, sensor, truth, reference or command."""
    known = {CMD_VEL: topic_names.COMMAND, TELEMETRY: '', TRUTH: topic_names.TRUTH}
    return known.get(kind, role or topic_names.ESTIMATE)


def _roles_of_fleet(keys: set[Key]) -> dict[Key, Role]:
    """Return the roles of a fleet's topics; simulated time may be shared by all fleets."""
    fleet = select_fleet(fleets(keys), None)
    own = {(fleet.full_name(name), kind): role for (name, kind), role in SWARM_ROLES.items()}
    if (fleet.full_name(CLOCK), CLOCK_TYPE) not in keys:
        own[ROOT.full_name(CLOCK), CLOCK_TYPE] = TIME
    return {key: Role(role) for key, role in own.items() if key in keys}


def map_problems(
    keys: Iterable[Key], topic_map: TopicMap, body_problem: Callable[[str, str], str]
) -> list[str]:
    """Return a line for every topic of a map that the bag lacks, or has with another type.

    ``body_problem`` returns what is wrong with one of several bodies in a topic, or nothing.

    Raises:
        RunError: It has none of them, or none with a supported type.
    """
    types: dict[str, set[str]] = {}
    for topic, type_name in keys:
        types.setdefault(topic, set()).add(type_name)
    lines, matched = [], 0
    for member, topics in topic_map.topics.items():
        for kind, map_entry in topics.items():
            topic, entry = split_entry(map_entry)
            where = f'{topic_map.path.name}: {member}.{kind} = {map_entry}'
            if topic not in types:
                near = difflib.get_close_matches(topic, types, 1)
                hint = ''.join(f'; meant {name!r}?' for name in near)
                lines.append(f'{where} is not in the bag{hint}')
            elif not any(fits(kind, type_name) for type_name in types[topic]):
                type_names = ', '.join(sorted(types[topic]))
                can = ', '.join(name.rpartition('/')[2] for name in TYPES_OF_ROLES[kind])
                lines.append(f'{where} is of type {type_names}, which tells no {kind} ({can} do)')
            elif types[topic].isdisjoint(LIST_TYPES):
                matched += not entry
                if entry:
                    lines.append(f'{where}: {topic} tells of one body; leave out {IN_LIST}{entry}')
            elif why := body_problem(topic, entry):
                lines.append(f'{where} {why}')
            else:
                matched += 1
    if not matched:
        raise RunError(f'{topic_map.path}: none of its topics is of use: {lines[0]}')
    return lines


def unused_topics(keys: Iterable[Key], chosen: Mapping[Key, Role]) -> list[str]:
    """Return a line on topics with a supported type that are excluded by their names."""
    # Most transforms are those of a camera or the like.
    kinds = (POSITION_TYPES | COMMAND_TYPES).keys() - {TRANSFORM}
    keys_unused = [key for key in sorted(keys) if key[1] in kinds and key not in chosen]
    if not keys_unused:
        return []
    return [f'not used, since other names are usual: {listed(keys_unused)}; '
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
    kinds = POSITION_TYPES | COMMAND_TYPES | {kind: k for k, kind in enumerate(LIST_TYPES)}
    is_unusual = subject(topic) not in USUAL
    aside = len(kinds) * (is_unusual and type_name in PX4)
    return kinds.get(type_name, 0) + aside, int(is_unusual), topic.count('/'), topic


def fits(kind: str, type_name: str) -> bool:
    """Return whether a message of a type can have this role."""
    return type_name in TYPES_OF_ROLES[kind]


def _roles_of_map(keys: Iterable[Key], topic_map: TopicMap) -> dict[Key, Role]:
    wanted = {
        split_entry(map_entry)[0]: (kind, member)
        for member, topics in topic_map.topics.items()
        for kind, map_entry in topics.items()
    }
    result = {}
    for topic, type_name in keys:
        is_list = type_name in LIST_TYPES
        base = topic.removesuffix(STATIC) if is_list else topic
        kind, member = wanted.get(topic, wanted.get(base, ('', '')))
        if kind and fits(kind, type_name):
            provenance = _provenance(kind, topic_names.role_of(*parse_topic(topic).content))
            role = Role(kind, member, provenance, rank(topic, type_name))
            result[topic, type_name] = Role(LIST, rank=role.rank) if is_list else role
    return result


def _kind(topic: str, type_name: str, name: TopicName) -> str | None:
    last, about = name.content[-1], subject(topic)
    if type_name in PX4 and not of_px4(topic):
        return None
    if type_name in POSITION_TYPES:
        provenance = topic_names.role_of(*name.content)
        is_own = about in NAMES_OF_POSES or name.is_tracked or provenance == topic_names.TRUTH
        if provenance == topic_names.REFERENCE or (type_name in POSES and not is_own):
            return None
        return TRUTH if provenance == topic_names.TRUTH else ODOM
    if type_name in COMMAND_TYPES:
        is_velocity = last.startswith(CMD_VEL) and last not in NO_VELOCITIES
        return CMD_VEL if type_name == SETPOINT or is_velocity else None
    return TELEMETRY if last == TELEMETRY else None
