"""Thrust and torque of the body as speeds of the four rotors.

What the rotors cannot do is given up in this order: yaw, then thrust, then roll and pitch, as in
Faessler, Falanga and Scaramuzza, Thrust mixing, saturation, and body-rate control (2017).
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.limits import clip
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.vehicles.quadrotor.airframe import airframe
from velocity_mobility_ros.vehicles.quadrotor.airframe_parameters import AirframeParameters
from velocity_mobility_ros.vehicles.quadrotor.rotors import Four


class MixerMeans(NamedTuple):
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


def mixer_means(parameters: AirframeParameters) -> MixerMeans:
    """Return the mixer of an airframe."""
    derived = airframe(parameters)
    return MixerMeans(
        per_roll=1.0 / (4.0 * parameters.rotor_y),
        per_pitch=1.0 / (4.0 * parameters.rotor_x),
        per_yaw=derived.torque_signs[2] / (4.0 * derived.torque_arm),
        highest=derived.max_thrust,
        hover=derived.hover_thrust,
    )


def rotor_thrusts(means: MixerMeans, thrust: float, torque: Vector) -> Four:
    """Return the thrust of each rotor [N] for a thrust [N] and a torque [N m, body] together."""
    highest = means.highest
    roll, pitch = torque[0] * means.per_roll, torque[1] * means.per_pitch
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
    yaw = _yaw_part(torque[2] * means.per_yaw, each, a, b, highest)
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


def wanted_speeds(means: MixerMeans, thrust: float, torque: Vector) -> Four:
    """Return the wanted speed of each rotor [hover speeds].

    The thrust is divided by that in hover, not multiplied by its inverse: hover is exactly 1.
    """
    first, second, third, fourth = rotor_thrusts(means, thrust, torque)
    return (
        math.sqrt(first / means.hover),
        math.sqrt(second / means.hover),
        math.sqrt(third / means.hover),
        math.sqrt(fourth / means.hover),
    )
