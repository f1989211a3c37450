"""A quadrotor down to its rotors, flown by velocity commands.

In one step of the contract wind and velocity loop run once; then attitude loop, rate loop, mixer,
rotors and body run in every physics step of ``sim_dt``. The command is read once.

The mean wind and the gusts change once per controller step. Logs and other tools get the state in
plain channels.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import (
    Attitude, VehicleMotion, inverse, rotate, velocity_of
)
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.vehicles.quadrotor.flight_controller import (
    AttitudeCoefficients, AttitudeSetpoint, VelocityCoefficients, VelocityMemory,
    attitude_coefficients, rate_errors, rates_integral, velocity_coefficients, velocity_control,
    wanted_rates, wanted_torque
)
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    AirframeParameters, QuadrotorParameters, airframe
)
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import (
    STILL, BodyCoefficients, RigidBodyState, acceleration, angular_acceleration, body_coefficients,
    heading, heading_rate, landed, level, moved, roll_pitch, torque, total
)
from velocity_mobility_ros.vehicles.quadrotor.rotors import (
    HOVER, Four, MixerCoefficients, RotorCoefficients, RotorSpeeds, mixer_coefficients,
    next_speeds, rotor_coefficients, rotor_momentum, thrusts, torques, wanted_speeds
)
from velocity_mobility_ros.vehicles.vehicle import Command, Vehicle, physics_steps
from velocity_mobility_ros.vehicles.wind import (
    WindCoefficients, WindState, calm, next_wind, wind_coefficients, wind_velocity
)


def next_air(
    model: WindCoefficients,
    air: WindState,
    position: Vector,
    velocity: Vector,
    ground: float,
    dt: float,
) -> WindState:
    """Return the air after a step of ``dt`` [s].

    Args:
        model: Mean wind and intensity of gusts.
        air: The air before.
        position: Position of the body [m, map].
        velocity: Velocity of the body [m/s, map].
        ground: Height of the ground [m]; NaN: 0.
        dt: Step [s].
    """
    east, north, up = wind_velocity(model, air)
    x, y, z = velocity[0] - east, velocity[1] - north, velocity[2] - up
    height = position[2] - (0.0 if math.isnan(ground) else ground)
    return next_wind(model, air, height, math.sqrt(x * x + y * y + z * z), dt)


class QuadrotorCoefficients(NamedTuple):
    """All that the steps read: physics step [s], its count in an update, vehicle, loops, wind."""

    sim_dt: float
    steps: int
    rotors: RotorCoefficients
    body: BodyCoefficients
    mixer: MixerCoefficients
    attitude: AttitudeCoefficients
    velocity: VelocityCoefficients
    wind: WindCoefficients


class QuadrotorState(NamedTuple):
    """State of a quadrotor.

    Attributes:
        body: Pose and velocities.
        rotors: Speeds of the rotors and their change.
        rate_integral: Integral of the rate loop [rad/s^2].
        velocity_loop: Memory of the velocity loop.
        air: Gusts around the vehicle.
    """

    body: RigidBodyState
    rotors: RotorSpeeds
    rate_integral: Vector
    velocity_loop: VelocityMemory
    air: WindState


def coefficients(parameters: QuadrotorParameters) -> QuadrotorCoefficients:
    """Return all that the steps read, with what is constant computed."""
    return QuadrotorCoefficients(
        parameters.sim_dt,
        physics_steps(parameters.update_rate, parameters.sim_dt),
        rotor_coefficients(parameters, parameters.sim_dt),
        body_coefficients(parameters, parameters.ground, parameters.sim_dt),
        mixer_coefficients(parameters),
        attitude_coefficients(parameters),
        velocity_coefficients(parameters),
        wind_coefficients(parameters),
    )


def at_rest(position: Vector, yaw: float, seed: int) -> QuadrotorState:
    """Return the state of a quadrotor that hovers.

    Args:
        position: Position [m, map].
        yaw: Heading [rad].
        seed: Seed of its gusts.
    """
    return QuadrotorState(
        RigidBodyState(position, STILL, level(yaw), STILL),
        RotorSpeeds(HOVER, (0.0, 0.0, 0.0, 0.0)),
        STILL,
        VelocityMemory(STILL, yaw, yaw, STILL, yaw),
        calm(seed),
    )


def step(
    model: QuadrotorCoefficients, state: QuadrotorState, command: Command, dt: float
) -> QuadrotorState:
    """Advance by a controller step.

    Args:
        model: The vehicle.
        state: Its state.
        command: Command during the step.
        dt: Controller step [s], that of the physics steps.
    """
    body, rotors, integral = state.body, state.rotors, state.rate_integral
    air = next_air(model.wind, state.air, body.position, body.velocity, model.body.ground, dt)
    wind = wind_velocity(model.wind, air)
    memory, wanted = velocity_control(
        model.velocity, state.velocity_loop, body.attitude, body.velocity, command, dt
    )
    for _ in range(model.steps):
        body, rotors, integral = physics_step(model, body, rotors, integral, wanted, wind)
    return QuadrotorState(body, rotors, integral, memory, air)


def physics_step(
    model: QuadrotorCoefficients,
    body: RigidBodyState,
    rotors: RotorSpeeds,
    integral: Vector,
    wanted: AttitudeSetpoint,
    wind: Vector,
) -> tuple[RigidBodyState, RotorSpeeds, Vector]:
    """Return body, rotors and integral of the rate loop after a physics step."""
    dt = model.sim_dt
    rates = wanted_rates(model.attitude, body.attitude, wanted.attitude, wanted.yaw_rate)
    errors = rate_errors(rates, body.rates)
    integral = rates_integral(model.attitude, integral, errors, dt)
    torque_wanted = wanted_torque(model.attitude, model.body.inertia, body.rates, errors, integral)
    speeds = wanted_speeds(model.mixer, wanted.thrust, torque_wanted)
    rotors = next_speeds(model.rotors, rotors.speeds, speeds, dt)
    lift = thrusts(model.rotors, rotors.speeds)
    angular = angular_acceleration(
        model.body,
        body.rates,
        torque(model.body, lift, torques(model.rotors, rotors)),
        rotor_momentum(model.rotors, rotors.speeds),
    )
    linear = acceleration(model.body, body, total(lift), wind)
    return landed(model.body, moved(body, linear, angular, dt)), rotors, integral


def attitude(state: QuadrotorState) -> Attitude:
    """Return attitude and twist for the odometry."""
    body = state.body
    linear = rotate(inverse(body.attitude), body.velocity)
    return Attitude(body.attitude, linear, body.rates)


def motion(state: QuadrotorState) -> VehicleMotion:
    """Return the motion for the odometry."""
    body = state.body
    rate = heading_rate(body.attitude, body.rates)
    velocity = velocity_of(attitude(state))
    return VehicleMotion(body.position, heading(body.attitude), velocity, rate)


QUADROTOR = Vehicle(
    QuadrotorParameters, coefficients, at_rest, step, motion, attitude, is_costly=True
)


CHANNELS = ('x', 'y', 'z', 'vx', 'vy', 'vz', 'roll', 'pitch', 'yaw', 'wx', 'wy', 'wz')
"""Names of ``states12``: [m], [m/s], both in map, [rad] by Z-Y-X, [rad/s] in the body."""


def states12(state: QuadrotorState) -> tuple[float, ...]:
    """Return the twelve channels of a state, in the order of ``CHANNELS``."""
    body = state.body
    roll, pitch = roll_pitch(body.attitude)
    return (*body.position, *body.velocity, roll, pitch, heading(body.attitude), *body.rates)


def rotor_output(model: QuadrotorCoefficients, state: QuadrotorState) -> tuple[float, ...]:
    """Return four thrusts [N] and four torques on the body about its up axis [N m]."""
    return (
        *thrusts(model.rotors, state.rotors.speeds),
        *torques(model.rotors, state.rotors),
    )


def rotor_rpm(parameters: AirframeParameters, state: QuadrotorState) -> Four:
    """Return the speeds of the rotors [rpm]."""
    hover = airframe(parameters).hover_rpm
    first, second, third, fourth = state.rotors.speeds
    return first * hover, second * hover, third * hover, fourth * hover
