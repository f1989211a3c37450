"""Four motors with propellers and their mixer: wanted speeds in, thrusts and torques out.

A rotor follows its wanted speed with a lag, slower down than up, within a largest change:

    slope  = (wanted - speed) (1 - exp(-dt / tau)) / dt      within the largest change
    thrust = c_T w^2
    torque = d (c_M w^2 + J dw/dt)                           on the body, about its up axis

The exponential makes the lag exact at any step. The motor pushes against the propeller's drag
and its own inertia, and the body takes the opposite: see Bouabdallah, Design and Control of
Quadrotors (2007), and Furrer et al., RotorS (2016), for rise and fall.

Speeds are shares of the speed in hover: a vehicle at rest hovers with four ones, whatever it is
made of, and exactly.

The mixer turns thrust and torque of the body into speeds of the four rotors. What these cannot do
is given up in this order: yaw, then thrust, then roll and pitch, as in Faessler, Falanga and
Scaramuzza, Thrust mixing, saturation, and body-rate control (2017).
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.velocity_model import Vector, clip, limit_abs
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import (
    AirframeParameters, airframe
)

Four = tuple[float, float, float, float]
"""A number for each rotor: front right, rear left, front left, rear right."""

HOVER: Four = (1.0, 1.0, 1.0, 1.0)
"""Speeds of the rotors in hover, shares of the speed in hover."""


class RotorCoefficients(NamedTuple):
    """Coefficients of four equal rotors.

    Attributes:
        rise: Change of speed per difference of a rotor that gets faster [1/s].
        fall: The same of one that gets slower [1/s].
        max_slope: Largest change of speed [hover speeds/s].
        lowest: Smallest speed [hover speeds].
        highest: Largest speed [hover speeds].
        thrust: Thrust in hover [N].
        drag_torque: Torque of the propeller's drag in hover [N m].
        momentum: Angular momentum in hover [N m s].
        signs: Sign of the torque on the body.
    """

    rise: float
    fall: float
    max_slope: float
    lowest: float
    highest: float
    thrust: float
    drag_torque: float
    momentum: float
    signs: Four


class RotorSpeeds(NamedTuple):
    """Speeds [hover speeds] and their change in the last step [hover speeds/s]."""

    speeds: Four
    slopes: Four


def rotor_coefficients(parameters: AirframeParameters, dt: float) -> RotorCoefficients:
    """Return the coefficients of the rotors of an airframe for steps of ``dt`` [s]."""
    derived = airframe(parameters)
    return RotorCoefficients(
        rise=-math.expm1(-dt / parameters.motor_rise) / dt,
        fall=-math.expm1(-dt / parameters.motor_fall) / dt,
        max_slope=parameters.rotor_speed_rate / derived.hover_rpm,
        lowest=parameters.rotor_speed_min / derived.hover_rpm,
        highest=parameters.rotor_speed_max / derived.hover_rpm,
        thrust=derived.hover_thrust,
        drag_torque=derived.torque_coefficient * derived.hover_speed * derived.hover_speed,
        momentum=parameters.rotor_inertia * derived.hover_speed,
        signs=derived.torque_signs,
    )


def next_speeds(model: RotorCoefficients, speeds: Four, wanted: Four, dt: float) -> RotorSpeeds:
    """Return speeds and slopes after ``dt`` [s] towards wanted speeds; slopes before the range."""
    first, first_slope = next_speed(model, speeds[0], wanted[0], dt)
    second, second_slope = next_speed(model, speeds[1], wanted[1], dt)
    third, third_slope = next_speed(model, speeds[2], wanted[2], dt)
    fourth, fourth_slope = next_speed(model, speeds[3], wanted[3], dt)
    return RotorSpeeds(
        (first, second, third, fourth), (first_slope, second_slope, third_slope, fourth_slope)
    )


def next_speed(
    model: RotorCoefficients, speed: float, wanted: float, dt: float
) -> tuple[float, float]:
    """Return speed [hover speeds] and change [hover speeds/s] of one rotor after ``dt`` [s]."""
    difference = clip(wanted, model.lowest, model.highest) - speed
    per_second = model.rise if difference > 0.0 else model.fall
    slope = limit_abs(difference * per_second, model.max_slope)
    return clip(speed + slope * dt, model.lowest, model.highest), slope


def thrusts(model: RotorCoefficients, speeds: Four) -> Four:
    """Return the thrusts [N] at some speeds."""
    return (
        model.thrust * (speeds[0] * speeds[0]),
        model.thrust * (speeds[1] * speeds[1]),
        model.thrust * (speeds[2] * speeds[2]),
        model.thrust * (speeds[3] * speeds[3]),
    )


def torques(model: RotorCoefficients, rotors: RotorSpeeds) -> Four:
    """Return the torques [N m] on the body about its up axis."""
    speeds, slopes, signs = rotors.speeds, rotors.slopes, model.signs
    drag, momentum = model.drag_torque, model.momentum
    return (
        signs[0] * (drag * (speeds[0] * speeds[0]) + momentum * slopes[0]),
        signs[1] * (drag * (speeds[1] * speeds[1]) + momentum * slopes[1]),
        signs[2] * (drag * (speeds[2] * speeds[2]) + momentum * slopes[2]),
        signs[3] * (drag * (speeds[3] * speeds[3]) + momentum * slopes[3]),
    )


def rotor_momentum(model: RotorCoefficients, speeds: Four) -> float:
    """Return the angular momentum of all rotors about the body's up axis [N m s]."""
    signs = model.signs
    turning = (signs[0] * speeds[0] + signs[1] * speeds[1]) + (
        signs[2] * speeds[2] + signs[3] * speeds[3]
    )
    return -model.momentum * turning


class MixerCoefficients(NamedTuple):
    """Thrust of each rotor per torque.

    Attributes:
        per_roll: Thrust per roll torque [1/m].
        per_pitch: Thrust per pitch torque [1/m].
        per_yaw: Thrust of the front left rotor per yaw torque [1/m], with its sign.
        highest: Largest thrust of a rotor [N].
        hover: Thrust of a rotor in hover [N].
    """

    per_roll: float
    per_pitch: float
    per_yaw: float
    highest: float
    hover: float


def mixer_coefficients(parameters: AirframeParameters) -> MixerCoefficients:
    """Return the mixer of an airframe."""
    derived = airframe(parameters)
    return MixerCoefficients(
        per_roll=1.0 / (4.0 * parameters.rotor_y),
        per_pitch=1.0 / (4.0 * parameters.rotor_x),
        per_yaw=derived.torque_signs[2] / (4.0 * derived.torque_arm),
        highest=derived.max_thrust,
        hover=derived.hover_thrust,
    )


def rotor_thrusts(model: MixerCoefficients, thrust: float, torque: Vector) -> Four:
    """Return the thrust of each rotor [N] for a thrust [N] and a torque [N m, body] together."""
    highest = model.highest
    roll, pitch = torque[0] * model.per_roll, torque[1] * model.per_pitch
    rear_left, front_left = roll + pitch, roll - pitch
    most, a, b = _greatest(rear_left, front_left)
    if 2.0 * most > highest:
        scale = highest / (2.0 * most)
        rear_left, front_left, a, b = rear_left * scale, front_left * scale, a * scale, b * scale
        most = 0.5 * highest
    each = 0.25 * clip(thrust, 0.0, 4.0 * highest)
    if each < most:
        each = most
    elif each + most > highest:
        each = highest - most
    yaw = _yaw_part(torque[2] * model.per_yaw, each, a, b, highest)
    return (
        clip(each - rear_left - yaw, 0.0, highest),
        clip(each + rear_left - yaw, 0.0, highest),
        clip(each + front_left + yaw, 0.0, highest),
        clip(each - front_left + yaw, 0.0, highest),
    )


def _greatest(first: float, second: float) -> tuple[float, float, float]:
    """Return the greater of two sizes, and both."""
    a, b = abs(first), abs(second)
    return (a if a > b else b), a, b


def _yaw_part(wanted: float, each: float, a: float, b: float, highest: float) -> float:
    """Return what is added to the rotors 3 and 4 and taken from 1 and 2 [N], as far as possible.

    Args:
        wanted: What should be added.
        each: Thrust of each rotor so far, without roll and pitch.
        a: How far 1 and 2 are off it by roll and pitch.
        b: How far 3 and 4 are off it.
        highest: Largest thrust of a rotor.
    """
    if wanted < 0.0:
        return -_room(-wanted, highest - (each + a), each - b)
    return _room(wanted, highest - (each + b), each - a)


def _room(wanted: float, above: float, below: float) -> float:
    """Return the smallest of three numbers, at least 0."""
    least = above if above < below else below
    return clip(wanted, 0.0, least if least > 0.0 else 0.0)


def wanted_speeds(model: MixerCoefficients, thrust: float, torque: Vector) -> Four:
    """Return the wanted speed of each rotor [hover speeds].

    The thrust is divided by that in hover, not multiplied by its inverse: hover is exactly 1.
    """
    first, second, third, fourth = rotor_thrusts(model, thrust, torque)
    return (
        math.sqrt(first / model.hover),
        math.sqrt(second / model.hover),
        math.sqrt(third / model.hover),
        math.sqrt(fourth / model.hover),
    )
