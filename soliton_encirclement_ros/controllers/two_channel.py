"""The successor's law: radial PD on the measured radius, two tangential channels, propagation.

Source: the soliton encirclement experiment for GrADyS-SIM NG, third version, behaviour as it is:
after a failure the propagation layer starts anew, while the tangential state and the last measured
radius stay; the angular rate damping is that of the first version.
"""

import math

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.controllers.controller import Broadcast, Setup, View
from soliton_encirclement_ros.controllers.ring_place import (
    RingPlace,
    SpacingErrors,
    offset_from,
)
from soliton_encirclement_ros.core.commands import encircling_velocity
from soliton_encirclement_ros.core.radial_difference import UNKNOWN, radial_pd_difference
from soliton_encirclement_ros.core.ring import Neighbours
from soliton_encirclement_ros.core.soliton import reported_curvature
from soliton_encirclement_ros.core.states import AgentState, TargetState
from soliton_encirclement_ros.core.telemetry import Quantity
from soliton_encirclement_ros.core.two_channel import AT_REST, TwoChannelGains, two_channel_step
from soliton_encirclement_ros.propagation import LAYERS, Relay

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


class TwoChannel:
    """One agent's memory of the successor's law."""

    telemetry_quantities = TELEMETRY
    telemetry_names = tuple(TELEMETRY)

    def __init__(self, setup: Setup) -> None:
        """Start at rest, without neighbours, with even weights."""
        self._place = RingPlace(setup.control)
        self._relay = Relay(LAYERS[setup.propagation.propagation_method], setup.propagation)
        self.retune(setup)
        self._state = AT_REST
        self._u_ss = 0.0
        self._signal = 0.0
        self._errors = SpacingErrors(0.0, 0.0)
        self._r_last = UNKNOWN

    @property
    def neighbours(self) -> Neighbours:
        """Predecessor and successor of the last step."""
        return self._place.neighbours

    def retune(self, setup: Setup) -> None:
        """Go on with other gains; both channels and the state of the layer stay."""
        self._control = setup.control
        self._swarm = setup.swarm
        self._gains = channel_gains(setup)
        self._place.retune(setup.control)
        self._relay.retune(setup.propagation)

    def reset(self) -> None:
        """Reset the layer after a failure and nothing else, as the original does."""
        self._relay.reset()
        self._signal = 0.0

    def on_target_state(self, target: TargetState) -> None:
        """Refresh the weights of the own and the predecessor's arc."""
        self._place.on_target_state(target)

    def step(self, view: View) -> Vector:
        """Advance by one control period; return the wanted velocity [m/s, map]."""
        if self._place.update(view):
            self._relay.on_neighbour_change()
        if view.target is None:
            return 0.0, 0.0, 0.0
        self._advance(view, view.target)
        return self._compose(view, view.target)

    def broadcast(self) -> Broadcast:
        """Return u, its curvature and the part of the layer that is passed on."""
        return Broadcast(self._state.u, self._u_ss, self._relay.broadcast())

    def telemetry(self) -> tuple[float, ...]:
        """Return u, its channels, what moved them in the last step, and the spacing errors."""
        state = self._state
        return (
            state.u,
            state.u_local,
            state.u_prop,
            self._u_ss,
            self._signal,
            state.delta_u,
            state.du_damp,
            state.du_from_e_tau,
            *self._errors,
        )

    def _advance(self, view: View, target: TargetState) -> None:
        pred, succ = self._place.beside(view)
        self._errors = self._place.errors(view, target)
        dt, e_tau = self._swarm.control_period, self._errors.e_tau_eff
        self._signal = self._relay.step(
            e_tau, dt, pred.prop if pred else None, succ.prop if succ else None
        )
        self._state = two_channel_step(self._state, e_tau, self._signal, dt, self._gains)
        self._u_ss = _told_curvature(self._state.u, pred, succ)

    def _compose(self, view: View, target: TargetState) -> Vector:
        gains = self._control
        dx, dy = offset_from(target, view.pose.position)
        radial, self._r_last = radial_pd_difference(
            dx,
            dy,
            self._r_last,
            self._swarm.encirclement_radius,
            gains.k_r,
            gains.k_dr,
            self._swarm.control_period,
        )
        return encircling_velocity(
            dx,
            dy,
            radial,
            self._state.u,
            target.velocity,
            target.omega_ref,
            gains.k_tau,
            gains.r_min,
        )


def _told_curvature(u: float, pred: AgentState | None, succ: AgentState | None) -> float:
    if pred is None or succ is None:
        return 0.0
    return reported_curvature(u, pred.u, succ.u)


def channel_gains(setup: Setup) -> TwoChannelGains:
    """Return the gains of the law."""
    control = setup.control
    blend = control.tangential_composition_mode == 'blend'
    return TwoChannelGains(
        control.beta_u_local,
        control.beta_u_prop,
        control.k_e_tau,
        setup.propagation.k_in_use,
        control.u_conflict_blend_width if blend else math.nan,
    )
