"""Law ``two_channel``: radial PD on the measured radius, two tangential channels, propagation.

Source: the soliton encirclement experiment for GrADyS-SIM NG, third version, behaviour unchanged:
after a failure the propagation layer is reset, while the tangential state and the last measured
radius stay; the angular rate damping is that of the first version.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from soliton_encirclement_ros.controllers.original_laws import (
    NO_PLACE, NOTHING, OriginalGains, Plane, RingPosition, curvature_sent, never, no_hold,
    original_gains, spacing_errors, update_place, wanted_velocity
)
from soliton_encirclement_ros.controllers.tangential_channels import (
    CHANNELS_AT_REST, TwoChannelGains, TwoChannelState, two_channel_step
)
from soliton_encirclement_ros.core.laws.law import FIELDS, Decision, Law, Setup, View, offset
from soliton_encirclement_ros.core.laws.law_fault import WrongResultError, place_of
from soliton_encirclement_ros.core.laws.layer import (
    Gains as LayerGains, Layer, LayerMessage, State
)
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.core.laws.telemetry import Quantity
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY, direction
from velocity_mobility_ros.core.velocity_model import finite_or_zero

UNKNOWN = math.nan
"""The radius before the first one was measured."""


class RadialOutcome(NamedTuple):
    """The velocity [m/s] towards the ring, and the radius [m] that it was computed from."""

    velocity: Plane
    r: float


def radial_speed(
    r: float, r_last: float, radius: float, k_r: float, k_dr: float, dt: float
) -> float:
    """Return the outward speed [m/s], ``K_R (R - r) - K_DR (r - r_last) / dt``.

    Args:
        r: Radius [m].
        r_last: Radius [m] one period ago, NaN if there was none.
        radius: Desired radius R [m].
        k_r: Gain K_R [1/s].
        k_dr: Damping K_DR of the radial speed.
        dt: Control period [s].
    """
    change = 0.0 if math.isnan(r_last) else r - r_last
    speed = k_r * (radius - r) + (-k_dr * change) / dt
    return speed if math.isfinite(speed) else 0.0


def radial_pd_difference(
    dx: float, dy: float, r_last: float, radius: float, k_r: float, k_dr: float, dt: float
) -> RadialOutcome:
    """Return the velocity that pulls a body onto the ring.

    Args:
        dx: East offset from the target [m].
        dy: North offset from the target [m].
        r_last: Radius [m] one period ago, NaN if there was none.
        radius: Desired radius [m].
        k_r: Gain [1/s].
        k_dr: Damping of the radial speed.
        dt: Control period [s].
    """
    ex, ey, r = direction(dx, dy)
    speed = radial_speed(r, r_last, radius, k_r, k_dr, dt)
    vx, vy = speed * ex, speed * ey
    finite = math.isfinite(vx) and math.isfinite(vy)
    return RadialOutcome((vx, vy) if finite else NOTHING, r)


TELEMETRY = {
    'u': Quantity('', 'tangential state, composed of both channels'),
    'u_local': Quantity('', 'own channel'),
    'u_prop': Quantity('', "channel of the neighbours' signal"),
    'u_ss': Quantity('', 'curvature of u along the ring'),
    'prop_signal': Quantity('', "neighbours' signal of the propagation layer"),
    'delta_u': Quantity('', 'change of u in the last tick'),
    'du_damp': Quantity('1/s', 'rate of change of both channels from decay'),
    'du_from_e_tau': Quantity('1/s', 'rate of change of the own channel from the spacing error'),
    'e_tau': Quantity('', 'spacing error, -1 to 1'),
    'e_tau_eff': Quantity('', 'spacing error after the damping of the angular rate'),
}


class Gains(NamedTuple):
    """The gains of both channels, those of the layer, and those that both original laws share."""

    channels: TwoChannelGains
    layer: LayerGains
    ring: OriginalGains


class TwoChannelMemory(NamedTuple):
    """The place, both channels, the layer's state, the last radius [m], and values to record.

    ``signal`` is that of the neighbours, ``u_ss`` the published curvature.
    """

    place: RingPosition
    channels: TwoChannelState
    layer: State
    r_last: float
    signal: float
    u_ss: float
    e_tau: float
    e_tau_eff: float


class TwoChannelMessage(NamedTuple):
    """u, its curvature, and the message of the layer."""

    u: float
    u_ss: float
    layer: LayerMessage


def two_channel(layer: Layer) -> Law:
    """Return the law with a propagation layer."""
    advance, message_of, change = layer.step, layer.message, layer.on_neighbour_change
    signal_of = finite_or_zero if layer.parameters is None else finite_signal(layer)
    unpack, no_message, quiet = packing(layer.no_message).unpack, layer.no_message, layer.rest

    def step(gains: Gains, memory: TwoChannelMemory, view: View) -> tuple[TwoChannelMemory, TwoChannelMessage, Decision]:
        """Advance by one control period."""
        common, ring, before = gains.ring, view.ring, memory.place.near
        place, pred, succ = update_place(memory.place, view, common.hysteresis)
        near, state = place.near, memory.layer
        if near.pred != before.pred or near.succ != before.succ:
            state = change(state)
        errors = spacing_errors(place, view, pred, succ, common.k_omega_damp, common.r_min)
        from_pred = no_message if pred == NOBODY else unpack(ring.states[ring.rows[pred]][FIELDS:])
        from_succ = no_message if succ == NOBODY else unpack(ring.states[ring.rows[succ]][FIELDS:])
        state, received = advance(
            state, finite_or_zero(errors.e_tau_eff), common.period, from_pred, from_succ,
            gains.layer,
        )  # fmt: skip
        signal = signal_of(received)
        channels = two_channel_step(
            memory.channels, errors.e_tau_eff, signal, common.period, gains.channels
        )
        dx, dy = offset(view)
        radial, r_last = radial_pd_difference(
            dx, dy, memory.r_last, common.radius, common.k_r, common.k_dr, common.period
        )
        wanted = wanted_velocity(view, radial, channels.u, common)
        u_ss = curvature_sent(ring, pred, succ, channels.u)
        after = TwoChannelMemory(
            place, channels, state, r_last, signal, u_ss, errors.e_tau, errors.e_tau_eff
        )
        message = TwoChannelMessage(channels.u, u_ss, message_of(state))
        return after, message, Decision(wanted, near.pred, near.succ, errors.e_tau)

    def reset(memory: TwoChannelMemory) -> TwoChannelMemory:
        """Reset the layer after a failure and nothing else, as the original does."""
        return TwoChannelMemory(
            memory.place, memory.channels, quiet, memory.r_last, 0.0, memory.u_ss,
            memory.e_tau, memory.e_tau_eff,
        )  # fmt: skip

    def gains_of(setup: Setup) -> Gains:
        """Return the gains of the law."""
        return Gains(channel_gains(setup), layer.gains(setup.propagation), original_gains(setup))

    rest = TwoChannelMemory(NO_PLACE, CHANNELS_AT_REST, layer.rest, UNKNOWN, 0.0, 0.0, 0.0, 0.0)
    return Law(
        rest, TwoChannelMessage(0.0, 0.0, message_of(layer.rest)), gains_of, step, reset, values, TELEMETRY,
        dead_reckoning=False, target_hold=never, neighbour_hold=no_hold,
    )  # fmt: skip


def finite_signal(layer: Layer) -> Callable[[float], float]:
    """Return a function that refuses a signal of a user's layer that is not finite."""
    fault = f'the layer returned a signal that is not finite{place_of(layer.step)}'

    def refused(signal: float) -> float:
        """Return a signal that is finite."""
        if not math.isfinite(signal):
            raise WrongResultError(fault)
        return signal

    return refused


def values(memory: TwoChannelMemory) -> tuple[float, ...]:
    """Return u, its channels, their changes in the last step, and the spacing errors."""
    state = memory.channels
    return (
        state.u, state.u_local, state.u_prop, memory.u_ss, memory.signal,
        state.delta_u, state.du_damp, state.du_from_e_tau, memory.e_tau, memory.e_tau_eff,
    )  # fmt: skip


def channel_gains(setup: Setup) -> TwoChannelGains:
    """Return the gains of both channels."""
    control = setup.control
    blend = control.tangential_composition_mode == 'blend'
    return TwoChannelGains(
        control.beta_u_local,
        control.beta_u_prop,
        control.k_e_tau,
        setup.propagation.k_in_use,
        control.u_conflict_blend_width if blend else math.nan,
    )
