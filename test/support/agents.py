"""For tests of agents: one that never fails."""

from soliton_encirclement_ros.controllers import CONTROLLERS, Law, Setup
from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    FailureParameters, SwarmParameters
)
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.members.own_agent import UNFILTERED, Agent
from soliton_encirclement_ros.members.own_rules import OwnVehicle
from soliton_encirclement_ros.swarm.failures import Failures


def healthy(
    agent_id: int = 1,
    control: ControlParameters | None = None,
    swarm: SwarmParameters | None = None,
    name: str = 'soliton_v1',
    safety: SafetyParameters = UNFILTERED,
    law: Law | None = None,
) -> Agent:
    """Return an agent that never fails, of a law that is named or given.

    Hypothesis cannot use a function's fixture.
    """
    setup = Setup(control or record_of('control', name)(), swarm=swarm or SwarmParameters())
    failures = Failures(FailureParameters(failure_enable=False), random_stream(0, 'x'), 0.0)
    own = OwnVehicle(setup, safety, law or CONTROLLERS[name].law(setup))
    return Agent(agent_id, own, failures)
