"""Plans of the parts of a swarm that are started separately, for example on several computers.

There is no world: every part has its own vehicle, simulated or real; members receive each other
directly and use the clocks of their computers.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.parts.bridge_spec import bridge_spec
from soliton_encirclement_ros.core.scenario.parts.vehicle_kinds import BRIDGES, SIMULATED
from soliton_encirclement_ros.core.scenario.placement import start_positions
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec,
    PlanOptions,
    adversary_spec,
    agent_spec,
    body_spec,
    monitor_spec,
    safety_spec,
    target_spec,
)
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav

TARGET_LOSS_STOP = 10.0
"""Time without the target [s] after which the agent of a real vehicle stops itself: a gap of the
radio is flown through, but nobody flies off by itself to a target that somebody has restarted."""

NO_PARAMETERS: Mapping[str, Any] = MappingProxyType({})


class PartOptions(NamedTuple):
    """Options of a member of the swarm and its vehicle.

    Attributes:
        vehicle: Kind of the vehicle, one of ``VEHICLE_KINDS``: simulated, with an autopilot and
            a bridge to it, or one that subscribes to ``cmd_vel`` and publishes ``odom`` by itself.
        stamped: Whether commands are TwistStamped; None: only for a real vehicle.
        inject_failures: Whether to inject failures of an agent; None: only with a simulated
            vehicle.
        namespace: Namespace of member and vehicle, relative to that of the launch; empty: the
            name of the member.
        bridge: Parameters of the bridge, if there is one.
        target_loss_stop: Time without the target [s] after which an agent stops itself, 0:
            never; only with a vehicle that is not simulated.
    """

    vehicle: str = SIMULATED
    stamped: bool | None = None
    inject_failures: bool | None = None
    namespace: str = ''
    bridge: Mapping[str, Any] = NO_PARAMETERS
    target_loss_stop: float = TARGET_LOSS_STOP

    @property
    def simulated(self) -> bool:
        """Whether the vehicle is simulated."""
        return self.vehicle == SIMULATED

    @property
    def plan(self) -> PlanOptions:
        """The corresponding options of a plan."""
        return PlanOptions(
            lockstep=False, record=False, simulate_vehicles=self.simulated, world=False
        )

    @property
    def is_stamped(self) -> bool:
        """Whether commands are TwistStamped."""
        return not self.simulated if self.stamped is None else self.stamped


def agent_part(scenario: Scenario, agent_id: int, options: PartOptions) -> list[NodeSpec]:
    """Return an agent, and its vehicle if simulated or the bridge to its autopilot."""
    agent = agent_spec(scenario, agent_id, options.plan)
    own: dict[str, Any] = {'agent_id': agent_id}
    if options.inject_failures is not None:
        own['inject_failures'] = options.inject_failures
    if not options.simulated:
        own['target_loss_stop'] = options.target_loss_stop
    return _part(scenario, with_parameters(agent, own), uav(agent_id), options)


def safety_part(scenario: Scenario, agent_id: int, options: PartOptions) -> list[NodeSpec]:
    """Return the separation filter of a vehicle, and the vehicle if simulated or its bridge."""
    safety = with_parameters(safety_spec(scenario, agent_id), {'agent_id': agent_id})
    return _part(scenario, safety, uav(agent_id), options)


def target_part(scenario: Scenario, options: PartOptions) -> list[NodeSpec]:
    """Return the target, and its vehicle if simulated or the bridge to its autopilot."""
    target = target_spec(scenario, options.plan)
    return _part(scenario, target, TARGET, options)


def adversary_part(scenario: Scenario, options: PartOptions) -> list[NodeSpec]:
    """Return the adversary, and its vehicle if simulated or the bridge to its autopilot.

    Raises:
        ScenarioError: The scenario has no adversary.
    """
    if not scenario.adversary.adversary_enable:
        raise ScenarioError(
            f'scenario {scenario.name!r} has no adversary: adversary.adversary_enable is false'
        )
    adversary = adversary_spec(scenario, options.plan)
    return _part(scenario, adversary, ADVERSARY, options)


def monitor_part(scenario: Scenario, run_folder: str, watch_duration: float = 0.0) -> NodeSpec:
    """Return the monitor.

    Args:
        scenario: The scenario.
        run_folder: Folder of tables, plots and summary.
        watch_duration: Duration [s]; 0: until it is stopped.
    """
    options = PlanOptions(lockstep=False, run_folder=run_folder, record=False, world=False)
    return with_parameters(monitor_spec(scenario, options), {'watch_duration': watch_duration})


def recorder_part(bag: str, topics: str, use_sim_time: bool = False) -> NodeSpec:
    """Return a recorder with a bag that survives a power cut.

    Args:
        bag: The bag's folder, a new one.
        topics: Regular expression of the topics to record.
        use_sim_time: Whether messages are logged at simulated time.
    """
    parameters = {
        'bag': bag,
        'include': topics,
        'lockstep': use_sim_time,
        'join': use_sim_time,
        'durable': True,
    }
    return NodeSpec('recorder_node', '', parameters)


def chosen_agent(text: str, scenario: Scenario) -> int:
    """Return the number of an agent that takes part in the scenario.

    Raises:
        ScenarioError: There is no such agent.
    """
    ids = scenario.agent_ids
    if not (text.isascii() and text.isdigit() and int(text) in ids):
        raise ScenarioError(
            f'id = {text!r} must be a number from {ids[0]} to {ids[-1]}, '
            f'the agents of scenario {scenario.name!r}'
        )
    return int(text)


def chosen_loss_stop(text: str) -> float:
    """Return the time without the target [s] after which agents of real vehicles stop themselves.

    Raises:
        ScenarioError: It is no number from 0 on.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0.0 <= seconds < math.inf:
        raise ScenarioError(f'target_loss_stop = {text!r} must be at least 0 s; 0: never')
    return seconds


def part_warnings(scenario: Scenario) -> list[str]:
    """Return a warning if the scenario has a radio, which is not simulated without a world."""
    if scenario.radio.is_ideal:
        return []
    return [
        f'the section radio of scenario {scenario.name!r} is not simulated here: members use '
        'the real network; swarm.launch.py simulates the radio'
    ]


def with_parameters(spec: NodeSpec, parameters: dict[str, Any]) -> NodeSpec:
    """Return a node with additional parameters."""
    return spec._replace(parameters={**spec.parameters, **parameters})


def _part(scenario: Scenario, member: NodeSpec, name: str, options: PartOptions) -> list[NodeSpec]:
    specs = [member]
    if options.simulated:
        x, y, z = start_positions(scenario)[name]
        place = {'initial_x': x, 'initial_y': y, 'initial_z': z}
        specs.append(with_parameters(body_spec(scenario, name), place))
    elif options.vehicle in BRIDGES:
        specs.append(bridge_spec(scenario, name, options.vehicle, options.bridge))
    stamped = {'enable_stamped_cmd_vel': options.is_stamped}
    namespace = options.namespace or member.namespace
    return [with_parameters(spec, stamped)._replace(namespace=namespace) for spec in specs]
