"""Monitor a swarm: metrics and markers live, tables, plots and a verdict in a run folder.

``ros2 launch soliton_encirclement_ros monitor.launch.py scenario:=field.yaml agents:=3`` runs
until ctrl-C, or for ``duration`` seconds; then the exit code is 1 if the swarm did not encircle.
"""

from launch import LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument

from soliton_encirclement_ros.core.scenario.launch_arguments import launched_scenario
from soliton_encirclement_ros.core.scenario.part_plan import monitor_part
from soliton_encirclement_ros.core.scenario.swarm_plan import PLAN, save_plan
from soliton_encirclement_ros.launching.arguments import (
    ArgumentValues, launch_description, launched_fleet, namespace_argument, node_arguments,
    run_arguments, scenario_arguments
)
from soliton_encirclement_ros.launching.launch_nodes import (
    LaunchedRun, new_run_folder, run_actions, settings, start
)
from soliton_encirclement_ros.launching.launched_fleet import viewers


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    arguments = [
        *scenario_arguments(),
        DeclareLaunchArgument(
            'duration', default_value='',
            description='Duration [s]; empty: until ctrl-C.',
        ),
        *run_arguments(),
        namespace_argument('Namespace of the swarm; empty: that of the launch.'),
        *node_arguments('monitor'),
    ]  # fmt: skip
    return launch_description(__file__, arguments, launch_monitor)


def launch_monitor(given: ArgumentValues) -> list[Action]:
    """Create the run folder and return the monitor.

    Raises:
        MobilityError: An argument or the scenario is refused; ``ros2 launch`` shows the line.
    """
    scenario = launched_scenario(given)
    length = scenario.run.sim_duration if given['duration'] else 0.0
    launched_fleet(given)  # what is refused leaves no folder
    chosen = settings(given, [monitor_part(scenario, '', length)])
    folder = new_run_folder(given, scenario)
    plan = [monitor_part(scenario, str(folder), length)]
    save_plan(folder / PLAN, plan)
    nodes = start(plan, chosen, LaunchedRun(folder, plan).after)
    return run_actions(folder, given, [*nodes, *viewers(given, chosen.use_sim_time)])
