"""The seed's law as a whole: order of operations and memory."""

import math

import pytest

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.controllers.tangential_channels import (
    AT_REST, ChannelGains, soliton_step
)
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.ring.ring_geometry import (
    angular_rate, damped_error, spacing_error
)
from support.ring_scene import ORIGIN, Flyer, Seen

PERIOD = 0.05
GAINS = ChannelGains(2.0, 0.1, 0.3, 0.05, 7.0, 0.5, 25.0, math.nan)
TARGET = TargetState(1, (1.0, -2.0, 0.0), (0.5, 0.25, 0.0), ((1, 2.0), (2, 3.0), (3, 1.0)), 0.1)
OWN = Pose((19.0, 2.0, 5.0), (0.3, 0.2, 0.1))
PRED = AgentState(2, 1, (15.0, -12.0, 0.0), (0.5, 1.0, 0.0), 0.3, 0.2)
SUCC = AgentState(3, 1, (-3.0, 17.0, 0.0), (-1.0, 0.5, 0.0), -0.4, -0.1)


def law(**control: float) -> Flyer:
    """Return an agent with a fresh law and default gains, some changed."""
    swarm = SwarmParameters(control_period=PERIOD)
    return Flyer('soliton_v1', Setup(ControlParameters(**control), swarm=swarm))


def view(*agents: AgentState, silence: float = 0.0, command: tuple = ORIGIN) -> Seen:
    """Return what agent 1 has of these others and the target."""
    return Seen(0.0, OWN, agents, TARGET, silence, command)


def offset(position: tuple) -> tuple[float, float]:
    """Return a position's offset from the target."""
    return position[0] - TARGET.position[0], position[1] - TARGET.position[1]


def rate(agent: AgentState) -> float:
    """Return an agent's rate about the target."""
    dvx, dvy = agent.velocity[0] - TARGET.velocity[0], agent.velocity[1] - TARGET.velocity[1]
    return angular_rate(*offset(agent.position), dvx, dvy)


def expected_error(command: tuple) -> float:
    """Return the spacing error in use, put together from spec parts 3 and 4 by hand."""
    own, pred, succ = (math.atan2(*offset(p)[::-1]) for p in (OWN[0], PRED[2], SUCC[2]))
    e_tau = spacing_error(own - pred, succ - own, 3.0, 2.0)
    dx, dy = offset(OWN.position)
    omega_self = (command[0] * -dy + command[1] * dx) / math.hypot(dx, dy) ** 2
    return damped_error(e_tau, 0.1, omega_self, rate(PRED), rate(SUCC))


@pytest.mark.parametrize('command', [ORIGIN, (3.0, 4.0, 0.0)])
def test_one_tick_by_the_book(command: tuple) -> None:
    """Selection, weights, damped error, update, curvature: spec part 1, steps 4 to 10."""
    flyer = law()
    flyer.step(view(PRED, SUCC, command=command))
    expected = soliton_step(AT_REST, 0.3, -0.4, 0.2, -0.1, expected_error(command), PERIOD, GAINS)
    assert flyer.telemetry() == pytest.approx(expected, rel=1e-12)
    said = flyer.said()
    assert said.u == flyer.telemetry()[0]
    assert said.u_ss == pytest.approx(-0.4 - 2.0 * said.u + 0.3, rel=1e-12)


def successors_u(flyer: Flyer) -> float:
    """Return the u of the successor in use, read off the curvature that is told."""
    said = flyer.said()
    return said.u_ss + 2.0 * said.u - PRED.u


def test_hysteresis_is_forgotten_with_the_target() -> None:
    """Spec part 3: a held neighbour is held no more once the target has expired."""
    intruder = AgentState(4, 1, (-2.5, 17.2, 0.0), ORIGIN, 0.9)
    fresh, holding, lost = law(), law(), law()
    for flyer in (holding, lost):
        flyer.step(view(PRED, SUCC))
    lost.step(view(PRED, SUCC, silence=0.6))
    for flyer, expected in ((fresh, 0.9), (holding, SUCC.u), (lost, 0.9)):
        flyer.step(view(PRED, SUCC, intruder))
        assert successors_u(flyer) == pytest.approx(expected)


def test_soft_limiter_is_a_switch() -> None:
    """``u_lim`` counts only when the limiter is on."""
    hard, unused, soft = law(), law(u_lim=0.1), law(u_lim=0.1, use_soft_limiter_u=True)
    for flyer in (hard, unused, soft):
        for _ in range(5):
            flyer.step(view(PRED, SUCC))
    assert hard.telemetry() == unused.telemetry() != soft.telemetry()
