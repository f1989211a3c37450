"""Run a scenario; ``processes`` chooses how many processes the nodes share.

``ros2 launch soliton_encirclement_ros swarm.launch.py agents:=5`` starts the nodes of the
scenario; ``--show-args`` lists the arguments. The launch ends with the run and writes the same
files as ``swarm run``. The exit code is 1 if the swarm did not encircle. After ctrl-C the run
folder is valid too, and the exit code is 0.
"""

from pathlib import Path

from launch import LaunchDescription
from launch.action import Action
from launch.actions import DeclareLaunchArgument, LogInfo

from soliton_encirclement_ros.core.run.machine_resources import usable_cores
from soliton_encirclement_ros.core.run.process_composition import (
    PER_AGENT, SHARED, chosen_processes, composition, lateness_warning
)
from soliton_encirclement_ros.core.scenario.launch_arguments import (
    launch_warnings, launched_scenario
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    PLAN, PlanOptions, placed, save_plan, swarm_plan
)
from soliton_encirclement_ros.launching.arguments import (
    SWITCH, ArgumentValues, launch_description, launched_fleet, log_level_argument,
    namespace_argument, run_arguments, scenario_arguments, warnings
)
from soliton_encirclement_ros.launching.launch_nodes import (
    LaunchedRun, new_run_folder, run_actions, settings, start, start_composed
)
from soliton_encirclement_ros.launching.launched_fleet import viewers


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
                        f'or {PER_AGENT}; empty: 1 in lockstep; in real time '
                        'one per node if there is room.',
        ),
        DeclareLaunchArgument(
            'record', default_value='true', choices=SWITCH, description='Record a bag.'
        ),
        *run_arguments(),
        namespace_argument('Namespace of the whole swarm; empty: that of the launch.'),
        log_level_argument(),
    ]  # fmt: skip
    return launch_description(__file__, arguments, launch_swarm)


def launch_swarm(given: ArgumentValues) -> list[Action]:
    """Create the run folder and return everything to start.

    Raises:
        MobilityError: An argument or the scenario is refused; ``ros2 launch`` shows the line.
    """
    scenario = launched_scenario({**given, 'vehicle_file': given['vehicle']})
    launched_fleet(given)
    lockstep, cores = given['lockstep'] == 'true', usable_cores()
    period, plan = scenario.swarm.control_period, swarm_plan(scenario, PlanOptions(lockstep))
    count = chosen_processes(plan, period, given['processes'], lockstep, cores)
    composition(plan, count)  # refuses more processes than nodes before there is a folder
    late = '' if lockstep else lateness_warning(plan, period, count, cores)
    is_shared = not (lockstep or given['processes'] or count is None)
    folder = new_run_folder(given, scenario)
    nodes = nodes_of(given, scenario, folder, count)
    return [
        *warnings([*launch_warnings(scenario, given), *filter(None, [late])]),
        *([LogInfo(msg=SHARED.format(count, f'processes:={PER_AGENT}'))] if is_shared else []),
        # In lockstep RViz uses the clock of the run.
        *run_actions(folder, given, [*nodes, *viewers(given, lockstep, own_clock=True)]),
    ]


def nodes_of(
    given: ArgumentValues, scenario: Scenario, folder: Path, count: int | None
) -> list[Action]:
    """Return the nodes of the plan, which is saved in the run folder, in some processes."""
    lockstep, record = given['lockstep'] == 'true', given['record'] == 'true'
    plan = swarm_plan(scenario, PlanOptions(lockstep, str(folder), record))
    save_plan(folder / PLAN, placed(plan, launched_fleet(given)))
    after = LaunchedRun(folder, plan).after
    if count is None:
        return start(plan, settings(given), after)
    return start_composed(plan, composition(plan, count), folder / PLAN, given, after)
