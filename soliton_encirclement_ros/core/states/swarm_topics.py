"""Names of the swarm's topics and of its members.

The topics of a swarm are in the namespace of its fleet (see ``fleet_names.py``); those of
a member are in the member's own.
"""

import re

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

UAV = re.compile(r'uav_(0|[1-9][0-9]{0,8})', re.ASCII)


def uav(agent_id: int) -> str:
    """Return the name of agent k: ``uav_k``."""
    return f'uav_{agent_id}'


def uav_id(name: str) -> int | None:
    """Return k for the name ``uav_k``, None for any other (each k has one spelling)."""
    match = UAV.fullmatch(name)
    return int(match[1]) if match else None
