"""Puts the members of a swarm together: the node, the lockstep run and the simulation alike."""

from soliton_encirclement_ros.actors.adversary import Adversary
from soliton_encirclement_ros.actors.agent import Agent
from soliton_encirclement_ros.actors.failures import Failures
from soliton_encirclement_ros.actors.target import Target
from soliton_encirclement_ros.controllers import CONTROLLERS, Setup
from soliton_encirclement_ros.core.failure_schedule import outages
from soliton_encirclement_ros.core.parameters import FailureParameters
from soliton_encirclement_ros.core.random_streams import failure_stream, random_stream
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.core.topics import ADVERSARY, TARGET, uav


def make_agent(agent_id: int, setup: Setup, failure: FailureParameters, seed: int) -> Agent:
    """Return an agent with a fresh controller.

    Args:
        agent_id: Number k of ``uav_k``.
        setup: What its controller is made of.
        failure: When it fails.
        seed: Seed of the run.
    """
    out = outages(failure.failure_schedule, agent_id)
    failures = Failures(failure, failure_stream(seed, agent_id), 0.0, out)
    controller = CONTROLLERS[setup.control.controller](setup)
    return Agent(agent_id, controller, setup.swarm, setup.limits, failures)


def make_crew(scenario: Scenario) -> dict[str, Agent | Target | Adversary]:
    """Return every member of a scenario by name, agents first."""
    seed, swarm = scenario.run.seed, scenario.swarm
    setup = Setup(scenario.control, scenario.propagation, swarm, scenario.limits)
    crew: dict[str, Agent | Target | Adversary] = {
        uav(k): make_agent(k, setup, scenario.failure, seed) for k in scenario.agent_ids
    }
    crew[TARGET] = Target(scenario.target, swarm, random_stream(seed, TARGET), 0.0)
    if scenario.adversary.adversary_enable:
        stream = random_stream(seed, ADVERSARY)
        crew[ADVERSARY] = Adversary(scenario.adversary, swarm, stream)
    return crew
