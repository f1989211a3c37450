"""Plans of the parts of a swarm that are started separately, for example on several computers.

There is no world: every part has its own vehicle, simulated or real; members receive each other
directly and use the clocks of their computers.

Agents may have vehicles of several kinds, real and simulated ones (``mixed_plan``).

A vehicle with an autopilot has a bridge (``bridge_spec``). An agent that plans with more than the
bridge passes on is wrong about where its vehicle will be, and so is its separation filter. So the
bridge gets the agent's limits.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    ARDUPILOT, BRIDGES, MAVROS, PX4, SIMULATED, instance_parameter, launch_warnings,
    namespace_parameter, operate_parameter
)
from soliton_encirclement_ros.core.scenario.placement import start_positions
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    NodeSpec, PlanOptions, adversary_spec, agent_spec, body_spec, monitor_spec, safety_spec,
    target_spec
)
from soliton_encirclement_ros.core.states.swarm_topics import ADVERSARY, TARGET, uav
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.core.parameter_declaration import build
from velocity_mobility_ros.core.user_errors import ParameterError

USUAL_VEHICLE = 'px4_x500'
"""Vehicle file whose limits every bridge passes on."""

SILENT_FLIGHT_TIME = {PX4: 1.0, ARDUPILOT: 3.0, MAVROS: 3.0}
"""Time for which a vehicle flies on when its bridge dies: COM_OF_LOSS_T of PX4, GUID_TIMEOUT of
ArduPilot [s]. When its agent dies, the bridge flies on for a shorter time."""


def bridge_warnings(scenario: Scenario, kinds: Iterable[str]) -> list[str]:
    """Return a warning if the separation filter counts on vehicles that stop at once.

    Args:
        scenario: The scenario.
        kinds: Kinds of the vehicles.
    """
    need = max((SILENT_FLIGHT_TIME.get(kind, 0.0) for kind in kinds), default=0.0)
    given = scenario.safety.silent_flight_time
    if not scenario.is_filtered or not need:
        return []
    if given is not None and need <= given:
        return _target_loss_warnings(scenario, given)
    now = 'not set' if given is None else f'{given:g} s'
    return [
        f'safety.silent_flight_time is {now}: a vehicle with an autopilot flies on for {need:g} s '
        'after its agent or bridge has died, and nobody keeps away from its way; set '
        f'safety.silent_flight_time to at least {need:g}'
    ]


def _target_loss_warnings(scenario: Scenario, silent: float) -> list[str]:
    """Return a warning if who hears nobody flies on for longer than the others assume [s]."""
    timeout, hold = scenario.swarm.target_state_timeout, scenario.control.target_hold_time
    if scenario.is_estimated or timeout + hold <= silent:
        return []
    return [
        f'control.target_hold_time is {hold:g} s: who hears neither the target nor the others '
        f'flies on for {timeout + hold:g} s, and they keep away from its way for {silent:g} s '
        '(safety.silent_flight_time); so two parts of a swarm that do not hear each other may '
        f'collide; set control.target_hold_time to at most {max(0.0, silent - timeout):g}'
    ]


def bridge_spec(scenario: Scenario, name: str, kind: str, own: Mapping[str, Any]) -> NodeSpec:
    """Return the bridge of a member.

    Args:
        scenario: The scenario.
        name: The member.
        kind: The autopilot, one of ``BRIDGES``.
        own: Parameters of this bridge alone.

    Raises:
        ScenarioError: The limits of the member exceed what bridges pass on.
    """
    limits = guidance_values(scenario.limits_of(name))
    try:
        build(GuidanceParameters, limits, f'the bridge of {name} to {kind}')
    except ParameterError as error:
        raise ScenarioError(
            f'{error}; it is that of the vehicle in scenario {scenario.name!r}: choose a slower '
            f'one, such as vehicle_file:={USUAL_VEHICLE}'
        ) from None
    return NodeSpec(BRIDGES[kind], name, {**limits, **own})


NO_BRIDGE = (
    'bridge:=false leaves out the bridge to an autopilot, but there is none: give the same '
    'arguments as to the launch whose bridge runs'
)


def without_bridges(plan: Sequence[NodeSpec]) -> list[NodeSpec]:
    """Return the members of a plan alone, for vehicles whose bridges run already.

    Raises:
        ScenarioError: There is none to leave out: another vehicle would be started beside one
            that flies.
    """
    members = [spec for spec in plan if spec.executable not in BRIDGES.values()]
    if len(members) == len(plan):
        raise ScenarioError(NO_BRIDGE)
    return members


def guidance_values(limits: CommandLimits) -> dict[str, float]:
    """Return the limits of a bridge that are those of an agent."""
    speed_z = limits.max_speed_z
    return {
        'max_speed_xy': limits.max_speed_xy,
        'max_speed_up': speed_z,
        'max_speed_down': speed_z,
        'max_acc_xy': limits.max_acc_xy,
        'max_acc_z': limits.max_acc_z,
        'takeoff_speed': min(GuidanceParameters().takeoff_speed, speed_z),
    }


TARGET_LOSS_STOP = 10.0
"""Time without the target [s] after which the agent of a real vehicle stops itself: a gap of the
radio is flown through, but nobody flies off by itself to a target that somebody has restarted."""

NO_PARAMETERS: Mapping[str, Any] = MappingProxyType({})


class PartOptions(NamedTuple):
    """Options of a member of the swarm and its vehicle.

    Attributes:
        vehicle: Kind of the vehicle, one of ``VEHICLE_KINDS``: simulated, with an autopilot and
            a bridge to it, or one that subscribes to ``cmd_vel`` and publishes ``odom`` by itself.
        bridge: Parameters of the bridge, if there is one.
        target_loss_stop: Time without the target [s] after which an agent stops itself, 0:
            never; only with a vehicle that is not simulated.
    """

    vehicle: str = SIMULATED
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


def agent_part(scenario: Scenario, agent_id: int, options: PartOptions) -> list[NodeSpec]:
    """Return an agent, and its vehicle if simulated or the bridge to its autopilot."""
    agent = agent_spec(scenario, agent_id, options.plan)
    own: dict[str, Any] = {'agent_id': agent_id}
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


def part_parameters(
    scenario: Scenario, executable: str, member: str, given: Mapping[str, str]
) -> dict[str, Any]:
    """Return the parameters in a scenario of one node of a member that is started separately.

    Args:
        scenario: The scenario.
        executable: Of the node; ``bridge``: of the member's kind of vehicle.
        member: Name of the member, such as ``uav_3``.
        given: Arguments of the launch: ``vehicle``, ``autopilot_namespace``, ``operate``.

    Raises:
        ScenarioError: There is no such member, or no bridge for it.
    """
    kind, number = given['vehicle'], member.removeprefix(uav(''))
    agent_id = chosen_agent(number, scenario) if number != member else 0
    if executable == 'bridge':
        own = instance_parameter(kind, agent_id, 1) if agent_id else {}
        own |= namespace_parameter(kind, given['autopilot_namespace']) | operate_parameter(given)
        return bridge_spec(scenario, member, kind, own).parameters
    if executable == 'mobility_node':
        return _placed_body(scenario, member).parameters
    plan_of = {
        'agent_node': lambda: agent_part(scenario, agent_id, PartOptions()),
        'safety_node': lambda: safety_part(scenario, agent_id, PartOptions()),
        'target_node': lambda: target_part(scenario, PartOptions()),
        'adversary_node': lambda: adversary_part(scenario, PartOptions()),
    }
    return plan_of[executable]()[0].parameters


def part_lines(
    scenario: Scenario, given: Mapping[str, str], kinds: Iterable[str]
) -> list[str]:
    """Return the warnings of members that are started separately, with vehicles of some kinds."""
    return [
        *launch_warnings(scenario, given), *part_warnings(scenario),
        *bridge_warnings(scenario, kinds),
    ]  # fmt: skip


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
    modes = {'lockstep': use_sim_time, 'join': use_sim_time, 'durable': True}
    return NodeSpec('recorder_node', '', {'bag': bag, 'include': topics, **modes})


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


def _placed_body(scenario: Scenario, name: str) -> NodeSpec:
    """Return the simulated vehicle of a member where it starts."""
    x, y, z = start_positions(scenario)[name]
    place = {'initial_x': x, 'initial_y': y, 'initial_z': z}
    return with_parameters(body_spec(scenario, name), place)


def _part(scenario: Scenario, member: NodeSpec, name: str, options: PartOptions) -> list[NodeSpec]:
    specs = [member]
    if options.simulated:
        specs.append(_placed_body(scenario, name))
    elif options.vehicle in BRIDGES:
        specs.append(bridge_spec(scenario, name, options.vehicle, options.bridge))
    stamped = {'enable_stamped_cmd_vel': not options.simulated}
    return [with_parameters(spec, stamped) for spec in specs]


Kinds = Mapping[int, str]
"""Kind of the vehicle by number of the agent; those that are missing are started elsewhere."""


def chosen_kinds(given: Mapping[str, str], scenario: Scenario) -> dict[int, str]:
    """Return the vehicles of a text such as ``1, 2`` for each kind, by number of the agent.

    Args:
        given: Numbers of agents by kind of their vehicle.
        scenario: Whose agents they are.

    Raises:
        ScenarioError: There is no such agent, one has two vehicles, or none has any.
    """
    kind_of: dict[int, str] = {}
    for kind, text in given.items():
        for word in filter(None, map(str.strip, text.split(','))):
            agent_id = chosen_agent(word, scenario)
            if agent_id in kind_of:
                raise ScenarioError(
                    f'{kind} = {text!r}: {uav(agent_id)} is {kind_of[agent_id]} already; '
                    'give it one vehicle'
                )
            kind_of[agent_id] = kind
    if not kind_of:
        raise ScenarioError(f'no agent is chosen: give {", ".join(given)} numbers such as 1,2')
    return dict(sorted(kind_of.items()))


def mixed_plan(
    scenario: Scenario, kinds: Kinds, bridges: Mapping[int, Mapping[str, Any]], target: bool,
    target_loss_stop: float = TARGET_LOSS_STOP,
) -> list[NodeSpec]:  # fmt: skip
    """Return the agents with their vehicles, and target and adversary if wanted, simulated.

    Args:
        scenario: The scenario.
        kinds: The kind of each vehicle.
        bridges: Parameters of single bridges, by number of the agent.
        target: Whether target and adversary are started.
        target_loss_stop: Time without the target [s] after which agents stop themselves whose
            vehicles are not simulated; 0: never.

    Raises:
        ScenarioError: The limits of a vehicle exceed what its bridge passes on.
    """
    plan = []
    for agent_id, kind in kinds.items():
        bridge = bridges.get(agent_id, {})
        options = PartOptions(kind, bridge=bridge, target_loss_stop=target_loss_stop)
        plan += agent_part(scenario, agent_id, options)
    if target:
        plan += target_part(scenario, PartOptions(SIMULATED))
        if scenario.adversary.adversary_enable:
            plan += adversary_part(scenario, PartOptions(SIMULATED))
    return plan


def stated_fleet(scenario: Scenario, kinds: Kinds, is_one_of_many: bool) -> str:
    """Return all vehicles with a bridge of a swarm, as its bridges are told; empty: not known.

    Args:
        scenario: The scenario.
        kinds: The vehicles that are started here.
        is_one_of_many: Whether each agent has the same kind of vehicle, on its own computer.
    """
    if is_one_of_many:
        kinds = dict.fromkeys(scenario.agent_ids, *{*kinds.values()})
    if {*kinds} != {*scenario.agent_ids}:
        return ''  # the others are started elsewhere: with bridges or without
    return ', '.join(uav(k) for k, kind in sorted(kinds.items()) if kind in BRIDGES)
