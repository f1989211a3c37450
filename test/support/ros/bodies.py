"""For tests of nodes: what bodies and members of a swarm would say, in few words."""

from typing import Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.core.states.state_codec import encode
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    AgentState,
    State,
    TargetState,
)
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.ros_io.messages import (
    level_odometry,
    odometry_message,
    values_to_joint_state,
)

STILL: Vector = (0.0, 0.0, 0.0)


def level_message(*values: Any) -> Odometry:
    """Return the odometry of a level body, from the arguments of ``level_odometry``."""
    return odometry_message(level_odometry(*values))


def odometry(
    stamp_ns: int, position: Vector, velocity: Vector = STILL, body: str = 'base_link'
) -> Odometry:
    """Return the odometry of a body that looks east."""
    return level_message(stamp_ns, body, position, 0.0, velocity, 0.0)


def agent(k: int, seq: int, position: Vector, velocity: Vector = STILL, u: float = 0.0) -> State:
    """Return an agent's state."""
    return AgentState(k, seq, position, velocity, u, 0.0)


def target(seq: int, position: Vector = STILL, velocity: Vector = STILL) -> State:
    """Return a target's state."""
    return TargetState(seq, position, velocity, ((1, 1.0), (2, 1.0)), 0.0)


def adversary(seq: int, position: Vector = (40.0, 0.0, 0.0)) -> State:
    """Return an adversary's state."""
    return AdversaryState(seq, position, STILL)


def said(stamp_ns: int, *states: State) -> JointState:
    """Return a message that carries states."""
    return values_to_joint_state(stamp_ns, *encode(states))


def values(message: JointState) -> dict[str, float]:
    """Return the positions of a message by name."""
    return dict(zip(message.name, message.position, strict=True))
