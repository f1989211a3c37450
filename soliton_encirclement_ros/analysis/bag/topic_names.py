"""Owner and content of a topic, from its namespace and the words of its name.

The words are those of autopilots, frameworks and motion capture. To support the names of another
tool, add its words to the row of their role in ``ROLES``.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from soliton_encirclement_ros.core.states.swarm_topics import uav

ESTIMATE, SENSOR, TRUTH, REFERENCE = 'estimate', 'sensor', 'ground truth', 'reference'
COMMAND = 'command'

ROLES = {
    REFERENCE:
        'reference references ref motion_reference actuator_command control_manager setpoint '
        'setpoints target goal goals initialpose desired des cmd command commands commanded '
        'plan plans planned planner planning trajectory trajectories traj path waypoint '
        'waypoints tracker trackers predicted prediction mpc visualization vis rviz',
    TRUTH: 'truth groundtruth gt',
    SENSOR:
        'sensor sensors measurement measurements hw_api vision visual vio vo vins msckf slam '
        'lidar lio laser gps gnss rtk uwb wheel flow imu camera cam zed realsense vicon mocap '
        'optitrack motive natnet vrpn qualisys',
    ESTIMATE:
        'localization localisation localizer estimation estimator estimate estimated est ekf ukf '
        'kf msf filter filtered fused fusion state local global pilot',
}  # fmt: skip
"""Roles of topics with a position, by words: whole parts of a name, or words within them.

A topic has the first role of which its name has a word. Without any it is an estimate.
"""

PREFERENCE = (ESTIMATE, SENSOR, TRUTH, REFERENCE)
"""Of several topics with the position of a body the first of these is used."""

TRACKING = {'vicon', 'mocap', 'optitrack', 'motive', 'natnet', 'vrpn', 'qualisys'}
"""Sources whose topics are named after the body alone: ``/vicon/cf1``."""

NEUTRAL = {
    'odom', 'odometry', 'pose', 'poses', 'twist', 'transform', 'in', 'out', 'world', 'model',
    'bodies',
}  # fmt: skip
"""Words about a topic's content that give no role."""

FILLERS = {'self', 'ground', 'motion', 'client', 'node', 'driver', 'position', 'rigid', 'ros'}
"""Words beside such words that mean nothing alone."""

BRIDGES = ('fmu', 'mavros', 'ap')
"""Parts that PX4, MAVROS and ArduPilot put behind the namespace of their vehicle."""

CONTROLLER = 'controller'
"""Name endings of drive controllers: ros2_control's diff_drive_controller."""

VEHICLES = {
    'uav', 'uas', 'mav', 'ugv', 'usv', 'drone', 'robot', 'agent', 'vehicle', 'quad', 'quadrotor',
    'copter', 'rover', 'cf', 'crazyflie',
}  # fmt: skip
"""Words of vehicles, before their number."""

OWNERS = ('target', 'adversary')
"""Parts that name a member, though they have a word from above."""

BASE_FRAMES = ('base_link', 'base_footprint', 'base_stabilized', 'base', 'body', 'fcu')
"""Last parts of names of frames that move with a body, in order of preference."""

FIXED_FRAMES = ('map', 'odom', 'world', 'earth', 'origin')
"""Words of frames that are no body's."""

WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+')
_ROLE_OF = {word: role for role, words in reversed(ROLES.items()) for word in words.split()}


@cache
def name_words(part: str) -> frozenset[str]:
    """Return a part of a name and the words in it, in lower case, without digits."""
    return frozenset({part.lower(), *(word.lower() for word in WORD.findall(part))})


def role_of(*parts: str) -> str | None:
    """Return the role of which the parts of a name have a word; None without any."""
    roles = {
        _ROLE_OF.get(word) for part in parts if part not in OWNERS for word in name_words(part)
    }
    return next((role for role in ROLES if role in roles), None)


def is_content(part: str) -> bool:
    """Return whether a part of a name is about the content of a topic, not its owner."""
    is_neutral = bool(name_words(part) & NEUTRAL)
    known = role_of(part) is not None or is_neutral or part.endswith(CONTROLLER)
    return known and part not in OWNERS


def is_only_content(part: str) -> bool:
    """Return whether every word of a part is about content, so that it names no owner."""
    if not is_content(part) or part[-1].isdigit():
        return False
    if part.endswith(CONTROLLER) or part.lower() in _ROLE_OF:
        return True
    part_words = {word.lower() for word in WORD.findall(part)}
    return all(word in _ROLE_OF or word in NEUTRAL | FILLERS for word in part_words)


IN_LIST = ':'
"""Separates a topic with several bodies and the name of one: ``/tf:cf1``."""


def split_entry(map_entry: str) -> tuple[str, str]:
    """Return the topic of a map entry, and the body in it; empty for a topic with one body."""
    topic, _, entry = map_entry.partition(IN_LIST)
    return topic, entry


NAMELESS = 'vehicle'
"""The member whose topics have no namespace."""

STAGES = {'in', 'out', 'filtered'}
"""Last parts that describe the processing of a topic's content, not the content."""

Parts = tuple[str, ...]

VERSION = re.compile(r'_v[0-9]+$')
PX4_INSTANCE = re.compile(r'px4_(0|[1-9][0-9]{0,8})', re.ASCII)
AP_SYSTEM = re.compile(r'v(0|[1-9][0-9]{0,8})', re.ASCII)
"""ArduPilot's namespace with ``DDS_USE_NS``: /ap/v3 is the vehicle with system id 3."""

MODEL = 'model'
"""Gazebo's part before the name of a vehicle: /world/field/model/x500_1/odometry."""

JOINED = re.compile(r'(\w*[0-9])_([A-Za-z]\w*)', re.ASCII)
"""A vehicle and a content in one part: drone_0_visual_slam, uav_1_odom."""


class TopicName(NamedTuple):
    """The parts of a topic's name.

    Attributes:
        owner: Its namespace without parts about the content; a vehicle, perhaps in groups, and
            perhaps with parts below it.
        content: The rest.
        is_tracked: Whether a source comes first and then its bodies, as with /vicon/cf1/cf1.
    """

    owner: Parts
    content: Parts
    is_tracked: bool = False


@cache
def parse_topic(topic: str) -> TopicName:
    """Return the parts of a name."""
    parts = tuple(topic.strip('/').split('/'))
    joined = JOINED.fullmatch(parts[0])
    if joined and is_content(joined[2]) and not is_content(joined[1]):
        parts = (*joined.groups(), *parts[1:])
    bridge = next((i for i, part in enumerate(parts[:-1]) if part in BRIDGES), None)
    if bridge is not None:
        return _of_bridge(parts, bridge)
    begin = parts.index(MODEL) + 1 if MODEL in parts[:-2] else 0
    while begin < len(parts) - 1 and is_only_content(parts[begin]):
        begin += 1
    tail = parts[begin:]
    end = next((i for i, part in enumerate(tail[1:-1], 1) if is_content(part)), len(tail) - 1)
    is_tracking = any(name_words(part) & TRACKING for part in parts[:begin])
    if begin and not end and not is_content(tail[-1]) and (
        is_tracking or tail[-1][-1].isdigit()  # named after a body: /vicon/anna, /odom/uav_1
    ):
        end = 1
    tracked = bool(begin and end and is_tracking)
    return TopicName(_instance(tail[:end]), (*parts[:begin], *tail[end:]), tracked)


def owners(names: Iterable[TopicName], places: Iterable[TopicName]) -> dict[Parts, Parts]:
    """Return the namespace of the vehicle of each owner.

    Where an owner has several parts, the vehicle is the one with a place directly in it, else one
    of a series (``uav1``, ``uav2``), else one with a number after a word for a vehicle, else one
    with the same below it as others beside it, else one with a number, else all parts.
    """
    below: dict[Parts, set[Parts]] = {}
    names = list(names)
    for name in names:
        for depth in range(1, len(name.owner) + 1):
            tail = name.owner[depth:] + name.content
            below.setdefault(name.owner[:depth], set()).add(tail)
    tree = _Tree(below, {name.owner for name in places})
    sure = {name.owner: tree.sure(name.owner) for name in names if len(name.owner) > 1}
    groups = {owner[:k] for owner, depth in sure.items() for k in range(depth)}
    spaces = {name.owner: name.owner for name in names}
    for owner, depth_known in sure.items():
        depth = depth_known or tree.likely(owner)
        while depth < len(owner) and owner[:depth] in groups:
            depth += 1
        spaces[owner] = owner[:depth]
    return spaces


def subject(topic: str) -> str:
    """Return the content of a topic: ``pose`` of ``/ap/pose/filtered``, without a version."""
    parts = topic.strip('/').split('/')
    while len(parts) > 1 and parts[-1] in STAGES:
        parts.pop()
    return VERSION.sub('', parts[-1])


def of_px4(topic: str) -> bool:
    """Return whether a topic is PX4's own, not a node's that uses PX4's types for itself."""
    return 'fmu' in topic.split('/')[:-1]


def short_names(namespaces: Iterable[Parts]) -> dict[Parts, str]:
    """Return a member's name by namespace: the last part, or the whole if that is ambiguous."""
    last = {space: (space or (NAMELESS,))[-1] for space in namespaces}
    count = Counter(last.values())
    return {
        space: '/'.join(space) or NAMELESS if count[name] > 1 else name
        for space, name in last.items()
    }


def body_name(frame: str, space: str = '') -> str:
    """Return the member whose body a frame is: ``cf1`` of ``cf1/base_link``, or of ``cf1``.

    The namespace of the topic counts for frames without a name of their own.
    """
    parts = tuple(part for part in frame.split('/') if part)
    if parts and parts[-1] in BASE_FRAMES:
        parts = parts[:-1]
    else:
        base = next((base for base in BASE_FRAMES if frame.endswith(f'_{base}')), None)
        parts = parts if base is None else (*parts[:-1], parts[-1].removesuffix(f'_{base}'))
    return (_instance(parts) or _instance(parse_topic(f'{space}/pose').owner) or (NAMELESS,))[-1]


def last_part(frame: str) -> str:
    """Return the name of a frame without that of its vehicle."""
    return frame.rpartition('/')[2]


def _of_bridge(parts: Parts, at: int) -> TopicName:
    owner, content = parts[:at], parts[at:]
    system = AP_SYSTEM.fullmatch(content[1]) if content[0] == 'ap' else None
    if system and len(content) > 2:
        owner = (*owner, uav(int(system[1])))
    return TopicName(_instance(owner), content)


def _instance(owner: Parts) -> Parts:
    """Return an owner with ``uav_k`` for PX4's own ``px4_k``."""
    match = PX4_INSTANCE.fullmatch(owner[-1]) if owner else None
    return (*owner[:-1], uav(int(match[1]))) if match else owner


class _Tree:
    """Namespaces with topics in them, some with a place directly in them."""

    def __init__(self, below: Mapping[Parts, set[Parts]], places: set[Parts]) -> None:
        self._below, self._places = below, places
        self._beside = Counter(
            (space[:-1], tail) for space in below for tail in (_stem(space[-1]), *below[space])
        )

    def sure(self, owner: Parts) -> int:
        """Return how many parts surely name a vehicle; 0 if none do."""
        numbered = _numbered_ends(owner)
        for k in range(1, len(owner)):
            if owner[:k] in self._places and (k in numbered or not numbered):
                return k
        series = (k for k in numbered if self._beside[owner[: k - 1], _stem(owner[k - 1])] > 1)
        vehicles = (k for k in numbered if name_words(owner[k - 1]) & VEHICLES)
        return next(series, next(vehicles, 0))

    def likely(self, owner: Parts) -> int:
        """Return how many parts probably name a vehicle."""
        for k in range(1, len(owner)):
            if any(self._beside[owner[: k - 1], tail] > 1 for tail in self._below[owner[:k]]):
                return k
        return next(iter(_numbered_ends(owner)), len(owner))


def _numbered_ends(owner: Parts) -> list[int]:
    """Return up to which parts an owner ends with a number, the longest first."""
    return [k for k in range(len(owner), 0, -1) if _stem(owner[k - 1]) is not None]


def _stem(part: str) -> str | None:
    """Return a name without the number at its end; None if there is none."""
    stem = part.rstrip('0123456789')
    return stem if stem != part else None
