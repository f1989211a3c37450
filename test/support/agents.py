"""For tests of agents: one that never fails."""

from soliton_encirclement_ros.actors import Agent
from soliton_encirclement_ros.actors.separation_guard import make_guard
from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.failure_parameters import FailureParameters
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.swarm.failures import Failures


def healthy(
    agent_id: int = 1,
    control: ControlParameters | None = None,
    swarm: SwarmParameters | None = None,
    name: str = 'soliton_v1',
    safety: SafetyParameters | None = None,
) -> Agent:
    """Return an agent that never fails, with a separation filter if its distances are given.

    Hypothesis cannot use a function's fixture.
    """
    control, swarm = control or ControlParameters(), swarm or SwarmParameters()
    failures = Failures(FailureParameters(failure_enable=False), random_stream(0, 'x'), 0.0)
    law = CONTROLLERS[name](Setup(control, swarm=swarm))
    limits = CommandLimits()
    guard = None if safety is None else make_guard(agent_id, safety, limits, swarm)
    return Agent(agent_id, law, swarm, limits, failures, guard=guard)
