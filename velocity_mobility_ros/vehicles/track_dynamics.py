"""Dynamics of a body on two tracks: ground forces at contact points, planar motion under them.

A point slips by the difference of the speed of its track and its own speed over ground. Friction
acts along the slip and saturates smoothly at the friction coefficient times the normal load, with
other coefficients along and across the track (anisotropic Coulomb friction, regularised by tanh);
rolling resistance acts against the motion over ground. Flat ground, no sinkage. The distributed
contact is that of the skid-steering models in J. Y. Wong, Theory of Ground Vehicles, chapter 6.

Body frame: x forward, y left, origin in the centre of gravity. SI units.

The planar rigid body is integrated by a Runge-Kutta method.
"""

import math
from typing import NamedTuple

GRAVITY = 9.81
"""[m/s^2]"""

POINTS = 4
"""Contact points of a track; the functions below name each of them."""

SMALLEST_SLIP = 1e-9
"""[m/s]; below it the limit of ``tanh(s/v0)/s`` is used."""

Points = tuple[float, float, float, float]
Force = tuple[float, float]
SideForces = tuple[Force, Force, Force, Force]


class Ground(NamedTuple):
    """Contact of both tracks with the ground.

    Attributes:
        positions: Position of the contact points, forward of the centre of gravity [m].
        loads: Normal force at each of them [N].
        half_spacing: Distance of a track from the centre line [m].
        friction_x: Friction coefficient of a slip along the track.
        friction_y: Friction coefficient of a slip across it.
        slip_speed: Slip at which 76 % of the friction is reached [m/s].
        rolling: Coefficient of rolling resistance.
    """

    positions: Points
    loads: Points
    half_spacing: float
    friction_x: float
    friction_y: float
    slip_speed: float
    rolling: float


def contact_positions(length: float, cg_offset: float) -> Points:
    """Return the contact points of a track, forward of the centre of gravity [m].

    Args:
        length: Length of the contact [m].
        cg_offset: Centre of gravity, forward of the middle of the contact [m].
    """
    a, b, c, d = ((-0.5 + (k + 0.5) / POINTS) * length - cg_offset for k in range(POINTS))
    return a, b, c, d


def largest_cg_offset(length: float) -> float:
    """Return the offset of the centre of gravity [m] at which a contact point is lifted."""
    return length * (POINTS + 1) / (6.0 * POINTS)


def normal_loads(positions: Points, weight: float) -> Points:
    """Return the loads [N] that balance weight and pitching moment, linear along the track.

    Args:
        positions: Contact points, forward of the centre of gravity [m].
        weight: Weight on this track [N].
    """
    middle = sum(positions) / POINTS
    slope = -middle * weight / sum((x - middle) * (x - middle) for x in positions)
    a, b, c, d = (max(0.0, weight / POINTS + (x - middle) * slope) for x in positions)
    return a, b, c, d


def contact_force(
    ground: Ground, k: int, y: float, track: float, u: float, v: float, r: float
) -> Force:
    """Return the force of the ground at one contact point [N], forward and left.

    Args:
        ground: The contact.
        k: Contact point, 0 at the rear.
        y: Distance of the track to the left of the centre line [m].
        track: Speed of the track's surface [m/s], positive forward.
        u: Forward velocity of the centre of gravity [m/s].
        v: Its velocity to the left [m/s].
        r: Yaw rate [rad/s].
    """
    along = u - r * y
    slip_x, slip_y = track - along, -(v + r * ground.positions[k])
    slip = math.sqrt(slip_x * slip_x + slip_y * slip_y)
    scale = 1.0 / ground.slip_speed
    if slip >= SMALLEST_SLIP:
        scale = math.tanh(slip / ground.slip_speed) / slip
    load = ground.loads[k]
    rolling = ground.rolling * load * math.tanh(along / ground.slip_speed)
    return (
        ground.friction_x * load * scale * slip_x - rolling,
        ground.friction_y * load * scale * slip_y,
    )


def side_forces(
    ground: Ground, y: float, track: float, u: float, v: float, r: float
) -> SideForces:
    """Return the forces on one track [N], from rear to front; arguments as ``contact_force``."""
    return (
        contact_force(ground, 0, y, track, u, v, r),
        contact_force(ground, 1, y, track, u, v, r),
        contact_force(ground, 2, y, track, u, v, r),
        contact_force(ground, 3, y, track, u, v, r),
    )


def track_forces(
    ground: Ground, left: float, right: float, u: float, v: float, r: float
) -> tuple[SideForces, SideForces]:
    """Return the forces on the left and the right track [N], 2 x 4 x (forward, left).

    Args:
        ground: The contact.
        left: Speed of the left track [m/s].
        right: Speed of the right track [m/s].
        u: Forward velocity of the centre of gravity [m/s].
        v: Its velocity to the left [m/s].
        r: Yaw rate [rad/s].
    """
    half = ground.half_spacing
    return side_forces(ground, half, left, u, v, r), side_forces(ground, -half, right, u, v, r)


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
