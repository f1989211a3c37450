"""``swarm run``: fly a scenario over the ROS graph and leave a run folder."""

import contextlib
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Optional

import typer
from rich.console import Console
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.live.run_page import NO_PAGE, Restart, RunPage, viewing
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
    VEHICLE,
    read_scenario,
)
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.processes.domain import DomainClaim, domain
from soliton_encirclement_ros.cli.processes.law_fault_line import law_fault_line
from soliton_encirclement_ros.cli.processes.node_compilation import compile_for_nodes
from soliton_encirclement_ros.cli.processes.ros_start import check_ros, set_environment
from soliton_encirclement_ros.cli.processes.unbegun_run import remove_run_folder
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
    operate: bool = typer.Option(
        False, '--operate', help='The same, and let the page give orders; it can also restart the '
        'run with another seed or number of agents.'
    ),
    as_json: bool = typer.Option(
        False, '--json', help='Print the summary as JSON, without progress.'
    ),
) -> int:
    """Run a scenario with ROS nodes; exit with 1 if the swarm did not encircle."""
    paced = real_time_factor is not None or any(map(FACTOR.match, changes))
    refuse_together(
        ('--real-time', real_time), ('a real-time factor', paced),
        why='the factor is for lockstep only; give one of them',
    )  # fmt: skip
    fleet = named_fleet(namespace, '--namespace')
    console = wide_console(as_json)
    wishes = Wishes(real_time, processes or '', bag, out, as_json)
    with contextlib.ExitStack() as stack:
        page, again, words = NO_PAGE, Restart(agents, seed), sys.argv
        while again is not None:
            planned = read_scenario(
                scenario,
                changes,
                controller,
                vehicle,
                OF_LOCKSTEP if real_time else NOTHING,
                num_agents=again.agents,
                sim_duration=duration,
                seed=again.seed,
                real_time_factor=real_time_factor,
            )
            asked = _prepare(planned, wishes)
            if page is NO_PAGE:
                stack.enter_context(DomainClaim(domain(), fleet))
                page = stack.enter_context(viewing(fleet, view or operate, operate))
            flown = wishes._replace(words=words)
            code = _fly_and_close(planned, asked, flown, fleet, page, console)
            again = page.take_restart()
            words = again.command(sys.argv) if again else ()
    return code


class Wishes(NamedTuple):
    """How a run is flown, whatever is flown."""

    real_time: bool
    processes: str
    bag: bool
    out: Path
    as_json: bool
    words: Sequence[str] = ()


def _prepare(planned: Scenario, wishes: Wishes) -> Optional[int]:
    """Refuse what this machine cannot fly, and compile; return how many processes there are."""
    check_for_nodes(planned)
    nodes = swarm_plan(planned, PlanOptions(not wishes.real_time))
    asked, reason = composed(
        asked_run(planned, nodes, wishes.bag), wishes.processes, not wishes.real_time,
        f'--processes {PER_AGENT}',
    )  # fmt: skip
    groups = composition(nodes, asked.processes)
    needs = (real_time_needs if wishes.real_time else lockstep_needs)(planned, len(groups))
    machine = this_machine(wishes.out)
    check_machine(needs, machine, counted(planned.run.num_agents, 'agent'), ADVICE)
    if wishes.real_time:
        warn_of_capacity(asked)
        if reason:
            print(reason, file=sys.stderr)
    compile_for_nodes(planned, most_agents_together(nodes, groups))
    check_ros()
    import_module(RUNNER)  # what cannot be loaded leaves no folder
    return asked.processes


def _fly_and_close(
    planned: Scenario, processes: Optional[int], wishes: Wishes, fleet: Fleet, page: RunPage,
    console: Console,
) -> int:  # fmt: skip
    """Fly, and leave a run folder; return the exit code."""
    folder = create_run_folder(wishes.out, planned, [*wishes.words])
    set_environment(folder)
    interrupt = Interrupt()
    plan = PlanOptions(not wishes.real_time, str(folder.resolve()), wishes.bag)
    is_over = lambda: bool(interrupt) or page.is_restart_asked()  # noqa: E731
    runner, ending = _fly(planned, plan, processes, fleet, is_over, console)
    fault = law_fault_line(folder)
    if fault:
        print_error(fault)
    from soliton_encirclement_ros.cli.processes.run_closing import close_run

    drawn = not runner.is_starved
    summary = close_run(
        runner.monitor, ending, folder, interrupt, console, runner.faults, drawn
    )
    if wishes.as_json:
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
    is_over: Callable[[], bool],
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

            runner.spin(is_over, turn)
    finally:
        runner.finish(is_over)
        if runner.was_refused:
            remove_run_folder(Path(options.run_folder))
    for death in runner.deaths:
        print_error(death)
    return runner, Ending(is_over(), not runner.faults, runner.ended_early)
