"""Tangential states of the original laws: scalars that carry spacing errors along the ring.

Tangential state of ``two_channel``: an own channel and one for the neighbours' signal.

    u_local' = -beta_local u_local + K_e e_tau
    u_prop'  = -beta_prop u_prop + k_prop s

with the spacing error e_tau and the neighbours' signal s. u is composed of both: their sum, or,
in blend mode, a soft choice of the larger one where their signs differ.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).

Tangential state of ``soliton_v1``: coupled scalars that carry spacing errors along the ring.

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

from velocity_mobility_ros.core.velocity_model import finite_or_zero


class TwoChannelGains(NamedTuple):
    """Decays and gains [1/s]; ``blend_width`` [unit of u] is NaN where the channels are added."""

    beta_local: float
    beta_prop: float
    k_e_tau: float
    k_prop: float
    blend_width: float


class TwoChannelState(NamedTuple):
    """u, its two channels, and of the last step: the change of u, both decays and the drive.

    ``du_damp`` and ``du_from_e_tau`` are rates [1/s].
    """

    u: float
    u_local: float
    u_prop: float
    delta_u: float
    du_damp: float
    du_from_e_tau: float


CHANNELS_AT_REST = TwoChannelState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def compose(u_local: float, u_prop: float, blend_width: float) -> float:
    """Return u from its channels.

    Where the signs differ in blend mode, with the weight w = (1 + tanh((|a| - |b|) / W)) / 2 of
    the own channel a, u = w a + (1 - w) b. A width of 0 takes the larger one. The blend jumps
    where the second channel changes its sign, as in the original.

    Args:
        u_local: Own channel a.
        u_prop: Channel b of the neighbours.
        blend_width: Width W [unit of u] of the soft choice; NaN adds the channels.
    """
    if math.isnan(blend_width) or u_local * u_prop >= 0.0:
        return u_local + u_prop
    lead = abs(u_local) - abs(u_prop)
    if blend_width <= 0.0:
        return u_local if lead >= 0.0 else u_prop
    w = 0.5 * (1.0 + math.tanh(lead / blend_width))
    return w * u_local + (1.0 - w) * u_prop


def two_channel_step(
    state: TwoChannelState, e_tau: float, signal: float, dt: float, gains: TwoChannelGains
) -> TwoChannelState:
    """Advance both channels by one explicit Euler step; values that are not finite count as 0.

    Args:
        state: State before.
        e_tau: Spacing error in use.
        signal: Signal of the neighbours.
        dt: Control period [s].
        gains: The gains.
    """
    before_local = finite_or_zero(state.u_local)
    before_prop = finite_or_zero(state.u_prop)
    damp_local = -gains.beta_local * before_local
    damp_prop = -gains.beta_prop * before_prop
    drive = gains.k_e_tau * finite_or_zero(e_tau)
    propagated = gains.k_prop * finite_or_zero(signal)
    u_local = finite_or_zero(before_local + dt * (damp_local + drive))
    u_prop = finite_or_zero(before_prop + dt * (damp_prop + propagated))
    u = compose(u_local, u_prop, gains.blend_width)
    delta = u - compose(before_local, before_prop, gains.blend_width)
    return TwoChannelState(u, u_local, u_prop, delta, damp_local + damp_prop, drive)


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
