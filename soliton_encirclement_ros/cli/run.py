"""``swarm run``: fly a scenario over the ROS graph and leave a run folder."""

import contextlib
import re
import sys
from pathlib import Path
from typing import Optional

import typer

from soliton_encirclement_ros.cli.live.run_page import NO_PAGE, Restart, streaming, viewing
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
from soliton_encirclement_ros.cli.processes.domain import DomainClaim, domain
from soliton_encirclement_ros.cli.run_flight import Flight, Wishes, close, fly, prepare
from soliton_encirclement_ros.cli.screen.held_stderr import held_stderr
from soliton_encirclement_ros.cli.streams.streaming import check_stream
from soliton_encirclement_ros.cli.views.live_display import can_draw
from soliton_encirclement_ros.cli.views.terminal_tables import wide_console
from soliton_encirclement_ros.core.run.run_folder import create_run_folder
from soliton_encirclement_ros.core.scenario.composition import PER_AGENT
from soliton_encirclement_ros.core.states.swarm_topics import named_fleet

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
    wishes = Wishes(real_time, processes or '', bag, out)
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
            count = prepare(planned, wishes)
            if page is NO_PAGE:
                stack.enter_context(DomainClaim(domain(), fleet))
            with held_stderr(can_draw(console)) as said:
                if page is NO_PAGE:
                    page = stack.enter_context(viewing(fleet, view or operate, operate))
                    radius = planned.swarm.encirclement_radius
                    stack.enter_context(streaming(stream, fleet, radius))
                folder = create_run_folder(out, planned, words)
                flight = Flight(planned, wishes, count, fleet, folder)
                flown = fly(flight, page, console, said)
            code = close(flown, folder, console, as_json)
            again = page.take_restart()
            words = again.command(sys.argv) if again else ()
    return code
