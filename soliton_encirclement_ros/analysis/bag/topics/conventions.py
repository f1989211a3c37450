"""What the words in a topic's name say, by the conventions of autopilots, frameworks and mocap.

To support the names of another tool, add its words to the row of their role in ``ROLES``.
"""

import re
from functools import cache

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
"""Roles of what tells a place, by words: whole parts of a name, or words within them.

A topic has the first role of which its name has a word. Without any it is an estimate.
"""

PREFERENCE = (ESTIMATE, SENSOR, TRUTH, REFERENCE)
"""Of several topics that tell where a body is the first of these is used."""

TRACKING = {'vicon', 'mocap', 'optitrack', 'motive', 'natnet', 'vrpn', 'qualisys'}
"""Sources whose topics are named after the body alone: ``/vicon/cf1``."""

NEUTRAL = {
    'odom', 'odometry', 'pose', 'poses', 'twist', 'transform', 'in', 'out', 'world', 'model',
    'bodies',
}  # fmt: skip
"""Words about a topic's content that tell no role."""

FILLERS = {'self', 'ground', 'motion', 'client', 'node', 'driver', 'position', 'rigid', 'ros'}
"""Words that stand beside such words, and alone tell nothing."""

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

BASES = ('base_link', 'base_footprint', 'base_stabilized', 'base', 'body', 'fcu')
"""Last parts of names of frames that move with a body, in order of preference."""

FIXED = ('map', 'odom', 'world', 'earth', 'origin')
"""Words of frames that are no body's."""

WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+')
_ROLE_OF = {word: role for role, words in reversed(ROLES.items()) for word in words.split()}


@cache
def words(part: str) -> frozenset[str]:
    """Return a part of a name and the words in it, in lower case, without digits."""
    return frozenset({part.lower(), *(word.lower() for word in WORD.findall(part))})


def role_of(*parts: str) -> str | None:
    """Return the role of which the parts of a name have a word; None without any."""
    found = {_ROLE_OF.get(word) for part in parts if part not in OWNERS for word in words(part)}
    return next((role for role in ROLES if role in found), None)


def is_content(part: str) -> bool:
    """Return whether a part of a name is about the content of a topic, not its owner."""
    known = role_of(part) is not None or bool(words(part) & NEUTRAL) or part.endswith(CONTROLLER)
    return known and part not in OWNERS


def is_only_content(part: str) -> bool:
    """Return whether every word of a part is about content, so that it names no owner."""
    if not is_content(part) or part[-1].isdigit():
        return False
    if part.endswith(CONTROLLER) or part.lower() in _ROLE_OF:
        return True
    said = {word.lower() for word in WORD.findall(part)}
    return all(word in _ROLE_OF or word in NEUTRAL | FILLERS for word in said)
