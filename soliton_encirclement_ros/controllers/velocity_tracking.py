"""The command of ``soliton``: from the desired speeds to the velocity command of the vehicle.

    command = v + tau (a_target + a)

with the acceleration of the encirclement law and the lag tau of the vehicle (``lag_inversion``);
the vertical part controls the agent's own height.
"""

from typing import NamedTuple

from soliton_encirclement_ros.controllers.encirclement import (
    DesiredSpeeds, EncirclementGains, pull, sqrt_controller, wanted_acceleration, wanted_speeds
)
from soliton_encirclement_ros.controllers.lag_inversion import (
    Acceleration, LagInversion, command_gain, filtered_acceleration, within_limit
)
from soliton_encirclement_ros.core.ring.ring_geometry import Polar, Shift, polar
from soliton_encirclement_ros.core.states.states import MotionState
from velocity_mobility_ros.core.velocity_model import Vector, limit_abs

LEAST_BRAKING = 1e-6
"""Minimum braking [m/s^2] assumed for approaches: some vehicles cannot accelerate at all."""


class TrackingGains(NamedTuple):
    """Gains and limits of a command.

    ``lag`` inverts the horizontal lag, ``tau_z`` [s] is the vertical one, ``brake_z`` [m/s^2] the
    vertical braking, ``spin_step`` [rad/s] the largest change of the turn rate in one period; the
    heights are those of ``height``.
    """

    encirclement: EncirclementGains
    radius: float
    lag: LagInversion
    tau_z: float
    brake_z: float
    k_z: float
    spin_step: float
    altitude_offset: float
    altitude_layers: int
    altitude_layer_spacing: float


class TrackingOutcome(NamedTuple):
    """Desired velocity [m/s, map], desired speeds, and what saturation left of the spin.

    ``acceleration`` [m/s^2, map] is the horizontal one that the command asks for.
    """

    velocity: Vector
    wanted: DesiredSpeeds
    omega: float
    rate: float
    acceleration: Acceleration


def softened(gains: TrackingGains, age: float) -> TrackingGains:
    """Return the gains with k_r and k_s over 1 + age.

    Args:
        gains: The gains.
        age: Age of the target's state, in units of the age at which they are halved.
    """
    law, share = gains.encirclement, 1.0 / (1.0 + age)
    slower = EncirclementGains(
        share * law.k_r, share * law.k_s, law.k_v, law.approach, law.spacing, law.r_min,
        law.max_speed,
    )  # fmt: skip
    return TrackingGains(
        slower, gains.radius, gains.lag, gains.tau_z, gains.brake_z, gains.k_z, gains.spin_step,
        gains.altitude_offset, gains.altitude_layers, gains.altitude_layer_spacing,
    )  # fmt: skip


def contracted(gains: TrackingGains, radius: float) -> TrackingGains:
    """Return the gains for a ring that keeps to a smaller radius, where the target is heard.

    Commands stay within the acceleration limit: the radius changes slowly, and more would be
    effort without a gain.

    Args:
        gains: The gains.
        radius: Its radius [m].
    """
    return TrackingGains(
        gains.encirclement, radius, within_limit(gains.lag), gains.tau_z, gains.brake_z,
        gains.k_z, gains.spin_step, gains.altitude_offset, gains.altitude_layers,
        gains.altitude_layer_spacing,
    )  # fmt: skip


def relative_state(position: Vector, velocity: Vector, target: MotionState, r_min: float) -> Polar:
    """Return a body's position [m] and velocity [m/s] relative to the target."""
    return polar(
        position[0] - target.position[0],
        position[1] - target.position[1],
        velocity[0] - target.velocity[0],
        velocity[1] - target.velocity[1],
        r_min,
    )


def rate_limited_spin(omega: float, omega_ref: float, step: float) -> float:
    """Return the turn rate [rad/s] that follows the desired one with limited acceleration."""
    return omega + limit_abs(omega_ref - omega, step)


def height(agent_id: int, offset: float, layers: int, spacing: float) -> float:
    """Return the height of an agent's layer above the target [m]."""
    return offset + (agent_id % layers - 0.5 * (layers - 1)) * spacing


def velocity_tracking(
    agent_id: int,
    position: Vector,
    velocity: Vector,
    target: MotionState,
    at: Polar,
    shift: Shift,
    omega: float,
    before: Acceleration,
    gains: TrackingGains,
) -> TrackingOutcome:
    """Return the command of one agent.

    Args:
        agent_id: Number k of ``uav_k``; it determines the height.
        position: Its position [m, map].
        velocity: Its velocity [m/s, map].
        target: Present motion of the target.
        at: The agent relative to the target.
        shift: The turn to its place.
        omega: The rate-limited turn rate [rad/s].
        before: The acceleration of the last command [m/s^2, map].
        gains: The gains.
    """
    base = (target.velocity[0], target.velocity[1])
    wanted = wanted_speeds(at, shift, omega, base, gains.radius, gains.encirclement)
    return flown(
        agent_id, position, velocity, target, at, shift, omega, wanted, before, gains
    )  # fmt: skip


def flown(
    agent_id: int,
    position: Vector,
    velocity: Vector,
    target: MotionState,
    at: Polar,
    shift: Shift,
    omega: float,
    wanted: DesiredSpeeds,
    before: Acceleration,
    gains: TrackingGains,
) -> TrackingOutcome:
    """Return the command with which a vehicle with lag flies the desired speeds.

    Args:
        agent_id: As of ``velocity_tracking``, like all that follow but ``wanted``.
        position: Its position [m, map].
        velocity: Its velocity [m/s, map].
        target: Present motion of the target.
        at: The agent relative to the target.
        shift: The turn to its place.
        omega: The rate-limited turn rate [rad/s].
        wanted: The desired speeds, within the limit.
        before: The acceleration of the last command [m/s^2, map].
        gains: The gains.
    """
    law = gains.encirclement
    relative = wanted_acceleration(at, wanted, shift, gains.radius, law)
    command, acceleration = command_for(
        agent_id, position, velocity, target, relative, before, gains
    )
    rate = wanted.spacing / max(at.r, law.r_min)
    return TrackingOutcome(command, wanted, omega * wanted.spin_share, rate, acceleration)


def command_for(
    agent_id: int,
    position: Vector,
    velocity: Vector,
    target: MotionState,
    relative: Acceleration,
    before: Acceleration,
    gains: TrackingGains,
) -> tuple[Vector, Acceleration]:
    """Return the command [m/s, map] that gives a vehicle with lag an acceleration, and that.

    Args:
        agent_id: As of ``velocity_tracking``, like all that follow.
        position: Its position [m, map].
        velocity: Its velocity [m/s, map].
        target: Present motion of the target; its acceleration is added.
        relative: The desired acceleration relative to the target [m/s^2, map].
        before: The acceleration of the last command [m/s^2, map].
        gains: The gains.
    """
    ahead = target.acceleration
    wanted = ahead[0] + relative[0], ahead[1] + relative[1]
    acceleration = filtered_acceleration(gains.lag, before, wanted)
    gain = command_gain(gains.lag, acceleration)
    up = climb(agent_id, position[2], velocity[2], target, gains)
    command = (
        velocity[0] + gain * acceleration[0],
        velocity[1] + gain * acceleration[1],
        velocity[2] + gains.tau_z * up,
    )
    return command, acceleration


def climb(agent_id: int, z: float, vz: float, target: MotionState, gains: TrackingGains) -> float:
    """Return the vertical acceleration [m/s^2] that leads an agent at z [m] to its own height."""
    above = height(
        agent_id, gains.altitude_offset, gains.altitude_layers, gains.altitude_layer_spacing
    )
    speed = vz - target.velocity[2]
    wanted, slope = sqrt_controller(target.position[2] + above - z, gains.k_z, gains.brake_z)
    return pull(wanted, speed, slope, -speed, gains.encirclement.k_v)
