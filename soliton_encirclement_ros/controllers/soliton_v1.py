"""The seed's law: radial PD, soliton state along the ring, feed-forward and swarm spin.

Source: the soliton encirclement experiment for GrADyS-SIM NG, first version, behaviour as it is:
the angular rate damping compares the agent's own command in the world frame with its neighbours'
rates relative to the target, and nothing is reset after a failure.
"""

import math

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.controllers.controller import Broadcast, Setup, View
from soliton_encirclement_ros.controllers.ring_place import RingPlace, offset_from
from soliton_encirclement_ros.core.commands import encircling_velocity, radial_pd
from soliton_encirclement_ros.core.parameters import ControlParameters
from soliton_encirclement_ros.core.ring import Neighbours
from soliton_encirclement_ros.core.soliton import (
    AT_REST,
    SolitonGains,
    reported_curvature,
    soliton_step,
)
from soliton_encirclement_ros.core.states import TargetState
from soliton_encirclement_ros.core.telemetry import Quantity

TELEMETRY = {
    'u': Quantity('', 'tangential state'),
    'u_kdv': Quantity('', 'its part from the neighbours: transport, diffusion, dispersion'),
    'u_nom': Quantity('', 'its part from decay'),
    'u_err': Quantity('', 'its part from the spacing error'),
    'delta_u': Quantity('', 'change of u in the last tick'),
    'delta_u_kdv': Quantity('', 'change of u_kdv in the last tick'),
    'delta_u_nom': Quantity('', 'change of u_nom in the last tick'),
    'delta_u_err': Quantity('', 'change of u_err in the last tick'),
}


class SolitonV1:
    """One agent's memory of the seed's law."""

    telemetry_quantities = TELEMETRY
    telemetry_names = tuple(TELEMETRY)

    def __init__(self, setup: Setup) -> None:
        """Start at rest, without neighbours, with even weights."""
        self._place = RingPlace(setup.control)
        self.retune(setup)
        self._state = AT_REST
        self._u_ss = 0.0

    @property
    def neighbours(self) -> Neighbours:
        """Predecessor and successor of the last step."""
        return self._place.neighbours

    def retune(self, setup: Setup) -> None:
        """Go on with other gains; the tangential state stays."""
        self._control = setup.control
        self._swarm = setup.swarm
        self._gains = seed_gains(setup.control)
        self._place.retune(setup.control)

    def reset(self) -> None:
        """Keep everything after a failure, as the seed does."""

    def on_target_state(self, target: TargetState) -> None:
        """Refresh the weights of the own and the predecessor's arc."""
        self._place.on_target_state(target)

    def step(self, view: View) -> Vector:
        """Advance by one control period; return the wanted velocity [m/s, map]."""
        self._place.update(view)
        if view.target is None:
            return 0.0, 0.0, 0.0
        self._advance(view, view.target)
        return self._compose(view, view.target)

    def broadcast(self) -> Broadcast:
        """Return u and its curvature."""
        return Broadcast(self._state.u, self._u_ss)

    def telemetry(self) -> tuple[float, ...]:
        """Return u, its components and their last increments."""
        return self._state

    def _advance(self, view: View, target: TargetState) -> None:
        pred, succ = self._place.beside(view)
        self._state = soliton_step(
            self._state,
            pred.u if pred else 0.0,
            succ.u if succ else 0.0,
            pred.u_ss if pred else 0.0,
            succ.u_ss if succ else 0.0,
            self._place.errors(view, target).e_tau_eff,
            self._swarm.control_period,
            self._gains,
        )
        self._u_ss = 0.0
        if pred is not None and succ is not None:
            self._u_ss = reported_curvature(self._state.u, pred.u, succ.u)

    def _compose(self, view: View, target: TargetState) -> Vector:
        gains = self._control
        dx, dy = offset_from(target, view.pose.position)
        dvx = view.pose.velocity[0] - target.velocity[0]
        dvy = view.pose.velocity[1] - target.velocity[1]
        radius = self._swarm.encirclement_radius
        return encircling_velocity(
            dx,
            dy,
            radial_pd(dx, dy, dvx, dvy, radius, gains.k_r, gains.k_dr),
            self._state.u,
            target.velocity,
            target.omega_ref,
            gains.k_tau,
            gains.r_min,
        )


def seed_gains(control: ControlParameters) -> SolitonGains:
    """Return the gains of the law."""
    return SolitonGains(
        control.c_coupling,
        control.kappa_u_diff,
        control.k_u_steepen,
        control.kappa_u_disp,
        control.beta_u,
        control.alpha_u,
        control.k_e_tau,
        control.u_lim if control.use_soft_limiter_u else math.nan,
    )
