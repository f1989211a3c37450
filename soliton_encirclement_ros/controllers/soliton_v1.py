"""The seed's law: radial PD, soliton state along the ring, feed-forward and swarm spin.

Source: the soliton encirclement experiment for GrADyS-SIM NG, first version, behaviour as it is:
the angular rate damping compares the agent's own command in the world frame with its neighbours'
rates relative to the target, and nothing is reset after a failure.
"""

import math

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.controllers.controller import Broadcast, Setup, View
from soliton_encirclement_ros.core.commands import (
    compose,
    radial_pd,
    spin_velocity,
    tangential_velocity,
)
from soliton_encirclement_ros.core.parameters import ControlParameters
from soliton_encirclement_ros.core.plane import direction
from soliton_encirclement_ros.core.ring import ALONE, NOBODY, Neighbours, select_neighbours
from soliton_encirclement_ros.core.soliton import (
    AT_REST,
    SolitonGains,
    SolitonState,
    reported_curvature,
    soliton_step,
)
from soliton_encirclement_ros.core.spacing import angular_rate, damped_error, spacing_error
from soliton_encirclement_ros.core.states import AgentState, TargetState


class SolitonV1:
    """One agent's memory of the seed's law."""

    telemetry_names = SolitonState._fields

    def __init__(self, setup: Setup) -> None:
        """Start at rest, without neighbours, with even weights."""
        self._control = setup.control
        self._swarm = setup.swarm
        self._gains = _gains(setup.control)
        self._state = AT_REST
        self._u_ss = 0.0
        self._neighbours = ALONE
        self._lambda_pred = 1.0
        self._lambda_self = 1.0
        self._lambdas: dict[int, float] = {}
        self._agent_id = NOBODY

    @property
    def neighbours(self) -> Neighbours:
        """Predecessor and successor of the last step."""
        return self._neighbours

    def reset(self) -> None:
        """Keep everything after a failure, as the seed does."""

    def on_target_state(self, target: TargetState) -> None:
        """Refresh the weights of the own and the predecessor's arc."""
        self._lambdas = dict(target.lambdas)
        self._refresh_lambdas()

    def step(self, view: View) -> Vector:
        """Advance by one control period; return the wanted velocity [m/s, map]."""
        self._agent_id = view.agent_id
        self._select(view)
        self._refresh_lambdas()
        pred = view.agents.get(self._neighbours.pred)
        succ = view.agents.get(self._neighbours.succ)
        if view.target is None:
            return 0.0, 0.0, 0.0
        self._advance(view, view.target, pred, succ)
        return self._compose(view, view.target)

    def broadcast(self) -> Broadcast:
        """Return u and its curvature."""
        return Broadcast(self._state.u, self._u_ss)

    def telemetry(self) -> tuple[float, ...]:
        """Return u, its components and their last increments."""
        return self._state

    def _select(self, view: View) -> None:
        if view.target is None or not view.target_alive:
            self._neighbours = ALONE
            return
        ids, thetas = [], []
        for agent in view.agents.alive(view.now):
            ids.append(agent.agent_id)
            thetas.append(_angle(agent.position, view.target))
        theta = _angle(view.pose.position, view.target)
        self._neighbours = select_neighbours(
            view.agent_id, theta, ids, thetas, self._neighbours, self._control.hysteresis_rad
        )

    def _refresh_lambdas(self) -> None:
        """Look the two weights up; an unknown id keeps the previous weight."""
        self._lambda_pred = self._lambdas.get(self._neighbours.pred, self._lambda_pred)
        self._lambda_self = self._lambdas.get(self._agent_id, self._lambda_self)

    def _advance(
        self, view: View, target: TargetState, pred: AgentState | None, succ: AgentState | None
    ) -> None:
        self._state = soliton_step(
            self._state,
            pred.u if pred else 0.0,
            succ.u if succ else 0.0,
            pred.u_ss if pred else 0.0,
            succ.u_ss if succ else 0.0,
            self._error(view, target, pred, succ),
            self._swarm.control_period,
            self._gains,
        )
        self._u_ss = 0.0
        if pred is not None and succ is not None:
            self._u_ss = reported_curvature(self._state.u, pred.u, succ.u)

    def _error(
        self, view: View, target: TargetState, pred: AgentState | None, succ: AgentState | None
    ) -> float:
        near = self._neighbours
        if near.pred == NOBODY or near.succ == NOBODY:
            e_tau = 0.0
        else:
            e_tau = spacing_error(
                near.gap_pred, near.gap_succ, self._lambda_pred, self._lambda_self
            )
        return damped_error(
            e_tau,
            self._control.k_omega_damp,
            self._own_rate(view, target),
            _rate(pred, target),
            _rate(succ, target),
        )

    def _own_rate(self, view: View, target: TargetState) -> float:
        dx, dy = _offset(view.pose.position, target)
        ex, ey, r = direction(dx, dy)
        command = view.last_command
        return (command[0] * -ey + command[1] * ex) / max(r, self._control.r_min)

    def _compose(self, view: View, target: TargetState) -> Vector:
        gains = self._control
        dx, dy = _offset(view.pose.position, target)
        dvx = view.pose.velocity[0] - target.velocity[0]
        dvy = view.pose.velocity[1] - target.velocity[1]
        radius = self._swarm.encirclement_radius
        return compose(
            radial_pd(dx, dy, dvx, dvy, radius, gains.k_r, gains.k_dr),
            tangential_velocity(dx, dy, self._state.u, gains.k_tau, gains.r_min),
            target.velocity,
            spin_velocity(dx, dy, target.omega_ref),
        )


def _gains(control: ControlParameters) -> SolitonGains:
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


def _offset(position: Vector, target: TargetState) -> tuple[float, float]:
    return position[0] - target.position[0], position[1] - target.position[1]


def _angle(position: Vector, target: TargetState) -> float:
    dx, dy = _offset(position, target)
    return math.atan2(dy, dx)


def _rate(agent: AgentState | None, target: TargetState) -> float:
    if agent is None:
        return math.nan
    dx, dy = _offset(agent.position, target)
    dvx = agent.velocity[0] - target.velocity[0]
    dvy = agent.velocity[1] - target.velocity[1]
    return angular_rate(dx, dy, dvx, dvy)
