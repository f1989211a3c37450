"""``swarm run``: fly a scenario over the ROS graph and leave a run folder."""

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import typer
from rich.console import Console
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.machine_check import (
    check_machine,
    this_machine,
    warn_of_capacity,
)
from soliton_encirclement_ros.cli.options.option_checks import refuse_together
from soliton_encirclement_ros.cli.options.option_types import NUMBER, TEXT
from soliton_encirclement_ros.cli.options.shared_options import (
    AGENTS,
    CONTROLLER,
    DURATION,
    NAMESPACE,
    NOTHING,
    OUT,
    SCENARIO_HELP,
    SEED,
    SETTINGS,
    STREAM,
    VEHICLE,
    read_scenario,
)
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.processes.domain import DomainClaim, domain
from soliton_encirclement_ros.cli.processes.law_fault_line import law_fault_line
from soliton_encirclement_ros.cli.processes.node_compilation import compile_for_nodes
from soliton_encirclement_ros.cli.processes.ros_start import check_ros, set_environment
from soliton_encirclement_ros.cli.processes.unbegun_run import remove_run_folder
from soliton_encirclement_ros.cli.streams.streaming import check_stream
from soliton_encirclement_ros.cli.view import streaming, viewing
from soliton_encirclement_ros.cli.views.terminal_tables import wide_console
from soliton_encirclement_ros.core.capacity.real_time_load import asked_run
from soliton_encirclement_ros.core.capacity.usual_composition import composed
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.run.run_outcome import FAILED, Ending, exit_code
from soliton_encirclement_ros.core.scenario.composition import (
    PER_AGENT,
    composition,
    most_agents_together,
)
from soliton_encirclement_ros.core.scenario.resource_needs import lockstep_needs, real_time_needs
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    PlanOptions,
    check_for_nodes,
    swarm_plan,
)
from soliton_encirclement_ros.core.states.fleet_names import Fleet, named_fleet

ADVICE = 'fly fewer agents, or fly them with `swarm simulate`, with --publish for ROS topics'
OF_LOCKSTEP = {'run.lockstep_timeout': 'in real time there is no wait for answers'}

FACTOR = re.compile(r'run\.real_time_factor=(?!0+(\.0*)?$)')
"""A setting for the pace of lockstep."""

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.processes.runner import Runner

RUNNER = 'soliton_encirclement_ros.cli.processes.runner'


def run(
    scenario: str = typer.Argument('demo', help=SCENARIO_HELP),
    agents: Optional[int] = AGENTS,
    duration: Optional[float] = DURATION,
    seed: Optional[int] = SEED,
    controller: Optional[str] = CONTROLLER,
    changes: list[str] = SETTINGS,
    vehicle: Optional[str] = VEHICLE,
    real_time: bool = typer.Option(
        False,
        '--real-time',
        help='Real time, instead of lockstep; warns before the start if this machine is too slow.',
    ),
    real_time_factor: Optional[float] = typer.Option(
        None,
        click_type=NUMBER,
        help='Lockstep: simulated seconds per second; 0: as fast as possible.',
    ),
    namespace: str = NAMESPACE,
    out: Path = OUT,
    processes: Optional[str] = typer.Option(
        None,
        click_type=TEXT,
        help=f'Processes that the nodes share: a number, or {PER_AGENT}. '
        'By default 1 in lockstep; one per node in real time if the machine has room for it.',
    ),
    bag: bool = typer.Option(True, help='Record a bag.'),
    view: bool = typer.Option(False, '--view', help='Show it live in the browser.'),
    stream: Optional[str] = STREAM,
    as_json: bool = typer.Option(
        False, '--json', help='Print the summary as JSON, without progress.'
    ),
) -> int:
    """Run a scenario with ROS nodes; exit with 1 if the swarm did not encircle."""
    check_stream(stream)
    paced = real_time_factor is not None or any(map(FACTOR.match, changes))
    refuse_together(
        ('--real-time', real_time), ('a real-time factor', paced),
        why='the factor is for lockstep only; give one of them',
    )  # fmt: skip
    planned = read_scenario(
        scenario,
        changes,
        controller,
        vehicle,
        OF_LOCKSTEP if real_time else NOTHING,
        num_agents=agents,
        sim_duration=duration,
        seed=seed,
        real_time_factor=real_time_factor,
    )
    check_for_nodes(planned)
    nodes = swarm_plan(planned, PlanOptions(not real_time))
    asked, reason = composed(
        asked_run(planned, nodes, bag), processes or '', not real_time, f'--processes {PER_AGENT}'
    )
    groups = composition(nodes, asked.processes)
    needs = (real_time_needs if real_time else lockstep_needs)(planned, len(groups))
    check_machine(needs, this_machine(out), counted(planned.run.num_agents, 'agent'), ADVICE)
    fleet = named_fleet(namespace, '--namespace')
    if real_time:
        warn_of_capacity(asked)
        if reason:
            print(reason, file=sys.stderr)
    compile_for_nodes(planned, most_agents_together(nodes, groups))
    check_ros()
    console = wide_console(as_json)
    import_module(RUNNER)  # what cannot be loaded leaves no folder
    radius = planned.swarm.encirclement_radius
    with DomainClaim(domain(), fleet), viewing(view, fleet), streaming(stream, fleet, radius):
        folder = create_run_folder(out, planned, sys.argv)
        set_environment(folder)
        interrupt = Interrupt()
        plan = PlanOptions(not real_time, str(folder.resolve()), bag)
        runner, ending = _fly(planned, plan, asked.processes, fleet, interrupt, console)
    fault = law_fault_line(folder)
    if fault:
        print_error(fault)
    from soliton_encirclement_ros.cli.processes.run_closing import close_run

    drawn = not runner.is_starved
    summary = close_run(
        runner.monitor, ending, folder, interrupt, console, runner.faults, drawn
    )
    if as_json:
        print_json({**summary, 'run_folder': str(folder)})
    if runner.is_starved:  # its nodes are still there, and would crash if they were taken down
        from velocity_mobility_ros.ros_io.process.entry import end_process

        end_process(exit_code(summary))
    return exit_code(summary) or (FAILED if fault else 0)


def _fly(
    scenario: Scenario,
    options: PlanOptions,
    processes: Optional[int],
    fleet: Fleet,
    interrupt: Interrupt,
    console: Console,
) -> tuple['Runner', Ending]:
    """Run the nodes; return their runner, closed, and how the run ended.

    Raises:
        MobilityError: The run could not begin; its folder is removed.
    """
    from soliton_encirclement_ros.cli.processes.runner import Runner
    from soliton_encirclement_ros.cli.views.run_progress import Progress

    runner = Runner(scenario, options, processes, fleet)
    try:
        runner.start()
        monitor = runner.monitor
        missing, stopped = monitor.who_is_missing, lambda: monitor.stopped
        with Progress(console, scenario, monitor.observer, None, missing, stopped) as progress:
            told: list[str] = []

            def turn() -> None:
                for death in runner.deaths[len(told) :]:
                    progress.tell(death)
                    told.append(death)
                progress.update()

            runner.spin(lambda: bool(interrupt), turn)
    finally:
        runner.finish(lambda: bool(interrupt))
        if runner.was_refused:
            remove_run_folder(Path(options.run_folder))
    for death in runner.deaths:
        print_error(death)
    return runner, Ending(bool(interrupt), not runner.faults, runner.ended_early)
