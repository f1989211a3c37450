"""For tests of nodes: what bodies and members of a swarm would say, in few words."""

from typing import Any

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.states.state_codec import encode
from soliton_encirclement_ros.core.states.states import (
    AdversaryState, AgentState, State, TargetState
)
from support.ros.sent_messages import odometry_message, odometry_values, values_to_joint_state
from velocity_mobility_ros.core.coordinate_frames import (
    Quaternion, Transform, inverse, rotate, unit
)
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.messages.message_conversion import (
    OdometryValues, body_of, checked_command, level_odometry
)

STILL: Vector = (0.0, 0.0, 0.0)


def level_message(*values: Any) -> Odometry:
    """Return the odometry of a level body, from the arguments of ``level_odometry``."""
    return odometry_message(level_odometry(*values))


def twist_to_command(message: Twist) -> tuple[Vector, float]:
    """Return velocity [m/s] and yaw rate [rad/s] of a Twist.

    Raises:
        MalformedMessageError: A used number is not finite.
    """
    linear = message.linear
    return checked_command((linear.x, linear.y, linear.z), message.angular.z)


def attitude_to_odometry(
    stamp_ns: int,
    body: str,
    position: Vector,
    attitude: Quaternion,
    velocity: Vector,
    rates: Vector,
    frame: str = 'map',
) -> Odometry:
    """Return the state of a body that may roll and pitch as Odometry, as ``level_odometry``.

    Args:
        stamp_ns: Time of validity [ns].
        body: Child frame id.
        position: Position [m] in ``frame``.
        attitude: Rotation from the body to ``frame``.
        velocity: Velocity [m/s] in ``frame``.
        rates: Angular velocity [rad/s] about forward, left and up.
        frame: Fixed frame id.
    """
    attitude = unit(attitude)
    linear = rotate(inverse(attitude), velocity)
    return odometry_message(
        OdometryValues(stamp_ns, frame, body, position, attitude, linear, rates)
    )


def odometry_to_body(
    message: Odometry, transform: Transform | None = None
) -> tuple[Vector, Vector, float]:
    """Return position, velocity and yaw of an Odometry, as ``body_of`` does."""
    return body_of(odometry_values(message), transform)


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
