"""Tangential state of ``two_channel``: an own channel and one for the neighbours' signal.

    u_local' = -beta_local u_local + K_e e_tau
    u_prop'  = -beta_prop u_prop + k_prop s

with the spacing error e_tau and the neighbours' signal s. u is composed of both: their sum, or,
in blend mode, a soft choice of the larger one where their signs differ.
Source: the soliton encirclement experiment for GrADyS-SIM NG (third version).
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.finite import finite_or_zero


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


AT_REST = TwoChannelState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


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
