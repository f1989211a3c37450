"""``swarm fly``: the orders of an operator to vehicles with autopilots, for all at once."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Optional

import typer
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.fly import options
from soliton_encirclement_ros.cli.fly.fly_order import (
    DISARM,
    ENGAGE,
    HOLD,
    KILL,
    LAND,
    RESET,
    RETURN,
    TAKE_OFF,
    FlyOrder,
)
from soliton_encirclement_ros.cli.fly.kill_guard import FALL, confirm_kill
from soliton_encirclement_ros.cli.fly.options import (
    DRY_RUN,
    MAX_CLOCK_OFFSET,
    MIN_BATTERY,
    NAMESPACE,
    PLACES,
    SEPARATION,
    VEHICLES,
    WITHIN,
)
from soliton_encirclement_ros.cli.operator.operating import check_environment, operating
from soliton_encirclement_ros.cli.operator.whom import AGENTS, SCENARIO, said_whom
from soliton_encirclement_ros.cli.options.repeated_options import VerbCommand
from soliton_encirclement_ros.cli.verbs import need_verb
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import named_fleet

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.fly.fly_node import FlyNode

VERB = 'swarm fly'
STATUS_TIME = 4.0

app = typer.Typer(
    help='Take off, engage, hold and land vehicles with autopilots, all at once.',
    add_completion=False,
)
app.callback(invoke_without_command=True)(need_verb)


@app.command(cls=VerbCommand)
def status(
    vehicles: Optional[list[str]] = VEHICLES,
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    watch: bool = typer.Option(False, '--watch', help='Go on until ctrl-C.'),
    as_json: bool = typer.Option(False, '--json', help='Print JSON instead of a table.'),
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:
    """Show what every vehicle reports; exit with 1 if one is silent, or not all are known."""
    if watch and as_json:
        raise RunError('--watch and --json exclude each other')
    meant = said_whom(vehicles, agents, scenario)
    time = options.waiting_time(within, STATUS_TIME)
    interrupt = Interrupt() if watch else None
    with _operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly import status as statuses
        from soliton_encirclement_ros.cli.views.terminal_tables import wide_console

        if interrupt is not None:
            return statuses.watch(node, meant, wide_console(False), interrupt)
        return statuses.show_once(node, meant, time, as_json)


@app.command(cls=VerbCommand)
def console(
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    namespace: str = NAMESPACE,
) -> int:
    """Stay connected: the state of all on the screen, and a key for each safe order."""
    meant = said_whom((), agents, scenario)
    interrupt = Interrupt()
    with _operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.console import run_console

        return run_console(node, meant, interrupt)


@app.command(cls=VerbCommand)
def takeoff(
    vehicles: Optional[list[str]] = VEHICLES,
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    places: Optional[Path] = PLACES,
    separation: Optional[float] = SEPARATION,
    min_battery: float = MIN_BATTERY,
    max_clock_offset: float = MAX_CLOCK_OFFSET,
    dry_run: bool = DRY_RUN,
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:
    """Take off together once all agree; if one is not ready, or you are gone, nobody arms."""
    meant = said_whom(vehicles, agents, scenario)
    settings = options.gate_settings(
        scenario, separation, min_battery, max_clock_offset, places, there=meant.expected
    )
    time = options.waiting_time(within, TAKE_OFF.within)
    interrupt = Interrupt()
    with _operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.flights import Wanted, fly_takeoff

        return fly_takeoff(node, Wanted(meant, settings, time, is_dry=dry_run), interrupt)


@app.command(cls=VerbCommand)
def engage(
    vehicles: Optional[list[str]] = VEHICLES,
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    separation: Optional[float] = SEPARATION,
    max_clock_offset: float = MAX_CLOCK_OFFSET,
    stop: bool = typer.Option(
        True, '--stop/--no-stop', help='Stop the agents until all track, then release them; not '
        'for vehicles with a controller that obeys no swarm stop.'
    ),
    dry_run: bool = DRY_RUN,
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:  # fmt: skip
    """Let vehicles in the air follow their agents, which start together; if one cannot, none."""
    settings = options.gate_settings(
        scenario, separation, 0.0, max_clock_offset, by_name=bool(vehicles)
    )
    meant = said_whom(vehicles, agents, scenario)
    time = options.waiting_time(within, ENGAGE.within)
    interrupt = Interrupt()
    with _operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.flights import Wanted, fly_engage

        return fly_engage(node, Wanted(meant, settings, time, stop, dry_run), interrupt)


@app.command(cls=VerbCommand)
def hold(
    vehicles: Optional[list[str]] = VEHICLES,
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:
    """Let vehicles brake and hold where they are."""
    return _ordered(HOLD, Said(vehicles, agents, scenario), within, namespace)


@app.command(cls=VerbCommand)
def land(
    vehicles: Optional[list[str]] = VEHICLES,
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:
    """Let the autopilots land where the vehicles are, and wait until they are disarmed."""
    return _ordered(LAND, Said(vehicles, agents, scenario), within, namespace)


@app.command(cls=VerbCommand)
def rtl(
    vehicles: Optional[list[str]] = VEHICLES,
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:
    """Let the autopilots return to where they took off, and land there."""
    return _ordered(RETURN, Said(vehicles, agents, scenario), within, namespace)


@app.command(cls=VerbCommand)
def disarm(
    vehicles: Optional[list[str]] = VEHICLES,
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:
    """Disarm vehicles that stand on the ground."""
    return _ordered(DISARM, Said(vehicles, agents, scenario), within, namespace)


@app.command(cls=VerbCommand)
def reset(
    vehicles: Optional[list[str]] = VEHICLES,
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:
    """Clear the faults of bridges."""
    return _ordered(RESET, Said(vehicles, agents, scenario), within, namespace)


@app.command(cls=VerbCommand)
def kill(
    vehicles: Optional[list[str]] = VEHICLES,
    everybody: bool = typer.Option(False, '--all', help='All vehicles that are found.'),
    is_sure: bool = typer.Option(False, FALL, help='Do not ask.'),
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    within: Optional[float] = WITHIN,
    namespace: str = NAMESPACE,
) -> int:
    """Stop the motors, also in the air: the vehicles fall. Asks twice."""
    confirm_kill(vehicles or [], everybody, is_sure)
    return _ordered(KILL, Said(vehicles, agents, scenario), within, namespace)


class Said(NamedTuple):
    """Who is meant, as the command line says it."""

    vehicles: Optional[list[str]]
    agents: Optional[int]
    scenario: Optional[str]


def _ordered(order: FlyOrder, said: Said, within: Optional[float], namespace: str) -> int:
    """Give an order to a fleet, whoever is found; return the exit code.

    The order leaves before anything else is imported that is not needed for it.
    """
    said_whom(said.vehicles, said.agents)
    time = options.waiting_time(within, order.within)
    with _operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.execution import ABSENT, Execution

        meant = said_whom(*said)  # a scenario is read while the vehicles are being found
        execution = Execution(node, order, meant, within or ABSENT)
        from soliton_encirclement_ros.cli.fly.conclusion import conclude
        from soliton_encirclement_ros.cli.output import print_error, say
        from soliton_encirclement_ros.cli.views.fly_view import FlyView
        from soliton_encirclement_ros.cli.views.terminal_tables import wide_console

        with FlyView(wide_console(False), node.seen) as view:
            found = execution.run(time, view.standings)
        return conclude(order, found, execution.whom, say, print_error)


def _operator(namespace: str) -> AbstractContextManager['FlyNode']:
    """Lend the node of an operator.

    Raises:
        MobilityError: The namespace or the environment is invalid, or ROS is not installed.
    """
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    return operating(VERB, _kind, fleet)


def _kind() -> 'type[FlyNode]':
    from soliton_encirclement_ros.cli.fly.fly_node import FlyNode

    return FlyNode
