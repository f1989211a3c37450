"""Motion of the target: a velocity chosen once per period, from its position.

``random``: any direction with equal chance; from outside its box straight back to the origin.
``constant``: one heading forever, wherever that leads; it draws nothing.
"""

import math
from typing import NamedTuple

import numpy as np
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.parameters.target_parameters import TargetParameters
from soliton_encirclement_ros.core.ring.plane import length
from soliton_encirclement_ros.core.schedules.periodic import Periodic, counted, due

STILL: Vector = (0.0, 0.0, 0.0)
HOME = 1e-12
"""Distance [m] from the origin below which there is no way back to it."""

CONSTANT = 'constant'


def random_velocity(
    speed: float, bound: float, x: float, y: float, stream: np.random.Generator
) -> Vector:
    """Return the next velocity [m/s] of a target that wanders.

    Args:
        speed: Its speed [m/s].
        bound: Half side of the box [m] that it turns back from.
        x: Its position, east [m].
        y: The same, north [m].
        stream: Random stream of the direction: one number, none outside the box or at rest.
    """
    if speed == 0.0:
        return STILL
    home = length(x, y)
    if (abs(x) > bound or abs(y) > bound) and home > HOME:
        return speed * (-x / home), speed * (-y / home), 0.0
    angle = stream.random() * 2.0 * math.pi
    return speed * math.cos(angle), speed * math.sin(angle), 0.0


def constant_velocity(speed: float, heading_deg: float) -> Vector:
    """Return the constant velocity [m/s] of a target that goes straight on.

    Args:
        speed: Its speed [m/s].
        heading_deg: Its heading, counter-clockwise from east [deg].
    """
    angle = math.radians(heading_deg)
    return speed * math.cos(angle), speed * math.sin(angle), 0.0


class Wandering(NamedTuple):
    """The choices of motion up to now, and the velocity [m/s, map] that was chosen last."""

    choices: Periodic
    velocity: Vector


class MotionRules(NamedTuple):
    """Motion of the target: straight on or not, speed [m/s], heading [deg], half its box [m]."""

    constant: bool
    speed: float
    heading_deg: float
    bound: float


def motion_rules(parameters: TargetParameters) -> MotionRules:
    """Return the motion parameters of a target."""
    return MotionRules(
        parameters.target_motion == CONSTANT,
        parameters.target_motion_speed_xy,
        parameters.target_motion_heading_deg,
        parameters.target_motion_boundary_xy,
    )


def next_velocity(rules: MotionRules, x: float, y: float, stream: np.random.Generator) -> Vector:
    """Return the next velocity [m/s] of a target.

    Args:
        rules: Its motion parameters.
        x: Its position, east [m].
        y: The same, north [m].
        stream: Random stream of directions.
    """
    if rules.constant:
        return constant_velocity(rules.speed, rules.heading_deg)
    return random_velocity(rules.speed, rules.bound, x, y, stream)


def wandered(
    wandering: Wandering, now: float, period: float, rules: MotionRules, x: float, y: float,
    stream: np.random.Generator,
) -> Wandering:  # fmt: skip
    """Return how a target goes on: the old way, or another one if a period [s] is over.

    Args:
        wandering: How it went.
        now: Time [s].
        period: Time between two choices.
        rules: How it moves.
        x: Where it is, east [m].
        y: The same, north [m].
        stream: Where directions are drawn from: once, however many periods are over.
    """
    turns = due(wandering.choices, now, period)
    if turns == 0:
        return wandering
    choices = counted(wandering.choices, turns)
    return Wandering(choices, next_velocity(rules, x, y, stream))
