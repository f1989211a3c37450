"""Names of the swarm's topics and of its members. A vehicle's own topics are relative."""

AGENT_STATES = '/swarm/agent_states'
TARGET_STATE = '/swarm/target_state'
ADVERSARY_STATE = '/swarm/adversary_state'
METRICS = '/swarm/metrics'
MARKERS = '/swarm/markers'
DIAGNOSTICS = '/diagnostics'
CLOCK = '/clock'

HEARD = 'heard'
TELEMETRY = 'telemetry'

WORLD = 'world'
TARGET = 'target'
ADVERSARY = 'adversary'


def uav(agent_id: int) -> str:
    """Return the name of agent k: ``uav_k``."""
    return f'uav_{agent_id}'


def uav_id(name: str) -> int | None:
    """Return k for the name ``uav_k``, None for any other."""
    number = name.removeprefix('uav_')
    if number == name or not number.isascii() or not number.isdigit():
        return None
    return int(number)
