"""``swarm run``: fly a scenario over the ROS graph and leave a run folder.

A run is prepared, flown and closed. What nodes run as machine code is compiled before any of them
waits for it. The first fault of a user's law, layer or estimator is found in the logs of the
agents.
"""

import contextlib
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import typer
from rich.console import Console

from soliton_encirclement_ros.cli.operator.ros_context import DomainClaim, domain
from soliton_encirclement_ros.cli.options import NUMBER, TEXT, refuse_together
from soliton_encirclement_ros.cli.output import hold_stderr, print_error, print_json
from soliton_encirclement_ros.cli.runs.run_start import (
    NO_PAGE, Restart, RunPage, check_machine, check_ros, remove_run_folder, set_environment,
    streaming, this_machine, viewer_process
)
from soliton_encirclement_ros.cli.scenario_verbs import (
    AGENTS, CONTROLLER, DURATION, NAMESPACE, NOTHING, OUT, SCENARIO_HELP, SEED, SETTINGS, STREAM,
    VEHICLE, read_scenario
)
from soliton_encirclement_ros.cli.streams.streaming import check_stream
from soliton_encirclement_ros.cli.views.terminal_display import can_draw, wide_console
from soliton_encirclement_ros.core.laws.law_fault import UNTIL_RECOVERED
from soliton_encirclement_ros.core.run.finished_run import FAILED, Ending, exit_code
from soliton_encirclement_ros.core.run.machine_resources import node_needs, usable_cores
from soliton_encirclement_ros.core.run.process_composition import (
    PER_AGENT, SHARED, chosen_processes, composition, lateness_warning, most_agents_together
)
from soliton_encirclement_ros.core.run.run_folder import LOG, create_run_folder
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    MANY_AGENTS, PlanOptions, check_for_nodes, swarm_plan
)
from soliton_encirclement_ros.core.states.swarm_topics import Fleet, named_fleet, uav
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.user_errors import counted
from velocity_mobility_ros.vehicles.vehicle import VEHICLES

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.runs.runner import Runner


FAULT = re.compile(rf'^\[ERROR\] \[([\d.]+)\] \[[^]]*\]: (.*; {re.escape(UNTIL_RECOVERED)})$')


def law_fault_line(folder: Path) -> str:
    """Return the first fault of a law in a run over ROS, empty if there was none.

    Args:
        folder: The run's folder; the nodes log into ``log`` in it.
    """
    texts = (file.read_text(errors='replace') for file in (folder / LOG).glob('*.log'))
    faults = {match.groups() for text in texts for line in text.splitlines()
              if (match := FAULT.match(line))}  # fmt: skip
    if not faults:
        return ''
    more = f' (and {len(faults) - 1} more)' if len(faults) > 1 else ''
    return min(faults)[1] + more


def compile_for_nodes(scenario: Scenario, agents: int) -> None:
    """Compile what nodes do not run by plain Python, before anything waits.

    That is vehicles that are costly, paths, and the tick of many agents in one process.

    Args:
        scenario: The scenario.
        agents: How many agents share a process, at most.
    """
    vehicles = [scenario.vehicle_of(name) for name in scenario.members]
    costly = [vehicle for vehicle in vehicles if VEHICLES[vehicle.vehicle].is_costly]
    is_many = agents >= MANY_AGENTS
    if not (costly or scenario.member_paths or is_many):
        return
    from soliton_encirclement_ros.cli.views.compilation_progress import compile_visibly
    from soliton_encirclement_ros.sim.compilation.agent_rows import (
        agent_programs, load_agents, own_of
    )
    from soliton_encirclement_ros.sim.compilation.compiled_motion import (
        body_programs, leader_programs, load_bodies, load_leader
    )
    from soliton_encirclement_ros.sim.flight_constants import setup_of

    agent = own_of(setup_of(scenario, uav(1)))
    programs = [
        *body_programs(costly),
        *(leader_programs() if scenario.member_paths else []),
        *(agent_programs(agent) if is_many else []),
    ]

    def load() -> None:
        load_bodies(costly)
        if scenario.member_paths:
            load_leader()
        if is_many:
            load_agents(agent)

    compile_visibly(programs, load)


ADVICE = 'fly fewer agents, or fly them with `swarm simulate`, with --publish for ROS topics'

RUNNER = 'soliton_encirclement_ros.cli.runs.runner'


def prepare(planned: Scenario, real_time: bool, asked: str, out: Path) -> Optional[int]:
    """Refuse what this machine cannot fly, and compile; return how many processes there are.

    Args:
        planned: The scenario.
        real_time: Whether by the clock; else in lockstep.
        asked: How many processes, as the command line says it; empty: as is usual.
        out: Folder of the run folders.

    Raises:
        MobilityError: ROS is not there, the machine is too small, or nodes cannot fly it.
    """
    check_for_nodes(planned)
    nodes = swarm_plan(planned, PlanOptions(not real_time))
    period, cores = planned.swarm.control_period, usable_cores()
    processes = chosen_processes(nodes, period, asked, not real_time, cores)
    groups = composition(nodes, processes)
    needs = node_needs(planned, len(groups))
    agents = counted(planned.run.num_agents, 'agent')
    check_machine(needs, this_machine(out), agents, ADVICE)
    if real_time:
        if warning := lateness_warning(nodes, period, processes, cores):
            print(f'warning: {warning}', file=sys.stderr)
        if processes is not None and not asked:
            print(SHARED.format(processes, f'--processes {PER_AGENT}'), file=sys.stderr)
    compile_for_nodes(planned, most_agents_together(nodes, groups))
    check_ros()
    import_module(RUNNER)  # an import error leaves no folder
    return processes


def fly(
    scenario: Scenario, options: PlanOptions, processes: Optional[int], fleet: Fleet,
    page: RunPage, console: Console, said: Callable[[], Sequence[str]],
) -> 'tuple[Runner, Ending, Interrupt]':  # fmt: skip
    """Run the nodes until the run is over, interrupted, or to be restarted.

    Args:
        scenario: The scenario.
        options: The parts of the run, and its folder.
        processes: How many processes there are; None: one per node.
        fleet: Names of the swarm.
        page: The live page beside it.
        console: Where it is shown.
        said: Returns the lines from stderr meanwhile.

    Returns:
        The runner, closed; how the run ended; the request to end.

    Raises:
        MobilityError: The run could not begin; its folder is removed.
    """
    from soliton_encirclement_ros.cli.runs.runner import Runner
    from soliton_encirclement_ros.cli.views.run_screen import RunScreen

    folder = Path(options.run_folder)
    set_environment(folder)
    interrupt = Interrupt()
    is_over = lambda: bool(interrupt) or page.is_restart_asked()  # noqa: E731
    runner = Runner(scenario, options, processes, fleet)
    try:
        runner.start()
        monitor = runner.monitor
        screen = RunScreen(
            console, scenario, monitor.observer, lambda: monitor.health_reasons, said,
            waiting_for=monitor.who_is_missing, stopped=lambda: monitor.stopped,
        )  # fmt: skip
        with screen:
            shown_deaths: list[str] = []

            def turn() -> None:
                for death in runner.deaths[len(shown_deaths) :]:
                    screen.tell(death)
                    shown_deaths.append(death)
                screen.update()

            runner.spin(is_over, turn)
    finally:
        runner.finish(is_over)
        if runner.was_refused:
            remove_run_folder(folder)
    for death in runner.deaths:
        print_error(death)
    ending = Ending(is_over(), not runner.faults, runner.ended_early)
    return runner, ending, interrupt


def close(
    runner: 'Runner', ending: Ending, interrupt: Interrupt, folder: Path, console: Console,
    as_json: bool,
) -> int:  # fmt: skip
    """Judge a run and fill its folder; return the exit code.

    Args:
        runner: The runner, closed.
        ending: How the run ended.
        interrupt: The request to end.
        folder: The run's folder.
        console: Where the result is shown.
        as_json: Whether it is printed as JSON, too.
    """
    from soliton_encirclement_ros.cli.runs.monitor_process import close_run

    fault = law_fault_line(folder)
    if fault:
        print_error(fault)
    summary = close_run(runner.monitor, ending, folder, interrupt, console, runner.faults)
    if as_json:
        print_json({**summary, 'run_folder': str(folder)})
    return exit_code(summary) or (FAILED if fault else 0)


OF_LOCKSTEP = {'run.lockstep_timeout': 'in real time there is no wait for answers'}

FACTOR = re.compile(r'run\.real_time_factor=(?!0+(\.0*)?$)')
"""A setting for the pace of lockstep."""


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
    fleet = named_fleet(namespace, '--namespace')
    console = wide_console(as_json)
    with contextlib.ExitStack() as stack:
        page, again, arguments = NO_PAGE, Restart(agents, seed), sys.argv
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
            count = prepare(planned, real_time, processes or '', out)
            if page is NO_PAGE:
                stack.enter_context(DomainClaim(domain(), fleet))
            with hold_stderr(can_draw(console)) as said:
                if page is NO_PAGE:
                    page = stack.enter_context(viewer_process(fleet, view or operate, operate))
                    radius = planned.swarm.encirclement_radius
                    stack.enter_context(streaming(stream, fleet, radius))
                folder = create_run_folder(out, planned, arguments)
                options = PlanOptions(not real_time, str(folder.resolve()), bag)
                flown = fly(planned, options, count, fleet, page, console, said)
            code = close(*flown, folder, console, as_json)
            again = page.take_restart()
            arguments = again.command(sys.argv) if again else ()
    return code
