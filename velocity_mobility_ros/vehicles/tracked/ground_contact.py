"""Forces of the ground on two tracks, at four contact points on each side.

A point slips by the difference of the speed of its track and its own speed over ground. Friction
acts along the slip and saturates smoothly at the friction coefficient times the normal load, with
other coefficients along and across the track (anisotropic Coulomb friction, regularised by tanh);
rolling resistance acts against the motion over ground. Flat ground, no sinkage. The distributed
contact is that of the skid-steering models in J. Y. Wong, Theory of Ground Vehicles, chapter 6.

Body frame: x forward, y left, origin in the centre of gravity. SI units.
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
