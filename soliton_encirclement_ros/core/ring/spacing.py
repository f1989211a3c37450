"""Spacing error of an agent between its neighbours, and its angular rate around the target."""

import math

from soliton_encirclement_ros.core.ring.plane import DIRECTION_FLOOR, length

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
