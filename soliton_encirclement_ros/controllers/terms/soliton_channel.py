"""Tangential state of ``soliton_v1``: coupled scalars that carry spacing errors along the ring.

With U = u_kdv + u_nom + u_err and neighbours' values by subscript:

    u_s   = u_succ - u_pred
    u_ss  = u_succ - 2 U + u_pred
    u_sss = u_ss_succ - u_ss_pred
    u_kdv' : C u_s + kappa_diff u_ss - k_steepen U u_s + kappa_disp u_sss
    u_nom' : -beta U - alpha g(U),  g(U) = U^3, or U^3 / (1 + (U / u_lim)^2) with the soft limiter
    u_err' : K_e e_tau

Source: the soliton encirclement experiment for GrADyS-SIM NG (first version).
"""

import math
from typing import NamedTuple


class ChannelGains(NamedTuple):
    """Gains of the tangential state [1/s]; ``u_lim`` [unit of u] is NaN without soft limiter."""

    c_coupling: float
    kappa_u_diff: float
    k_u_steepen: float
    kappa_u_disp: float
    beta_u: float
    alpha_u: float
    k_e_tau: float
    u_lim: float


class SolitonState(NamedTuple):
    """The state u, its three components, and the increment of each in the last step."""

    u: float
    u_kdv: float
    u_nom: float
    u_err: float
    delta_u: float
    delta_u_kdv: float
    delta_u_nom: float
    delta_u_err: float


AT_REST = SolitonState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def cubic(u: float, u_lim: float) -> float:
    """Return the nonlinearity g(u); a positive finite ``u_lim`` softens it."""
    cube = (u * u) * u
    if math.isfinite(u_lim) and u_lim > 0.0:
        ratio = abs(u) / u_lim
        return cube / (1.0 + ratio * ratio)
    return cube


def curvature(u: float, u_pred: float, u_succ: float) -> float:
    """Return the second difference ``u_succ - 2 u + u_pred``."""
    return (u_succ - 2.0 * u) + u_pred


def reported_curvature(u: float, u_pred: float, u_succ: float) -> float:
    """Return the curvature to publish, 0 where it is not finite."""
    u_ss = curvature(u, u_pred, u_succ)
    return u_ss if math.isfinite(u_ss) else 0.0


def soliton_step(
    state: SolitonState,
    u_pred: float,
    u_succ: float,
    u_ss_pred: float,
    u_ss_succ: float,
    e_tau: float,
    dt: float,
    gains: ChannelGains,
) -> SolitonState:
    """Advance the tangential state by one explicit Euler step.

    Anything non-finite, in or out, resets the state to rest.

    Args:
        state: State before.
        u_pred: Predecessor's u, 0 if there is none.
        u_succ: Successor's u, 0 if there is none.
        u_ss_pred: Curvature the predecessor reported.
        u_ss_succ: Curvature the successor reported.
        e_tau: Spacing error in use.
        dt: Control period [s].
        gains: The gains.
    """
    u = (state.u_kdv + state.u_nom) + state.u_err
    u_s = u_succ - u_pred
    transport = gains.c_coupling * u_s + gains.kappa_u_diff * curvature(u, u_pred, u_succ)
    steepening = (gains.k_u_steepen * u) * u_s
    dispersion = gains.kappa_u_disp * (u_ss_succ - u_ss_pred)
    d_kdv = dt * ((transport - steepening) + dispersion)
    d_nom = dt * ((-gains.beta_u) * u - gains.alpha_u * cubic(u, gains.u_lim))
    d_err = dt * (gains.k_e_tau * e_tau)
    kdv, nom, err = state.u_kdv + d_kdv, state.u_nom + d_nom, state.u_err + d_err
    u = (kdv + nom) + err
    after = SolitonState(u, kdv, nom, err, (d_kdv + d_nom) + d_err, d_kdv, d_nom, d_err)
    for value in after:
        if not math.isfinite(value):
            return AT_REST
    return after
