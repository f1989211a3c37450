"""Several vehicles of one swarm in a launch, with what else is wanted beside them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from launch import LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    AUTO,
    launch_warnings,
    launched_scenario,
)
from soliton_encirclement_ros.core.scenario.parts.bridge_names import (
    first_instance,
    instance_parameter,
    namespace_parameter,
)
from soliton_encirclement_ros.core.scenario.parts.bridge_spec import (
    bridge_warnings,
    without_bridges,
)
from soliton_encirclement_ros.core.scenario.parts.mixed_plan import (
    Kinds,
    mixed_plan,
    stated_fleet,
)
from soliton_encirclement_ros.core.scenario.parts.part_plan import (
    TARGET_LOSS_STOP,
    chosen_loss_stop,
    monitor_part,
    part_warnings,
    recorder_part,
)
from soliton_encirclement_ros.core.scenario.parts.vehicle_kinds import BRIDGES
from soliton_encirclement_ros.core.scenario.plan_file import PLAN, save_plan
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.launching.arguments import (
    AUTO_SWITCH,
    SWITCH,
    Given,
    bridge_arguments,
    launch_description,
    log_level_argument,
    namespace_argument,
    run_arguments,
    scenario_arguments,
)
from soliton_encirclement_ros.launching.launch_namespace import in_namespace, launched_fleet
from soliton_encirclement_ros.launching.launch_nodes import (
    new_run_folder,
    run_actions,
    settings,
    start,
    warnings,
)
from soliton_encirclement_ros.launching.launched_run import LaunchedRun, reported
from soliton_encirclement_ros.launching.launched_vehicle import after_of
from soliton_encirclement_ros.launching.viewers import viewers

Choice = Callable[[Scenario, Given], Kinds]
"""Returns the vehicles to start, by number of their agent."""

RECORDED = r'(?!.*/(_|fmu/|ap/|mavros/)).*'
"""All topics but those of autopilots: in a bag, their vehicles would count twice."""


def fleet_arguments(scenario: str) -> list[DeclareLaunchArgument]:
    """Return the arguments of several vehicles.

    Args:
        scenario: The default scenario.
    """
    return [
        *scenario_arguments(scenario),
        DeclareLaunchArgument(
            'vehicle_file', default_value='',
            description='Vehicle file, or name of an installed one; replaces the mobility.',
        ),
        DeclareLaunchArgument(
            'first_instance', default_value='1',
            description='Instance of the PX4 of uav_1, the others follow: its topics are in '
                        'px4_<instance>, those of instance 0 in no namespace.',
        ),
        *bridge_arguments(),
        DeclareLaunchArgument(
            'target_loss_stop', default_value=f'{TARGET_LOSS_STOP:g}',
            description='Time [s] without the target after which agents stop themselves until '
                        'they are released, but for those of simulated vehicles; 0: never.',
        ),
        DeclareLaunchArgument(
            'target', default_value=AUTO, choices=AUTO_SWITCH,
            description='Start the target, and the adversary if there is one, simulated; '
                        'auto: unless id is given, or without bridges.',
        ),
        DeclareLaunchArgument(
            'monitor', default_value=AUTO, choices=AUTO_SWITCH,
            description='Start the monitor; auto: unless id is given, or without bridges.',
        ),
        DeclareLaunchArgument(
            'record', default_value='false', choices=SWITCH,
            description='Record all topics but those of autopilots to a bag in the run folder.',
        ),
        *run_arguments(),
        namespace_argument('Namespace of the whole swarm; empty: that of the launch.'),
        log_level_argument(),
    ]  # fmt: skip


def fleet_description(
    file: str, arguments: Sequence[DeclareLaunchArgument], choose: Choice
) -> LaunchDescription:
    """Return the description of the launch file of several vehicles.

    A MobilityError ends the launch with its line.

    Args:
        file: The launch file's own path.
        arguments: Its arguments.
        choose: Returns the vehicles to start.
    """

    def start_fleet(given: Given) -> list[Action]:
        scenario = launched_scenario(given)
        return fleet_actions(scenario, given, choose(scenario, given))

    return launch_description(file, arguments, start_fleet)


def fleet_actions(scenario: Scenario, given: Given, kinds: Kinds) -> list[Action]:
    """Return the actions that start vehicles and what is wanted beside them.

    Raises:
        MobilityError: An argument is refused.
    """
    is_whole, is_bridged = not given.get('id'), given['bridge'] == 'true'
    usual = is_whole and is_bridged
    wants = {name: _is_wanted(given[name], usual) for name in ('target', 'monitor')}
    plan = mixed_plan(
        scenario, kinds, own_parameters(scenario, given, kinds), wants['target'],
        chosen_loss_stop(given['target_loss_stop']),
    )  # fmt: skip
    plan = plan if is_bridged else without_bridges(plan)
    chosen = settings(given, plan, launched_fleet(given))  # what is refused leaves no folder
    lines = warnings([
        *launch_warnings(scenario, given), *part_warnings(scenario),
        *bridge_warnings(scenario, kinds.values()),
    ])  # fmt: skip
    after = reported if is_whole else after_of(plan, given)
    if not wants['monitor'] and given['record'] != 'true':
        nodes = [*start(plan, chosen, after), *viewers(given, chosen.use_sim_time)]
        return [*lines, *in_namespace(given['namespace'], nodes)]
    folder = new_run_folder(given, scenario)
    plan += observers(scenario, folder, wants['monitor'], given['record'] == 'true')
    save_plan(folder / PLAN, plan)
    after = LaunchedRun(folder, plan, goes_on=True).after if wants['monitor'] else after
    nodes = start(plan, chosen, after)
    return [*lines, *run_actions(folder, given, [*nodes, *viewers(given, chosen.use_sim_time)])]


def own_parameters(scenario: Scenario, given: Given, kinds: Kinds) -> dict[int, dict[str, object]]:
    """Return the parameters of single bridges, by number of the agent.

    Raises:
        ScenarioError: The namespace of an autopilot or the first instance is invalid.
    """
    first = first_instance(given['first_instance'], scenario.run.num_agents)
    named = given['autopilot_namespace']
    if len(kinds) > 1 and named != AUTO:
        raise ScenarioError(f'autopilot_namespace:={named} is for one vehicle, not {len(kinds)}')
    fleet = {'fleet': stated_fleet(scenario, kinds, bool(given.get('id')))}
    return {
        agent_id: instance_parameter(kind, agent_id, first)
        | namespace_parameter(kind, named)
        | (fleet if kind in BRIDGES else {})
        for agent_id, kind in kinds.items()
    }


def observers(
    scenario: Scenario, folder: Path, has_monitor: bool, has_recorder: bool
) -> list[NodeSpec]:
    """Return monitor and recorder if they are wanted, which write to a folder."""
    found = [monitor_part(scenario, str(folder))] if has_monitor else []
    return found + ([recorder_part(str(folder / 'bag'), RECORDED)] if has_recorder else [])


def _is_wanted(text: str, usual: bool) -> bool:
    return usual if text == AUTO else text == 'true'
