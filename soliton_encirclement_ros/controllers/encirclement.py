"""The encirclement law: desired speeds in polar coordinates, then the acceleration to reach them.

Relative to the target, with radius r, unit vectors e outwards and t counter-clockwise, radial
speed v_r and tangential speed v_t, the desired speeds are

    w_r = sqrt_controller(R - r, k_r)       onto the ring
    w_s = sqrt_controller(r shift, k_s)     to the place between the neighbours
    w_o = r omega                         with the turning ring, at most sqrt(a r)

where a is the acceleration assumed for approaches (a turn takes w_o^2 / r of it), and all this
within the speed limit in priority order: the target's velocity first, then w_r, w_s, w_o.
The acceleration

    a_r = k_v (w_r - v_r) - w_r' v_r - v_t^2 / r
    a_t = k_v (w_s + w_o - v_t) + w_s' r shift_rate + v_r v_t / r

makes ``r - R`` and the shift decay with the poles -k_v, -k_r and -k_v, -k_s
(docs/research/law.md). The slopes w' are those of the approach, scaled by the share that
saturation left.

Square-root controller: proportional for small errors, a square root for large ones.

    v(e) = k e                                       for |e| <= a / k^2
    v(e) = sign(e) sqrt(2 a (|e| - a / (2 k^2)))     beyond

Value and slope are continuous. Following the square root takes the constant deceleration ``a``, so
a body that can brake with ``a`` arrives without overshoot from any distance. Autopilots use it
under this name.

The radius that an agent flies if it may not receive the target at the full one.

A radio may reach less far than the ring. An agent that receives nothing of its target, neither
from it nor through others, goes on by dead reckoning and comes closer, to a share of its present
distance r. When it hears again it goes back at once to a little less than the distance r_h of its
last news, and on from there slowly, so that it stays within reach for long:

    unheard    rho = min(rho, share r), and at least half of R
    heard      rho = max(rho + speed T, 0.85 r_h), and at most R
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.ring.ring_geometry import Polar, Shift
from velocity_mobility_ros.core.velocity_model import limit_abs


def saturation(bx: float, by: float, dx: float, dy: float, limit: float) -> float:
    """Return the largest share s in [0, 1] with ``|b + s d| <= limit``.

    A base that is already at or beyond the limit leaves room only for parts that lead back inside.

    Args:
        bx: East part of the base b, which is served first.
        by: North part of the base.
        dx: East part of the addition d, same unit.
        dy: North part of the addition.
        limit: Largest norm, same unit.
    """
    x, y = bx + dx, by + dy
    if x * x + y * y <= limit * limit:
        return 1.0
    dd = dx * dx + dy * dy
    bd = bx * dx + by * dy
    room = limit * limit - (bx * bx + by * by)
    inside = bd * bd + dd * room
    if not inside >= 0.0 or dd == 0.0:
        return 0.0
    share = (math.sqrt(inside) - bd) / dd
    return min(1.0, max(0.0, share))


def sqrt_controller(error: float, gain: float, deceleration: float) -> tuple[float, float]:
    """Return the speed [m/s] towards the goal, and its slope over the error [1/s].

    Args:
        error: Signed distance to the goal [m].
        gain: Slope k near the goal [1/s], above 0.
        deceleration: Braking a [m/s^2], above 0.
    """
    linear = deceleration / (gain * gain)
    size = abs(error)
    if size <= linear:
        return gain * error, gain
    speed = math.sqrt(2.0 * deceleration * (size - 0.5 * linear))
    return math.copysign(speed, error), deceleration / speed


def pull(wanted: float, speed: float, slope: float, error_rate: float, k_v: float) -> float:
    """Return the acceleration [m/s^2] with which a body follows its approach.

        a = k_v (w - v) + w' e'          poles -k_v and -k near the goal, no overshoot

    Args:
        wanted: Desired speed w [m/s].
        speed: Speed v [m/s].
        slope: Slope w' of the approach [1/s].
        error_rate: Rate e' of the error [m/s]; -v for a goal at rest.
        k_v: Gain of the speed [1/s].
    """
    return k_v * (wanted - speed) + slope * error_rate


class EncirclementGains(NamedTuple):
    """Gains k_r, k_s, k_v [1/s].

    ``approach`` and ``spacing`` [m/s^2] are the braking assumed for approaches to the ring and to
    the place on it.
    """

    k_r: float
    k_s: float
    k_v: float
    approach: float
    spacing: float
    r_min: float
    max_speed: float


class DesiredSpeeds(NamedTuple):
    """Desired speeds [m/s] and their slopes [1/s], with the shares left by saturation."""

    radial: float
    spacing: float
    spin: float
    radial_slope: float
    spacing_slope: float
    radial_share: float
    spacing_share: float
    spin_share: float


def wanted_speeds(
    at: Polar,
    shift: Shift,
    omega: float,
    base: tuple[float, float],
    radius: float,
    gains: EncirclementGains,
) -> DesiredSpeeds:
    """Return the desired speeds relative to the target.

    Args:
        at: Position of the agent.
        shift: The turn to its place.
        omega: Desired turn rate of the ring [rad/s].
        base: Velocity of the target [m/s], served first.
        radius: Desired radius R [m].
        gains: The gains.
    """
    turn = max(at.r, gains.r_min)
    radial = sqrt_controller(radius - at.r, gains.k_r, gains.approach)
    spacing = sqrt_controller(turn * shift.angle, gains.k_s, gains.spacing)
    return within_limit(at, radial, spacing, omega, base, gains)


def proportional_speeds(
    at: Polar,
    shift: Shift,
    omega: float,
    base: tuple[float, float],
    radius: float,
    gains: EncirclementGains,
) -> DesiredSpeeds:
    """Return the desired speeds of laws that close every error in proportion to its size.

        w_r = k_r (R - r)        w_s = r k_s shift

    Args:
        at: As of ``wanted_speeds``, like all that follow.
        shift: The turn to its place.
        omega: Desired turn rate of the ring [rad/s].
        base: Velocity of the target [m/s], served first.
        radius: Desired radius R [m].
        gains: The gains; ``sqrt_controller`` limits the turn of the ring alone.
    """
    radial = gains.k_r * (radius - at.r), gains.k_r
    spacing = gains.k_s * (max(at.r, gains.r_min) * shift.angle), gains.k_s
    return within_limit(at, radial, spacing, omega, base, gains)


def within_limit(
    at: Polar,
    radial: tuple[float, float],
    spacing: tuple[float, float],
    omega: float,
    base: tuple[float, float],
    gains: EncirclementGains,
) -> DesiredSpeeds:
    """Return the desired speeds within the speed limit, in priority order.

    Args:
        at: Position of the agent.
        radial: Speed w_r outwards [m/s] and its slope [1/s].
        spacing: Speed w_s along the ring, counter-clockwise [m/s], and its slope [1/s].
        omega: Desired turn rate of the ring [rad/s].
        base: Velocity of the target [m/s], served first.
        gains: The gains.
    """
    ex, ey, bx, by = at.ex, at.ey, base[0], base[1]
    turn = max(at.r, gains.r_min)
    outwards, radial_slope = radial
    around, spacing_slope = spacing
    spin = limit_abs(turn * omega, math.sqrt(gains.approach * turn))
    radial_share = saturation(bx, by, outwards * ex, outwards * ey, gains.max_speed)
    bx, by = bx + radial_share * outwards * ex, by + radial_share * outwards * ey
    spacing_share = saturation(bx, by, -around * ey, around * ex, gains.max_speed)
    bx, by = bx - spacing_share * around * ey, by + spacing_share * around * ex
    spin *= saturation(bx, by, -spin * ey, spin * ex, gains.max_speed)
    spin_share = spin / (turn * omega) if omega != 0.0 else 1.0
    return DesiredSpeeds(
        radial_share * outwards, spacing_share * around, spin, radial_share * radial_slope,
        spacing_share * spacing_slope, radial_share, spacing_share, spin_share,
    )  # fmt: skip


def wanted_acceleration(
    at: Polar, wanted: DesiredSpeeds, shift: Shift, radius: float, gains: EncirclementGains
) -> tuple[float, float]:
    """Return the acceleration relative to the target in map [m/s^2].

    The path curvature is computed with at least half the ring's radius: an agent that crosses the
    middle flies straight on.

    Args:
        at: Position of the agent.
        wanted: The desired speeds.
        shift: The turn to its place.
        radius: Desired radius R [m].
        gains: The gains.
    """
    curve = at.vt / max(at.r, 0.5 * radius)
    shift_rate = max(at.r, gains.r_min) * shift.rate
    along = wanted.spacing + wanted.spin
    outwards = pull(wanted.radial, at.vr, wanted.radial_slope, -at.vr, gains.k_v) - at.vt * curve
    around = pull(along, at.vt, wanted.spacing_slope, shift_rate, gains.k_v) + at.vr * curve
    return outwards * at.ex - around * at.ey, outwards * at.ey + around * at.ex


CLOSEST = 0.5
"""Smallest radius, as a share of the full one."""

BACK = 0.85
"""Share of the distance at which it heard last to which an agent goes back at once."""

STAYS = 1.0
"""The share with which an agent stays where it is."""


class HeldRadius(NamedTuple):
    """The radius rho that is kept [m], 0 before the first tick, and the distance r_h [m]."""

    radius: float
    heard_at: float


NONE_YET = HeldRadius(0.0, 0.0)


class ApproachUnheard(NamedTuple):
    """Numbers of the rule.

    Attributes:
        radius: Full radius R [m].
        share: Share of the distance to which an agent comes closer; 1: it stays.
        step: Growth of the radius in a period [m].
    """

    radius: float
    share: float
    step: float


def held_radius(
    before: HeldRadius, is_heard: bool, distance: float, rule: ApproachUnheard
) -> HeldRadius:
    """Return the radius to keep.

    Args:
        before: That of the last tick.
        is_heard: Whether a report of the target came within its timeout.
        distance: Distance to the target [m], by dead reckoning.
        rule: The numbers.
    """
    full = rule.radius
    if rule.share >= STAYS:
        return HeldRadius(full, distance)
    radius = full if before.radius == 0.0 else min(before.radius, full)
    if is_heard:
        radius = min(max(radius + rule.step, BACK * before.heard_at), full)
        return HeldRadius(radius, distance)
    radius = max(min(radius, rule.share * distance), CLOSEST * full)
    return HeldRadius(radius, before.heard_at)
