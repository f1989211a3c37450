"""Names of the swarm's topics and of its members. A vehicle's own topics are relative."""

import re

AGENT_STATES = '/swarm/agent_states'
TARGET_STATE = '/swarm/target_state'
ADVERSARY_STATE = '/swarm/adversary_state'
METRICS = '/swarm/metrics'
MARKERS = '/swarm/markers'
DIAGNOSTICS = '/diagnostics'
FOLLOWED = '/swarm/followed'
CLOCK = '/clock'

HEARD = 'heard'
TELEMETRY = 'telemetry'

WORLD = 'world'
TARGET = 'target'
ADVERSARY = 'adversary'
MONITOR = 'monitor'
RECORDER = 'recorder'

UAV = re.compile(r'uav_(0|[1-9][0-9]{0,8})', re.ASCII)


def uav(agent_id: int) -> str:
    """Return the name of agent k: ``uav_k``."""
    return f'uav_{agent_id}'


def uav_id(name: str) -> int | None:
    """Return k for the name ``uav_k``, None for any other (each k has one spelling)."""
    match = UAV.fullmatch(name)
    return int(match[1]) if match else None
