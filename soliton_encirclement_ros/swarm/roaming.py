"""Motion of the adversary: from goal to goal in its box, and straight away from a close target."""

import math
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.core.ring.ring_geometry import direction, length
from velocity_mobility_ros.core.velocity_model import Vector, limit_abs

ARRIVED = 1.0
"""Distance [m] at which a goal counts as reached."""

GOAL_TRIES = 50


class RoamRules(NamedTuple):
    """How it roams: half side of its box [m], distance to the target to keep [m], speed [m/s]."""

    bound: float
    keep: float
    speed: float


class Goal(NamedTuple):
    """Where it is going [m, map]; NaN: nowhere yet."""

    x: float
    y: float


def roam(
    rules: RoamRules, goal: Goal, x: float, y: float, tx: float, ty: float,
    stream: np.random.Generator,
) -> tuple[Goal, Vector]:  # fmt: skip
    """Return the goal from now on, and the velocity [m/s, map].

    Args:
        rules: How the adversary roams.
        goal: Its goal.
        x: Where it is, east [m].
        y: The same, north [m].
        tx: Last received position of the target, east [m].
        ty: The same, north [m].
        stream: Where goals are drawn from.
    """
    ux, uy, gx, gy = heading(x, y, tx, ty, goal.x, goal.y, rules.bound, rules.keep, stream)
    return Goal(gx, gy), (rules.speed * ux, rules.speed * uy, 0.0)


def heading(
    x: float,
    y: float,
    tx: float,
    ty: float,
    goal_x: float,
    goal_y: float,
    bound: float,
    keep: float,
    stream: np.random.Generator,
) -> tuple[float, float, float, float]:
    """Return the direction of motion, as a unit vector, and the next goal [m].

    Args:
        x: Position of the adversary, east [m].
        y: The same, north [m].
        tx: Position of the target, east [m].
        ty: The same, north [m].
        goal_x: The goal, east [m]; NaN: none yet.
        goal_y: The same, north [m].
        bound: Half side of its box [m].
        keep: Distance [m] to the target below which it flees; fleeing does not change the goal.
        stream: Random stream of the goals.
    """
    ux, uy, distance = direction(x - tx, y - ty)
    if distance < keep:
        return ux, uy, goal_x, goal_y
    if math.isnan(goal_x):
        goal_x, goal_y = pick_goal(tx, ty, bound, keep, stream)
    ux, uy, distance = direction(goal_x - x, goal_y - y)
    if distance <= ARRIVED:
        goal_x, goal_y = pick_goal(tx, ty, bound, keep, stream)
        ux, uy, _ = direction(goal_x - x, goal_y - y)
    return ux, uy, goal_x, goal_y


def pick_goal(
    tx: float, ty: float, bound: float, keep: float, stream: np.random.Generator
) -> tuple[float, float]:
    """Return a goal [m] in the box, far enough from the target if one is found.

    Args:
        tx: Position of the target, east [m].
        ty: The same, north [m].
        bound: Half side of the box [m].
        keep: Distance to the target [m].
        stream: Random stream: two numbers per try, one more if all tries fail.
    """
    for _ in range(GOAL_TRIES):
        x = stream.uniform(-bound, bound)
        y = stream.uniform(-bound, bound)
        if length(x - tx, y - ty) >= keep:
            return x, y
    angle = stream.uniform(0.0, 2.0 * math.pi)
    return (
        limit_abs(tx + keep * math.cos(angle), bound),
        limit_abs(ty + keep * math.sin(angle), bound),
    )
