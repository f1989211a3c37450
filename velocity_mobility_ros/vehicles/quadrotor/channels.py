"""A quadrotor's state in plain channels, for logs and for other tools."""

from velocity_mobility_ros.vehicles.quadrotor.airframe import airframe
from velocity_mobility_ros.vehicles.quadrotor.airframe_parameters import AirframeParameters
from velocity_mobility_ros.vehicles.quadrotor.attitude import heading, roll_pitch
from velocity_mobility_ros.vehicles.quadrotor.quadrotor import QuadrotorMeans, QuadrotorState
from velocity_mobility_ros.vehicles.quadrotor.rotors import Four, thrusts, torques

CHANNELS = ('x', 'y', 'z', 'vx', 'vy', 'vz', 'roll', 'pitch', 'yaw', 'wx', 'wy', 'wz')
"""Names of ``states12``: [m], [m/s], both in map, [rad] by Z-Y-X, [rad/s] in the body."""


def states12(state: QuadrotorState) -> tuple[float, ...]:
    """Return the twelve channels of a state, in the order of ``CHANNELS``."""
    body = state.body
    roll, pitch = roll_pitch(body.attitude)
    return (*body.position, *body.velocity, roll, pitch, heading(body.attitude), *body.rates)


def rotor_output(means: QuadrotorMeans, state: QuadrotorState) -> tuple[float, ...]:
    """Return four thrusts [N] and four torques on the body about its up axis [N m]."""
    return (
        *thrusts(means.rotors, state.rotors.speeds),
        *torques(means.rotors, state.rotors),
    )


def rotor_rpm(parameters: AirframeParameters, state: QuadrotorState) -> Four:
    """Return the speeds of the rotors [rpm]."""
    hover = airframe(parameters).hover_rpm
    first, second, third, fourth = state.rotors.speeds
    return first * hover, second * hover, third * hover, fourth * hover
