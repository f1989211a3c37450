"""One agent's place on the ring: its neighbours, the weights of its arcs, its spacing error."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.controllers.controller import View
from soliton_encirclement_ros.core.parameters import ControlParameters
from soliton_encirclement_ros.core.plane import direction
from soliton_encirclement_ros.core.ring import ALONE, NOBODY, select_neighbours
from soliton_encirclement_ros.core.spacing import (
    angular_rate,
    command_rate,
    damped_error,
    spacing_error,
)
from soliton_encirclement_ros.core.states import AgentState, TargetState


class SpacingErrors(NamedTuple):
    """The spacing error as seen, and after the damping of the angular rate."""

    e_tau: float
    e_tau_eff: float


class RingPlace:
    """The memory that keeps neighbours and weights from tick to tick."""

    def __init__(self, control: ControlParameters) -> None:
        """Start without neighbours, with even weights."""
        self.retune(control)
        self.neighbours = ALONE
        self._lambda_pred = 1.0
        self._lambda_self = 1.0
        self._lambdas: dict[int, float] = {}
        self._agent_id = NOBODY

    def retune(self, control: ControlParameters) -> None:
        """Go on with other gains."""
        self._control = control

    def on_target_state(self, target: TargetState) -> None:
        """Refresh the weights of the own and the predecessor's arc."""
        self._lambdas = dict(target.lambdas)
        self._refresh_lambdas()

    def update(self, view: View) -> bool:
        """Choose neighbours and look up their weights; return whether one is another now."""
        before = self.neighbours
        self._agent_id = view.agent_id
        self._select(view)
        self._refresh_lambdas()
        now = self.neighbours
        return (now.pred, now.succ) != (before.pred, before.succ)

    def beside(self, view: View) -> tuple[AgentState | None, AgentState | None]:
        """Return the last known states of predecessor and successor."""
        agents, near = view.agents, self.neighbours
        return agents.get(near.pred), agents.get(near.succ)

    def errors(self, view: View, target: TargetState) -> SpacingErrors:
        """Return the spacing errors as they follow from the last update."""
        near = self.neighbours
        if near.pred == NOBODY or near.succ == NOBODY:
            e_tau = 0.0
        else:
            e_tau = spacing_error(
                near.gap_pred, near.gap_succ, self._lambda_pred, self._lambda_self
            )
        pred, succ = self.beside(view)
        damped = damped_error(
            e_tau,
            self._control.k_omega_damp,
            self._own_rate(view, target),
            _rate(pred, target),
            _rate(succ, target),
        )
        return SpacingErrors(e_tau, damped)

    def _select(self, view: View) -> None:
        if view.target is None or not view.target_alive:
            self.neighbours = ALONE
            return
        ids, thetas = [], []
        for agent in view.agents.alive(view.now):
            ids.append(agent.agent_id)
            thetas.append(_angle(agent.position, view.target))
        theta = _angle(view.pose.position, view.target)
        self.neighbours = select_neighbours(
            view.agent_id, theta, ids, thetas, self.neighbours, self._control.hysteresis_rad
        )

    def _refresh_lambdas(self) -> None:
        """Look the two weights up; an unknown id keeps the previous weight."""
        self._lambda_pred = self._lambdas.get(self.neighbours.pred, self._lambda_pred)
        self._lambda_self = self._lambdas.get(self._agent_id, self._lambda_self)

    def _own_rate(self, view: View, target: TargetState) -> float:
        """Return the rate of the last command, in the world frame as the original takes it."""
        ex, ey, r = direction(*offset_from(target, view.pose.position))
        command = view.last_command
        return command_rate(command[0], command[1], ex, ey, r, self._control.r_min)


def offset_from(target: TargetState, position: Vector) -> tuple[float, float]:
    """Return the horizontal offset [m] of a position from the target."""
    return position[0] - target.position[0], position[1] - target.position[1]


def _angle(position: Vector, target: TargetState) -> float:
    dx, dy = offset_from(target, position)
    return math.atan2(dy, dx)


def _rate(agent: AgentState | None, target: TargetState) -> float:
    if agent is None:
        return math.nan
    dx, dy = offset_from(target, agent.position)
    dvx = agent.velocity[0] - target.velocity[0]
    dvy = agent.velocity[1] - target.velocity[1]
    return angular_rate(dx, dy, dvx, dvy)
