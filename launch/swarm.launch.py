"""Run a scenario; ``processes`` chooses how many processes the nodes share.

``ros2 launch soliton_encirclement_ros swarm.launch.py agents:=5`` starts the nodes of the
scenario; ``--show-args`` lists the arguments. The launch ends with the run and writes the same
files as ``swarm run``. The exit code is 1 if the swarm did not encircle. After ctrl-C the run
folder is valid too, and the exit code is 0.
"""

from pathlib import Path

from launch import LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument
from soliton_encirclement_ros.core.capacity.real_time_capacity import ARGUMENTS, capacity_warnings
from soliton_encirclement_ros.core.capacity.real_time_load import asked_run
from soliton_encirclement_ros.core.scenario.composition import (
    PER_AGENT,
    composition,
    process_count,
    usual_processes,
)
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    launch_warnings,
    launched_scenario,
)
from soliton_encirclement_ros.core.scenario.plan_file import PLAN, save_plan
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, placed, swarm_plan
from soliton_encirclement_ros.launching.arguments import (
    SWITCH,
    Given,
    launch_description,
    log_level_argument,
    namespace_argument,
    run_arguments,
    scenario_arguments,
)
from soliton_encirclement_ros.launching.composed_nodes import start_composed
from soliton_encirclement_ros.launching.launch_namespace import launched_fleet
from soliton_encirclement_ros.launching.launch_nodes import (
    new_run_folder,
    run_actions,
    rviz,
    settings,
    start,
    warnings,
)
from soliton_encirclement_ros.launching.launched_run import LaunchedRun


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the actions."""
    arguments = [
        *scenario_arguments(),
        DeclareLaunchArgument(
            'vehicle', default_value='',
            description='Vehicle file, or name of an installed one; replaces the mobility.',
        ),
        DeclareLaunchArgument(
            'duration', default_value='',
            description='Duration of the run [s]; empty: that of the scenario.',
        ),
        DeclareLaunchArgument(
            'seed', default_value='',
            description='Seed of every random stream; empty: that of the scenario.',
        ),
        DeclareLaunchArgument(
            'lockstep', default_value='true', choices=SWITCH,
            description='true: each tick waits for all answers; false: real time.',
        ),
        DeclareLaunchArgument(
            'real_time_factor', default_value='',
            description='Lockstep: simulated seconds per second, 0: as fast as possible; '
                        'empty: that of the scenario.',
        ),
        DeclareLaunchArgument(
            'processes', default_value='',
            description='Processes that the nodes share, besides monitor and recorder: a number, '
                        f'or {PER_AGENT}; empty: 1 in lockstep, one per node in real time.',
        ),
        DeclareLaunchArgument(
            'record', default_value='true', choices=SWITCH, description='Record a bag.'
        ),
        *run_arguments(),
        namespace_argument('Namespace of the whole swarm; empty: that of the launch.'),
        log_level_argument(),
    ]  # fmt: skip
    return launch_description(__file__, arguments, launch_swarm)


def launch_swarm(given: Given) -> list[Action]:
    """Create the run folder and return everything to start.

    Raises:
        MobilityError: An argument or the scenario is refused; ``ros2 launch`` shows the line.
    """
    scenario = launched_scenario({**given, 'vehicle_file': given['vehicle']})
    launched_fleet(given)
    composition(swarm_plan(scenario, PlanOptions()), processes(given))
    folder = new_run_folder(given, scenario)
    lines = [*launch_warnings(scenario, given), *late_ticks(scenario, given)]
    return [
        *warnings(lines),
        *run_actions(folder, given, [*nodes(given, scenario, folder), *rviz_actions(given)]),
    ]


def late_ticks(scenario: Scenario, given: Given) -> list[str]:
    """Return a warning if this machine will not carry the run; lockstep just takes longer."""
    if given['lockstep'] == 'true':
        return []
    plan = swarm_plan(scenario, PlanOptions(lockstep=False))
    run = asked_run(scenario, plan, processes(given), given['record'] == 'true')
    return capacity_warnings(run, ARGUMENTS)


def rviz_actions(given: Given) -> list[Action]:
    """Return RViz if requested; in lockstep it uses the clock of the run."""
    return rviz(given, given['lockstep'] == 'true', own_clock=True)


def processes(given: Given) -> int | None:
    """Return how many processes the nodes share, None for one per node.

    Raises:
        ScenarioError: It is no such number.
    """
    return process_count(given['processes'] or usual_processes(given['lockstep'] == 'true'))


def nodes(given: Given, scenario: Scenario, folder: Path) -> list[Action]:
    """Return the nodes of the plan, which is saved in the run folder."""
    lockstep, record = given['lockstep'] == 'true', given['record'] == 'true'
    plan = swarm_plan(scenario, PlanOptions(lockstep, str(folder), record))
    save_plan(folder / PLAN, placed(plan, launched_fleet(given)))
    after, count = LaunchedRun(folder, plan).after, processes(given)
    if count is None:
        return start(plan, settings(given), after)
    return start_composed(plan, composition(plan, count), folder / PLAN, given, after)
