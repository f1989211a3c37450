"""Vehicles of one swarm in a launch, with the requested viewers: live page, and RViz.

A bridge outlives the other processes of its vehicle in flight.
"""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch import LaunchContext, LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument, ExecuteProcess, LogInfo
from launch.events.process import ProcessExited
from launch_ros.actions import Node

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    AUTO, BRIDGES, first_instance, instance_parameter, launched_scenario, namespace_parameter
)
from soliton_encirclement_ros.core.scenario.part_plan import (
    TARGET_LOSS_STOP, Kinds, chosen_loss_stop, mixed_plan, monitor_part, part_lines, recorder_part,
    stated_fleet, without_bridges
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PLAN, NodeSpec, save_plan
from soliton_encirclement_ros.core.scenario.user_files import share_folder
from soliton_encirclement_ros.core.states.swarm_topics import CLOCK, ROOT, SHOWN
from soliton_encirclement_ros.launching.arguments import (
    AGAIN, AUTO_SWITCH, SWITCH, ArgumentValues, bridge_arguments, ended, in_namespace,
    launch_description, launched_fleet, log_level_argument, namespace_argument, run_arguments,
    scenario_arguments, warnings
)
from soliton_encirclement_ros.launching.launch_nodes import (
    OTHERS_GO_ON, ExitHandler, LaunchedProcess, LaunchedRun, new_run_folder, run_actions, settings,
    start
)
from velocity_mobility_ros.core.environment.unix_process import to_child


def exit_handler(plan: Sequence[NodeSpec], is_whole_fleet: bool) -> ExitHandler:
    """Return the actions after the end of a process: one vehicle's launch ends with its bridge.

    Args:
        plan: The nodes that are started.
        is_whole_fleet: Whether they are those of all vehicles.
    """
    has_bridge = any(spec.executable in BRIDGES.values() for spec in plan)

    def after(
        process: LaunchedProcess, event: ProcessExited, context: LaunchContext
    ) -> list[Action]:
        has_ended_alone = has_bridge and not process.runs(*BRIDGES.values())
        remaining = OTHERS_GO_ON if is_whole_fleet else AGAIN if has_ended_alone else ''
        return ended(process.name, event, context, remaining)

    return after


def viewers(given: ArgumentValues, use_sim_time: bool, own_clock: bool = False) -> list[Action]:
    """Return the requested viewers of the swarm: the live page, and RViz.

    Args:
        given: The arguments of the launch.
        use_sim_time: Whether RViz uses a ``/clock`` topic.
        own_clock: Whether it is the clock of the fleet, as in lockstep, not the global one.
    """
    return [*_live_page(given), *_rviz(given, use_sim_time, own_clock)]


def _live_page(given: ArgumentValues) -> list[Action]:
    """Return ``swarm view``, which ends with the launch."""
    if given['view'] == 'false':
        return []
    words = ['view', '--namespace', launched_fleet(given).namespace or '/']
    if given['view'] == 'operate':
        words += ['--operate', *(('--agents', given['agents']) if given['agents'] else ())]
    command = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main', *words]
    return [ExecuteProcess(cmd=command, output='screen', additional_env=to_child())]


def _rviz(given: ArgumentValues, use_sim_time: bool, own_clock: bool) -> list[Action]:
    """Return RViz, or a line that says what to install.

    In a namespace it shows the fleet of that namespace.
    """
    if given['rviz'] != 'true':
        return []
    try:
        get_package_prefix('rviz2')
    except PackageNotFoundError:
        distribution = os.environ.get('ROS_DISTRO', '<distribution>')
        return [LogInfo(msg=f'RViz is not installed: install ros-{distribution}-rviz2')]
    shown = (*SHOWN, CLOCK) if own_clock else SHOWN
    layout = share_folder() / 'config' / 'rviz' / 'swarm.rviz'
    return [
        Node(
            package='rviz2', executable='rviz2', arguments=['-d', str(layout)],
            parameters=[{'use_sim_time': use_sim_time}], output='log',
            remappings=[(ROOT.full_name(name), name) for name in shown],
        )
    ]  # fmt: skip


Choice = Callable[[Scenario, ArgumentValues], Kinds]
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

    def start_fleet(given: ArgumentValues) -> list[Action]:
        scenario = launched_scenario(given)
        return fleet_actions(scenario, given, choose(scenario, given))

    return launch_description(file, arguments, start_fleet)


def fleet_actions(scenario: Scenario, given: ArgumentValues, kinds: Kinds) -> list[Action]:
    """Return the actions that start vehicles and the requested nodes beside them.

    Raises:
        MobilityError: An argument is refused.
    """
    is_whole_fleet, is_bridged = not given.get('id'), given['bridge'] == 'true'
    usual = is_whole_fleet and is_bridged
    wants = {name: _is_wanted(given[name], usual) for name in ('target', 'monitor')}
    plan = mixed_plan(
        scenario, kinds, bridge_parameters(scenario, given, kinds), wants['target'],
        chosen_loss_stop(given['target_loss_stop']),
    )  # fmt: skip
    plan = plan if is_bridged else without_bridges(plan)
    chosen = settings(given, plan)  # what is refused leaves no folder
    lines = warnings(part_lines(scenario, given, kinds.values()))
    after = exit_handler(plan, is_whole_fleet)
    if not wants['monitor'] and given['record'] != 'true':
        nodes = [*start(plan, chosen, after), *viewers(given, chosen.use_sim_time)]
        return [*lines, *in_namespace(given['namespace'], nodes)]
    folder = new_run_folder(given, scenario)
    plan += observers(scenario, folder, wants['monitor'], given['record'] == 'true')
    save_plan(folder / PLAN, plan)
    after = LaunchedRun(folder, plan, goes_on=True).after if wants['monitor'] else after
    nodes = start(plan, chosen, after)
    return [*lines, *run_actions(folder, given, [*nodes, *viewers(given, chosen.use_sim_time)])]


def bridge_parameters(
    scenario: Scenario, given: ArgumentValues, kinds: Kinds
) -> dict[int, dict[str, object]]:
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
    specs = [monitor_part(scenario, str(folder))] if has_monitor else []
    return specs + ([recorder_part(str(folder / 'bag'), RECORDED)] if has_recorder else [])


def _is_wanted(text: str, usual: bool) -> bool:
    return usual if text == AUTO else text == 'true'
