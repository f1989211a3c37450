"""Creates the members of a swarm for the node, the lockstep run and the simulation."""

from collections.abc import Callable

import numpy as np
from velocity_mobility_ros.core.trajectory.leader_rows import LeaderFlight, fly_rows

from soliton_encirclement_ros.controllers import Setup, kind_of
from soliton_encirclement_ros.core.estimation.estimator import SightSetup
from soliton_encirclement_ros.core.parameters.failure_parameters import FailureParameters
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.sight_parameters import SightParameters
from soliton_encirclement_ros.core.scenario.random_streams import (
    RunStreams,
    failure_stream,
    run_streams,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.schedules.outage_schedule import outages
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from soliton_encirclement_ros.swarm.failures import Failures
from soliton_encirclement_ros.swarm.own_agent import Agent, plainly
from soliton_encirclement_ros.swarm.own_rows import Code, OwnVehicle
from soliton_encirclement_ros.swarm.own_target import Adversary, Target
from soliton_encirclement_ros.swarm.path_flight import PathFlight

UNFILTERED = SafetyParameters(separation_filter=False)
TOLD = SightParameters()
"""The target broadcasts its state."""


def make_agent(
    agent_id: int,
    setup: Setup,
    failure: FailureParameters,
    seed: int,
    path: PathFlight | None = None,
    safety: SafetyParameters = UNFILTERED,
    sight: SightParameters = TOLD,
    find_code: Callable[[OwnVehicle], Code] = plainly,
) -> Agent:
    """Return an agent with a fresh law.

    Args:
        agent_id: Number k of ``uav_k``.
        setup: Parameters of its law, and the limits of its vehicle.
        failure: When it fails.
        seed: Seed of the run.
        path: The path that it flies, or None.
        safety: Its separation filter.
        sight: What it measures of the target, and how it estimates its state.
        find_code: Returns what runs its tick.
    """
    stream = failure_stream(seed, agent_id)
    return _agent(agent_id, setup, failure, stream, path, safety, sight, find_code)


def make_actors(
    scenario: Scenario,
    streams: RunStreams | None = None,
    fly: Callable[..., LeaderFlight] = fly_rows,
) -> dict[str, Agent | Target | Adversary]:
    """Return every member of a scenario by name, agents first.

    Args:
        scenario: The scenario with its members.
        streams: The generators of the run, also used for the positions; None for fresh ones.
        fly: ``fly_rows`` for leaders on paths, or the same function compiled.
    """
    swarm = scenario.swarm
    streams = streams or run_streams(scenario.run.rng, scenario.run.seed)
    setup = Setup(scenario.control, scenario.propagation, swarm)
    paths = {name: PathFlight(plan, fly) for name, plan in scenario.planned_paths.items()}
    crew: dict[str, Agent | Target | Adversary] = {
        uav(k): _agent(
            k,
            setup._replace(limits=scenario.limits_of(uav(k))),
            scenario.failure,
            streams.failures(k),
            paths.get(uav(k)),
            scenario.safety if scenario.is_filtered else UNFILTERED,
            scenario.sight,
        )
        for k in scenario.agent_ids
    }
    crew[TARGET] = Target(scenario.target, swarm, streams.target, paths.get(TARGET))
    if scenario.adversary.adversary_enable:
        crew[ADVERSARY] = Adversary(
            scenario.adversary, swarm, streams.adversary, paths.get(ADVERSARY)
        )
    return crew


def _agent(
    agent_id: int,
    setup: Setup,
    failure: FailureParameters,
    stream: np.random.Generator,
    path: PathFlight | None,
    safety: SafetyParameters,
    sight: SightParameters,
    find_code: Callable[[OwnVehicle], Code] = plainly,
) -> Agent:
    out = outages(failure.failure_schedule, agent_id)
    law = kind_of(setup.control.controller).law(setup)
    estimated = None if sight.cooperative else SightSetup(sight, setup.swarm)
    own = OwnVehicle(setup, safety, law, estimated)
    return Agent(agent_id, own, Failures(failure, stream, 0.0, out), path, find_code)
