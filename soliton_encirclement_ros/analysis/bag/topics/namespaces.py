"""Owner of a topic, from its namespace, and its content, from its last part."""

import re

from soliton_encirclement_ros.core.states.swarm_topics import uav

NAMELESS = 'vehicle'
"""The member whose topics have no namespace."""

BRIDGES = {'fmu', 'mavros', 'ap'}
"""Parts of a topic's name that PX4, MAVLink and ArduPilot put behind that of their vehicle."""

INNER = {
    'local_position', 'global_position', 'setpoint_velocity', 'in', 'out', 'odometry', 'pose',
    'odom', 'cmd_vel',
}  # fmt: skip
"""Parts of a topic's name that describe its content, not its owner."""

CONTROLLER = 'controller'
"""Name endings of drive controllers: ros2_control's diff_drive_controller."""

STAGES = {'in', 'out', 'filtered'}
"""Last parts that describe the processing of a topic's content, not the content."""

VERSION = re.compile(r'_v[0-9]+$')
PX4_INSTANCE = re.compile(r'px4_(0|[1-9][0-9]{0,8})', re.ASCII)


def namespace(topic: str) -> str:
    """Return the part of a topic's name that names its owner, empty if there is none."""
    parts = topic.split('/')[:-1]
    bridges = [i for i, part in enumerate(parts) if part in BRIDGES]
    parts = parts[: bridges[0]] if bridges else parts
    while parts and (parts[-1] in INNER or parts[-1].endswith(CONTROLLER)):
        parts.pop()
    return '/'.join([*parts[:-1], _instance(parts[-1])]) if parts else ''


def subject(topic: str) -> str:
    """Return the content of a topic: ``pose`` of ``/ap/pose/filtered``, without a version."""
    parts = topic.strip('/').split('/')
    while len(parts) > 1 and parts[-1] in STAGES:
        parts.pop()
    return VERSION.sub('', parts[-1])


def of_px4(topic: str) -> bool:
    """Return whether a topic is PX4's own, not a node's that uses PX4's types for itself."""
    return 'fmu' in topic.split('/')[:-1]


def short_names(namespaces: set[str]) -> dict[str, str]:
    """Return a member's name by namespace: the last part, or the whole if that is ambiguous."""
    last = {space: space.rpartition('/')[2] or NAMELESS for space in namespaces}
    shared = {name for name in last.values() if [*last.values()].count(name) > 1}
    return {
        space: space.strip('/') or NAMELESS if name in shared else name
        for space, name in last.items()
    }


def _instance(name: str) -> str:
    """Return ``uav_k`` for PX4's own ``px4_k``."""
    match = PX4_INSTANCE.fullmatch(name)
    return uav(int(match[1])) if match else name
