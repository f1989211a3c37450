"""A rigid body on a plane under the forces on two tracks, integrated by a Runge-Kutta method."""

import math
from typing import NamedTuple

from velocity_mobility_ros.vehicles.tracked.ground_contact import POINTS, Ground, track_forces


class Planar(NamedTuple):
    """State of a body on a plane, or its rate.

    Attributes:
        x: Position of the centre of gravity east [m].
        y: Its position north [m].
        yaw: Heading, counter-clockwise from east [rad].
        u: Forward velocity [m/s].
        v: Velocity to the left [m/s].
        r: Yaw rate [rad/s].
    """

    x: float
    y: float
    yaw: float
    u: float
    v: float
    r: float


class Chassis(NamedTuple):
    """Mass [kg], yaw moment of inertia [kg m^2], and the contact of the tracks."""

    mass: float
    inertia: float
    ground: Ground


def rate(chassis: Chassis, left: float, right: float, at: Planar) -> Planar:
    """Return the rate of change of a state, by name, per second.

    ``du = X/m + v r``, ``dv = Y/m - u r``, ``dr = sum(x Fy - y Fx)/I``.

    Args:
        chassis: The body.
        left: Speed of the left track [m/s].
        right: Speed of the right track [m/s].
        at: The state.
    """
    on_left, on_right = track_forces(chassis.ground, left, right, at.u, at.v, at.r)
    forward, leftward, moment = 0.0, 0.0, 0.0
    half = chassis.ground.half_spacing
    for k in range(POINTS):
        lx, ly = on_left[k]
        rx, ry = on_right[k]
        forward += lx + rx
        leftward += ly + ry
        moment += chassis.ground.positions[k] * (ly + ry) + half * (rx - lx)
    c, s = math.cos(at.yaw), math.sin(at.yaw)
    return Planar(
        at.u * c - at.v * s,
        at.u * s + at.v * c,
        at.r,
        forward / chassis.mass + at.v * at.r,
        leftward / chassis.mass - at.u * at.r,
        moment / chassis.inertia,
    )


def moved(at: Planar, by: Planar, dt: float) -> Planar:
    """Return a state after ``dt`` [s] at a constant rate."""
    return Planar(
        at.x + dt * by.x, at.y + dt * by.y, at.yaw + dt * by.yaw,
        at.u + dt * by.u, at.v + dt * by.v, at.r + dt * by.r,
    )  # fmt: skip


def next_planar(chassis: Chassis, left: float, right: float, at: Planar, dt: float) -> Planar:
    """Return the state after ``dt`` [s] by the classical method of order 4; the heading grows.

    Arguments as ``rate``; the speeds of the tracks are constant over the step.
    """
    a = rate(chassis, left, right, at)
    b = rate(chassis, left, right, moved(at, a, 0.5 * dt))
    c = rate(chassis, left, right, moved(at, b, 0.5 * dt))
    d = rate(chassis, left, right, moved(at, c, dt))
    mean = Planar(
        a.x + 2.0 * (b.x + c.x) + d.x, a.y + 2.0 * (b.y + c.y) + d.y,
        a.yaw + 2.0 * (b.yaw + c.yaw) + d.yaw, a.u + 2.0 * (b.u + c.u) + d.u,
        a.v + 2.0 * (b.v + c.v) + d.v, a.r + 2.0 * (b.r + c.r) + d.r,
    )  # fmt: skip
    return moved(at, mean, dt / 6.0)
