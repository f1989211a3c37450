"""Geometry of the ring in the horizontal plane: bearings, neighbours, gaps, and places in them."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.coordinate_frames import TURN, wrap_2pi
from velocity_mobility_ros.core.velocity_model import Vector

DIRECTION_FLOOR = 1e-6
"""Below this length [m] a vector has no direction."""


def length(x: float, y: float) -> float:
    """Return the norm; written out so that every machine rounds it identically."""
    return math.sqrt(x * x + y * y)


def direction(x: float, y: float) -> tuple[float, float, float]:
    """Return the unit vector and the length; (1, 0) and 0 where there is no direction."""
    n = length(x, y)
    if not math.isfinite(n) or n < DIRECTION_FLOOR:
        return 1.0, 0.0, 0.0
    return x / n, y / n, n


def bearing(x: float, y: float) -> float:
    """Return the angle [rad] in [0, 2 pi) of a vector, counter-clockwise from east."""
    return wrap_2pi(math.atan2(y, x) + TURN)


SPACING_FLOOR = 1e-9
"""Below this denominator the spacing error is undefined."""


def spacing_error(
    gap_pred: float, gap_succ: float, lambda_pred: float, lambda_self: float
) -> float:
    """Return the weighted imbalance of the two arcs, in [-1, 1] for positive weights.

        e_tau = (lambda_pred gap_succ - lambda_self gap_pred)
              / (lambda_pred gap_succ + lambda_self gap_pred)

    Positive means: move counter-clockwise, towards the successor. Zero where it is undefined.
    At rest the arcs are proportional to their weights.

    Args:
        gap_pred: Arc to the predecessor [rad].
        gap_succ: Arc to the successor [rad].
        lambda_pred: Weight of the predecessor's arc.
        lambda_self: Weight of the agent's own arc.
    """
    a = lambda_pred * gap_succ
    b = lambda_self * gap_pred
    den = a + b
    if not math.isfinite(den) or den <= SPACING_FLOOR:
        return 0.0
    e_tau = (a - b) / den
    return e_tau if math.isfinite(e_tau) else 0.0


def angular_rate(dx: float, dy: float, dvx: float, dvy: float) -> float:
    """Return the rate [rad/s] at which a body turns around the target; NaN where undefined.

    Args:
        dx: East offset from the target [m].
        dy: North offset from the target [m].
        dvx: East velocity relative to the target [m/s].
        dvy: North velocity relative to the target [m/s].
    """
    r = length(dx, dy)
    if not math.isfinite(r) or r <= DIRECTION_FLOOR:
        return math.nan
    nx = dx / r
    ny = dy / r
    return (dvx * -ny + dvy * nx) / r


def command_rate(cx: float, cy: float, ex: float, ey: float, r: float, r_min: float) -> float:
    """Return the rate [rad/s] at which a command turns around the target.

    Args:
        cx: East part of the command [m/s].
        cy: North part of the command [m/s].
        ex: East part of the unit vector outwards.
        ey: North part of the unit vector outwards.
        r: Radius [m].
        r_min: Smallest radius in use [m].
    """
    return (cx * -ey + cy * ex) / max(r, r_min)


def damped_error(
    e_tau: float, k_omega_damp: float, omega_self: float, omega_pred: float, omega_succ: float
) -> float:
    """Subtract the agent's lead over its neighbours: ``e_tau - K (omega_self - omega_ref)``.

    ``omega_ref`` is the mean of the neighbours' rates, or the only defined one. Nothing is
    subtracted where a rate is undefined (NaN) or the gain is not positive.

    Args:
        e_tau: Spacing error.
        k_omega_damp: Gain [s/rad].
        omega_self: Own angular rate [rad/s].
        omega_pred: Predecessor's angular rate [rad/s].
        omega_succ: Successor's angular rate [rad/s].
    """
    if not (math.isfinite(k_omega_damp) and k_omega_damp > 0.0 and math.isfinite(omega_self)):
        return e_tau
    if math.isfinite(omega_pred) and math.isfinite(omega_succ):
        omega_ref = 0.5 * (omega_pred + omega_succ)
    elif math.isfinite(omega_pred):
        omega_ref = omega_pred
    else:
        omega_ref = omega_succ
    damped = e_tau - k_omega_damp * (omega_self - omega_ref)
    return damped if math.isfinite(damped) else e_tau


class Shift(NamedTuple):
    """Rotation [rad] to the agent's place, counter-clockwise positive, and its rate [rad/s]."""

    angle: float
    rate: float


IN_PLACE = Shift(0.0, 0.0)


def gap_ahead(thetas: Sequence[float], i: int, hop: int) -> float:
    """Return the arc [rad] from entry i of a sorted ring to the entry ``hop`` places on."""
    j = i + hop
    if j >= len(thetas):
        return thetas[j - len(thetas)] + TURN - thetas[i]
    return thetas[j] - thetas[i]


def gap_behind(thetas: Sequence[float], i: int, hop: int) -> float:
    """Return the arc [rad] to entry i of a sorted ring from the entry ``hop`` places before."""
    j = i - hop
    if j < 0:
        return thetas[i] - (thetas[j + len(thetas)] - TURN)
    return thetas[i] - thetas[j]


def arc_weight(weight: float) -> float:
    """Return the weight of an arc, 1 if the target sent none."""
    return 1.0 if math.isnan(weight) else weight


def spacing_correction(
    thetas: Sequence[float],
    rates: Sequence[float],
    weights: Sequence[float],
    i: int,
    rate: float,
    hops: int,
) -> Shift:
    """Return the shift of entry i of a ring.

    Args:
        thetas: Angles of the whole ring in ascending order [rad].
        rates: Angular rates in the same order [rad/s]; that of the entry itself is not read.
        weights: Weight of the arc from each entry to the next; NaN (none) counts as 1.
        i: The entry.
        rate: Its angular rate [rad/s].
        hops: Maximum number of neighbours per side; beyond half a circle or half the ring
            only the nearest two are used.
    """
    count = len(thetas)
    if count < 2:
        return IN_PLACE
    angle = turning = behind = ahead = 0.0
    used = 0
    for hop in range(1, max(1, min(hops, (count - 1) // 2)) + 1):
        p, s = (i - hop) % count, (i + hop) % count
        ahead += arc_weight(weights[(i + hop - 1) % count])
        behind += arc_weight(weights[p])
        gap_p, gap_s = gap_behind(thetas, i, hop), gap_ahead(thetas, i, hop)
        if hop > 1 and (gap_p > math.pi or gap_s > math.pi):
            break
        both = behind + ahead
        if not both > 0.0:
            continue
        angle += (behind * gap_s - ahead * gap_p) / both
        turning += (behind * (rates[s] - rate) + ahead * (rates[p] - rate)) / both
        used += 1
    return Shift(angle / used, turning / used) if used else IN_PLACE


NOBODY = -1
"""The id that stands for no neighbour."""


class Neighbours(NamedTuple):
    """The two neighbours of an agent and the arcs [rad] to them; ids are NOBODY when alone."""

    pred: int
    succ: int
    gap_pred: float
    gap_succ: float


ALONE = Neighbours(NOBODY, NOBODY, 0.0, 0.0)


def between(
    theta: float, pred: int, theta_pred: float, succ: int, theta_succ: float
) -> Neighbours:
    """Return the neighbours of an agent at an angle [rad] with the arcs to theirs [rad]."""
    return Neighbours(pred, succ, wrap_2pi(theta - theta_pred), wrap_2pi(theta_succ - theta))


def keep_old(
    theta: float,
    nearest: Neighbours,
    old: Neighbours,
    theta_pred: float,
    theta_succ: float,
    hysteresis: float,
) -> Neighbours:
    """Return the nearest neighbours, or an old one that is nearly as close.

    Args:
        theta: The agent's angle [rad].
        nearest: Those just before and after it.
        old: The previous choice.
        theta_pred: Angle of the old predecessor [rad], NaN if it is gone.
        theta_succ: Angle of the old successor [rad], NaN if it is gone.
        hysteresis: Tolerance [rad].
    """
    pred, succ, gap_pred, gap_succ = nearest
    if old.pred != NOBODY and old.succ != NOBODY and pred == old.succ and succ == old.pred:
        return nearest
    held = wrap_2pi(theta - theta_pred)
    if held - nearest.gap_pred <= hysteresis:
        pred, gap_pred = old.pred, held
    held = wrap_2pi(theta_succ - theta)
    if held - nearest.gap_succ <= hysteresis:
        succ, gap_succ = old.succ, held
    return Neighbours(pred, succ, gap_pred, gap_succ)


class Polar(NamedTuple):
    """Radius [m], outward unit vector, radial and tangential speed [m/s], angular rate [rad/s]."""

    r: float
    ex: float
    ey: float
    vr: float
    vt: float
    rate: float


def polar(dx: float, dy: float, dvx: float, dvy: float, r_min: float) -> Polar:
    """Return offset [m] and velocity [m/s] relative to the target in polar coordinates.

    The angular rate is computed with at least ``r_min`` [m]: close to the target angles are noisy.
    """
    ex, ey, r = direction(dx, dy)
    vt = dvy * ex - dvx * ey
    return Polar(r, ex, ey, dvx * ex + dvy * ey, vt, vt / max(r, r_min))


class PredictedBearing(NamedTuple):
    """Angle [rad] and angular rate [rad/s] around the target."""

    theta: float
    rate: float


class RelativeMotion(NamedTuple):
    """Horizontal position [m] and velocity [m/s] relative to the target."""

    x: float
    y: float
    vx: float
    vy: float


class PredictedDirection(NamedTuple):
    """Direction from the target, of any length, and angular rate [rad/s] around it."""

    x: float
    y: float
    rate: float


def relative_motion(
    position: Vector,
    velocity: Vector,
    age: float,
    target_position: Vector,
    target_velocity: Vector,
    target_age: float,
    dead_reckoning: bool,
) -> RelativeMotion:
    """Return the motion of a body now, or at the time of its and the target's reports.

    Args:
        position: Reported position [m, map].
        velocity: Reported velocity [m/s, map].
        age: Age of the report [s].
        target_position: Reported position of the target [m, map].
        target_velocity: Reported velocity of the target [m/s, map].
        target_age: Age of that report [s].
        dead_reckoning: Whether the present motion is requested.
    """
    dvx, dvy = velocity[0] - target_velocity[0], velocity[1] - target_velocity[1]
    if not dead_reckoning:
        dx, dy = position[0] - target_position[0], position[1] - target_position[1]
        return RelativeMotion(dx, dy, dvx, dvy)
    x = position[0] + velocity[0] * age
    y = position[1] + velocity[1] * age
    dx = x - (target_position[0] + target_velocity[0] * target_age)
    dy = y - (target_position[1] + target_velocity[1] * target_age)
    return RelativeMotion(dx, dy, dvx, dvy)


def direction_of(
    motion: RelativeMotion, r_min: float, dead_reckoning: bool
) -> PredictedDirection:
    """Return the direction to a body, and its rate.

    Args:
        motion: Its motion.
        r_min: Smallest radius used for the rate [m].
        dead_reckoning: Whether the motion is the present one; the rate is 0 if not.
    """
    x, y, vx, vy = motion
    if not dead_reckoning:
        return PredictedDirection(x, y, 0.0)
    at = polar(x, y, vx, vy, r_min)
    return PredictedDirection(at.ex, at.ey, at.rate)


def angle_of(x: float, y: float) -> float:
    """Return the angle [rad] of a direction, from -pi to pi."""
    return math.atan2(y, x)


def predict_bearing(
    position: Vector,
    velocity: Vector,
    age: float,
    target_position: Vector,
    target_velocity: Vector,
    target_age: float,
    r_min: float,
    dead_reckoning: bool,
) -> PredictedBearing:
    """Return the bearing of a body; the arguments are those of the functions above."""
    motion = relative_motion(
        position, velocity, age, target_position, target_velocity, target_age, dead_reckoning
    )
    x, y, rate = direction_of(motion, r_min, dead_reckoning)
    return PredictedBearing(angle_of(x, y), rate)
