"""The swarm plan: which nodes run a scenario, with which names and parameters.

The launch files, ``swarm run`` and the tests all start exactly this list.

A plan is saved and loaded by who starts its nodes in other processes.
"""

import dataclasses
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.placement import largest_distance
from soliton_encirclement_ros.core.scenario.random_streams import REFERENCE
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, ADVERSARY_STATE, AGENT_STATES, CLOCK, METRICS, ROOT, TARGET, TARGET_BEARING,
    TARGET_STATE, TELEMETRY, WORLD, Fleet, uav
)

ODOM, GROUND_TRUTH, CMD_VEL = 'odom', 'ground_truth', 'cmd_vel'
PACKAGE = 'soliton_encirclement_ros'

OBSERVERS = ('monitor_node', 'recorder_node')
"""Executables that only receive."""

FEW_AGENTS = 8
"""Agents of one process that fly by machine code where it is at hand."""

MANY_AGENTS = 16
"""Agents of a simulation from which on what little each of them costs adds up: in one process
their law and filter are machine code, and recording asks for no repetition of their streams."""

MAX_AGENTS = 1000
"""Upper limit: with more agents, nodes need seconds to create topics and ignore ctrl-C."""


class NodeSpec(NamedTuple):
    """One node to start, in a namespace relative to that of the fleet."""

    executable: str
    namespace: str
    parameters: dict[str, Any]
    remappings: tuple[tuple[str, str], ...] = ()


class PlanOptions(NamedTuple):
    """Options of a run.

    ``run_folder`` is the output folder; ``record`` and ``monitor`` start a recorder and a monitor.
    ``simulate_vehicles`` is false if real or external vehicles subscribe to ``cmd_vel``; then no
    failures are injected. ``world`` is false if no world moves the vehicles and simulates the
    radio; members then receive each other directly.
    """

    lockstep: bool = True
    run_folder: str = ''
    record: bool = True
    monitor: bool = True
    simulate_vehicles: bool = True
    world: bool = True

    @property
    def has_world(self) -> bool:
        """Whether a world takes part."""
        return self.world and self.simulate_vehicles


def swarm_plan(scenario: Scenario, options: PlanOptions) -> list[NodeSpec]:
    """Return the nodes of a scenario, world first, monitor and recorder last.

    Raises:
        ScenarioError: Nodes cannot run this scenario.
    """
    check_for_nodes(scenario)
    plan = [world_spec(scenario, options)] if options.has_world else []
    plan += [agent_spec(scenario, agent_id, options) for agent_id in scenario.agent_ids]
    plan.append(target_spec(scenario, options))
    if scenario.adversary.adversary_enable:
        plan.append(adversary_spec(scenario, options))
    if options.monitor:
        plan.append(monitor_spec(scenario, options))
    if options.record and options.run_folder:
        plan.append(recorder_spec(scenario, options))
    return plan


def placed(plan: Sequence[NodeSpec], fleet: Fleet) -> list[NodeSpec]:
    """Return a plan with the full namespaces of its nodes in a fleet."""
    return [spec._replace(namespace=fleet.namespace_of(spec.namespace)) for spec in plan]


def check_for_nodes(scenario: Scenario) -> None:
    """Refuse scenarios that nodes cannot run.

    Raises:
        ScenarioError: All random numbers come from one generator, or there are too many agents.
    """
    if scenario.run.num_agents > MAX_AGENTS:
        raise ScenarioError(
            f'run.num_agents = {scenario.run.num_agents}: nodes can be at most {MAX_AGENTS}, '
            'because each must discover the topics of all others; use `swarm simulate`, with '
            '--publish for ROS topics'
        )
    if scenario.run.rng == REFERENCE:
        raise ScenarioError(
            f"run.rng = '{REFERENCE}': the original's numbers come from one generator, in the "
            'order of one queue, which separate nodes cannot share; use `swarm simulate`'
        )


def messages_per_tick(
    scenario: Scenario, fleet: Fleet = ROOT, agent_processes: int | None = None
) -> dict[str, int]:
    """Return the least number of messages per tick of each topic in a lockstep run.

    An odometry that is not perfect does not come at every tick; the true motion does. Agents of
    one process share a message, but for those that are down.

    Args:
        scenario: The scenario of the run.
        fleet: The fleet that flies.
        agent_processes: How many processes the agents share; None: each has its own.
    """
    position = GROUND_TRUTH if scenario.is_sensed else ODOM
    agents = [uav(agent_id) for agent_id in scenario.agent_ids]
    others = [TARGET, ADVERSARY] if scenario.adversary.adversary_enable else [TARGET]
    counts = {f'{name}/{topic}': 1 for name in [*agents, *others] for topic in (position, CMD_VEL)}
    counts |= {f'{name}/{TELEMETRY}': 1 for name in agents}
    if scenario.is_estimated:
        counts |= {f'{name}/{TARGET_BEARING}': 1 for name in agents}
    counts |= {AGENT_STATES: agent_processes or len(agents)}
    counts |= {TARGET_STATE: 1, METRICS: 1, CLOCK: 1}
    if scenario.adversary.adversary_enable:
        counts[ADVERSARY_STATE] = 1
    return {fleet.full_name(name): count for name, count in counts.items()}


def needs_medium(scenario: Scenario, options: PlanOptions) -> bool:
    """Return whether members of a real-time run need the simulated radio.

    Without a world the real radio is used; in lockstep the world always distributes messages.
    """
    if options.lockstep or not options.has_world:
        return False
    radio = scenario.radio
    in_range = largest_distance(scenario) <= radio.communication_transmission_range
    return not (radio.is_ideal and in_range)


def world_spec(scenario: Scenario, options: PlanOptions) -> NodeSpec:
    """Return the world: vehicles, medium and clock."""
    sections = (scenario.run, scenario.swarm, scenario.mobility, scenario.vehicles)
    parameters = _values(*sections, scenario.adversary, scenario.radio)
    parameters |= _values(scenario.paths) if scenario.member_paths else {}
    parameters |= _values(scenario.target_sensing) if scenario.is_estimated else {}
    mode = _mode(scenario, options)
    if options.monitor and not options.lockstep:
        mode['stay'] = True
    return NodeSpec(f'{WORLD}_node', '', {**parameters, **mode})


def agent_spec(scenario: Scenario, agent_id: int, options: PlanOptions) -> NodeSpec:
    """Return one agent."""
    sections = (scenario.swarm, scenario.control, scenario.propagation, scenario.failure)
    parameters = _values(*sections, scenario.limits_of(uav(agent_id)), scenario.safety)
    parameters |= _values(scenario.target_sensing) if scenario.is_estimated else {}
    parameters['inject_failures'] = options.simulate_vehicles
    return _member('agent_node', uav(agent_id), scenario, options, parameters)


def safety_spec(scenario: Scenario, agent_id: int) -> NodeSpec:
    """Return the separation filter of a vehicle that no agent commands."""
    name = uav(agent_id)
    parameters = _values(scenario.swarm, scenario.limits_of(name), scenario.safety)
    return NodeSpec('safety_node', name, parameters)


def target_spec(scenario: Scenario, options: PlanOptions) -> NodeSpec:
    """Return the target."""
    parameters = _values(scenario.swarm, scenario.target)
    return _member('target_node', TARGET, scenario, options, parameters)


def adversary_spec(scenario: Scenario, options: PlanOptions) -> NodeSpec:
    """Return the adversary."""
    parameters = _values(scenario.swarm, scenario.adversary)
    return _member('adversary_node', ADVERSARY, scenario, options, parameters)


def body_spec(scenario: Scenario, name: str) -> NodeSpec:
    """Return the simulated vehicle of any member, by the member's name."""
    vehicle = scenario.vehicle_of(name)
    seed = {} if vehicle.is_perfect else {'sensor_seed': scenario.run.seed}
    return NodeSpec('mobility_node', name, {**_values(vehicle), **seed})


def monitor_spec(scenario: Scenario, options: PlanOptions) -> NodeSpec:
    """Return the monitor: metrics, markers, tables."""
    parameters = _values(scenario.run, scenario.swarm, scenario.safety)
    idle = [] if options.lockstep else ['real_time_factor', 'lockstep_timeout']
    idle += [] if options.has_world else ['sim_duration']
    parameters = {name: value for name, value in parameters.items() if name not in idle}
    mode = {
        'lockstep': options.lockstep,
        'run_folder': options.run_folder,
        'scenario_name': scenario.name,
        'controller': scenario.control.controller,
        'adversary_enable': scenario.adversary.adversary_enable,
        'target_broadcasts': scenario.target_sensing.target_broadcasts,
        'world': options.has_world,
    }
    if options.lockstep and scenario.is_sensed:
        mode['ground_truth'] = True
    return NodeSpec('monitor_node', '', {**parameters, **mode})


def recorder_spec(scenario: Scenario, options: PlanOptions) -> NodeSpec:
    """Return the recorder."""
    parameters = {'run_folder': options.run_folder, 'lockstep': options.lockstep}
    is_simulated = options.has_world and not options.lockstep
    if is_simulated and scenario.run.num_agents >= MANY_AGENTS:
        parameters['stream_reliability'] = 'best_effort'
    return NodeSpec('recorder_node', '', parameters)


def _member(
    executable: str,
    name: str,
    scenario: Scenario,
    options: PlanOptions,
    parameters: dict[str, Any],
) -> NodeSpec:
    check_for_nodes(scenario)
    parameters |= _path_values(scenario, name)
    mode = {'seed': scenario.run.seed, **_mode(scenario, options)}
    return NodeSpec(executable, name, {**parameters, **mode})


def _path_values(scenario: Scenario, name: str) -> dict[str, Any]:
    """Return the path of a member, and the limits of its vehicle; nothing without a path."""
    path = scenario.member_paths.get(name)
    return {} if path is None else _values(path, scenario.limits_of(name))


def _mode(scenario: Scenario, options: PlanOptions) -> dict[str, Any]:
    """Return how a node takes part, and for how many observers a lockstep run waits."""
    has_recorder = options.record and bool(options.run_folder)
    return {
        'lockstep': options.lockstep,
        'recorders': int(options.lockstep and has_recorder),
        'monitors': int(options.lockstep and options.monitor),
        'medium': needs_medium(scenario, options),
    }


def _values(*records: Any) -> dict[str, Any]:
    """Return the parameters of some records; ROS has no null, so a missing number is NaN."""
    values = {}
    for record in records:
        values.update(dataclasses.asdict(record))
    return {name: math.nan if value is None else value for name, value in values.items()}


PLAN = 'plan.json'
"""Name of the plan in a run's folder."""


def save_plan(path: Path, plan: Sequence[NodeSpec]) -> None:
    """Write a plan for ``load_plan``."""
    path.write_text(json.dumps([spec._asdict() for spec in plan], indent=1), encoding='utf-8')


def load_plan(path: Path) -> list[NodeSpec]:
    """Read a saved plan."""
    return [
        NodeSpec(**{**spec, 'remappings': tuple(map(tuple, spec['remappings']))})
        for spec in json.loads(path.read_text(encoding='utf-8'))
    ]
