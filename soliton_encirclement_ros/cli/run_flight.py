"""One run of ``swarm run``: prepared, flown, closed."""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Optional

from rich.console import Console
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.live.run_page import RunPage
from soliton_encirclement_ros.cli.machine_check import check_machine, this_machine
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.processes.law_fault_line import law_fault_line
from soliton_encirclement_ros.cli.processes.node_compilation import compile_for_nodes
from soliton_encirclement_ros.cli.processes.ros_start import check_ros, set_environment
from soliton_encirclement_ros.cli.processes.unbegun_run import remove_run_folder
from soliton_encirclement_ros.core.run.run_outcome import FAILED, Ending, exit_code
from soliton_encirclement_ros.core.scenario.composition import (
    PER_AGENT,
    SHARED,
    chosen_processes,
    composition,
    lateness_warning,
    most_agents_together,
)
from soliton_encirclement_ros.core.scenario.machine_resources import usable_cores
from soliton_encirclement_ros.core.scenario.resource_needs import lockstep_needs, real_time_needs
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import (
    PlanOptions,
    check_for_nodes,
    swarm_plan,
)
from soliton_encirclement_ros.core.states.swarm_topics import Fleet

ADVICE = 'fly fewer agents, or fly them with `swarm simulate`, with --publish for ROS topics'

RUNNER = 'soliton_encirclement_ros.cli.processes.runner'

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.processes.runner import Runner


class Wishes(NamedTuple):
    """How a run is flown, whatever is flown.

    Attributes:
        real_time: Whether by the clock; else in lockstep.
        processes: How many, as the command line says it; empty: as is usual.
        bag: Whether a bag is recorded.
        out: Folder of the run folders.
    """

    real_time: bool
    processes: str
    bag: bool
    out: Path


def prepare(planned: Scenario, wishes: Wishes) -> Optional[int]:
    """Refuse what this machine cannot fly, and compile; return how many processes there are.

    Raises:
        MobilityError: ROS is not there, the machine is too small, or nodes cannot fly it.
    """
    check_for_nodes(planned)
    nodes = swarm_plan(planned, PlanOptions(not wishes.real_time))
    period, cores = planned.swarm.control_period, usable_cores()
    processes = chosen_processes(nodes, period, wishes.processes, not wishes.real_time, cores)
    groups = composition(nodes, processes)
    needs = (real_time_needs if wishes.real_time else lockstep_needs)(planned, len(groups))
    machine = this_machine(wishes.out)
    check_machine(needs, machine, counted(planned.run.num_agents, 'agent'), ADVICE)
    if wishes.real_time:
        if warning := lateness_warning(nodes, period, processes, cores):
            print(f'warning: {warning}', file=sys.stderr)
        if processes is not None and not wishes.processes:
            print(SHARED.format(processes, f'--processes {PER_AGENT}'), file=sys.stderr)
    compile_for_nodes(planned, most_agents_together(nodes, groups))
    check_ros()
    import_module(RUNNER)  # what cannot be loaded leaves no folder
    return processes


class Flight(NamedTuple):
    """One run.

    Attributes:
        scenario: What is flown.
        wishes: How.
        processes: How many processes there are; None: one per node.
        fleet: Names of the swarm.
        folder: The run folder.
    """

    scenario: Scenario
    wishes: Wishes
    processes: Optional[int]
    fleet: Fleet
    folder: Path


class Flown(NamedTuple):
    """A run that has ended: its runner, closed; how it ended; what asked for that."""

    runner: 'Runner'
    ending: Ending
    interrupt: Interrupt


def fly(
    flight: Flight, page: RunPage, console: Console, said: Callable[[], Sequence[str]]
) -> Flown:
    """Run the nodes until the run is over, interrupted, or to be restarted.

    Args:
        flight: The run.
        page: The live page beside it.
        console: Where it is shown.
        said: Returns what was said on stderr meanwhile.

    Raises:
        MobilityError: The run could not begin; its folder is removed.
    """
    from soliton_encirclement_ros.cli.processes.runner import Runner
    from soliton_encirclement_ros.cli.screen.run_screen import RunScreen

    set_environment(flight.folder)
    interrupt = Interrupt()
    is_over = lambda: bool(interrupt) or page.is_restart_asked()  # noqa: E731
    options = PlanOptions(
        not flight.wishes.real_time, str(flight.folder.resolve()), flight.wishes.bag
    )
    runner = Runner(flight.scenario, options, flight.processes, flight.fleet)
    try:
        runner.start()
        monitor = runner.monitor
        screen = RunScreen(
            console, flight.scenario, monitor.observer, monitor.who_is_missing,
            lambda: monitor.stopped, lambda: monitor.health_reasons, said,
        )  # fmt: skip
        with screen:
            told: list[str] = []

            def turn() -> None:
                for death in runner.deaths[len(told) :]:
                    screen.tell(death)
                    told.append(death)
                screen.update()

            runner.spin(is_over, turn)
    finally:
        runner.finish(is_over)
        if runner.was_refused:
            remove_run_folder(flight.folder)
    for death in runner.deaths:
        print_error(death)
    ending = Ending(is_over(), not runner.faults, runner.ended_early)
    return Flown(runner, ending, interrupt)


def close(flown: Flown, folder: Path, console: Console, as_json: bool) -> int:
    """Judge a run and fill its folder; return the exit code.

    Args:
        flown: The run.
        folder: Its folder.
        console: Where the result is shown.
        as_json: Whether it is printed as JSON, too.
    """
    from soliton_encirclement_ros.cli.processes.run_closing import close_run

    runner, ending, interrupt = flown
    fault = law_fault_line(folder)
    if fault:
        print_error(fault)
    drawn = not runner.is_starved
    summary = close_run(runner.monitor, ending, folder, interrupt, console, runner.faults, drawn)
    if as_json:
        print_json({**summary, 'run_folder': str(folder)})
    if runner.is_starved:  # its nodes are still there, and would crash if they were taken down
        from velocity_mobility_ros.ros_io.process.entry import end_process

        end_process(exit_code(summary))
    return exit_code(summary) or (FAILED if fault else 0)
