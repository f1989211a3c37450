"""``swarm fly``: the orders of an operator to vehicles with autopilots, for all at once.

Their options are here. Before motors are stopped in flight the operator is asked twice.
"""

import math
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Optional

import typer

from soliton_encirclement_ros.cli.app import require_verb
from soliton_encirclement_ros.cli.fly.fly_order import (
    DISARM, ENGAGE, HOLD, KILL, LAND, RESET, RETURN, TAKE_OFF, FlyOrder
)
from soliton_encirclement_ros.cli.operator.addressees import (
    AGENTS, NAMESPACE, SCENARIO, load_given_scenario, parse_addressees
)
from soliton_encirclement_ros.cli.operator.ros_context import lend_node
from soliton_encirclement_ros.cli.options import ABOVE_0, PATH, WAIT, Number
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from velocity_mobility_ros.core.environment.unix_process import Interrupt

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
    from soliton_encirclement_ros.cli.fly.gate import GateSettings
    from soliton_encirclement_ros.cli.fly.order_screen import OrderScreen


VEHICLES = typer.Argument(
    None, metavar='[VEHICLE]...', help='Vehicles such as uav_3; default: all.', show_default=False
)
DRY_RUN = typer.Option(
    False, '--dry-run', help='Only tell what would keep the vehicles; order nothing.'
)
WITHIN = typer.Option(
    None, click_type=WAIT, help='Longest time in seconds to wait until all have confirmed.'
)
SEPARATION = typer.Option(
    None,
    click_type=Number(min=0.0),
    help='Least distance of two vehicles in m; default: 2, or that of --scenario.',
)
MIN_BATTERY = typer.Option(
    0.3,
    click_type=Number(min=0.0, max=1.0),
    help='Least charge; 0: any, also one that is not known.',
)
MAX_CLOCK_OFFSET = typer.Option(
    0.5, click_type=ABOVE_0, help='Largest difference in seconds of stamps and clocks.'
)
PLACES = typer.Option(
    None,
    click_type=PATH,
    help='Planned places: lines such as uav_1: [0.0, 4.0], or a .csv of name, east and north.',
)


def gate_settings(
    scenario: Optional[str], separation: Optional[float], min_battery: float = 0.0,
    max_clock_offset: float = math.inf, places: Optional[Path] = None, is_named: bool = False,
    there: Sequence[str] = (),
) -> 'GateSettings':  # fmt: skip
    """Return the bounds of the gate; warn of places for vehicles that are not there.

    Raises:
        RunError: The places are no such file.
    """
    from soliton_encirclement_ros.cli.fly.gate import (
        NO_PLACES, GateSettings, places_of_others, read_places
    )
    from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters

    given = load_given_scenario(scenario)
    safety = SafetyParameters() if given is None else given.safety
    least = safety.separation_distance if separation is None else separation
    planned = NO_PLACES if places is None else read_places(places)
    if places is not None and (line := places_of_others(places, planned, there)):
        print(f'warning: {line}', file=sys.stderr)
    return GateSettings(least, min_battery, max_clock_offset, planned, is_named)


FALL = '--yes-let-it-fall'


def confirm_kill(names: Sequence[str], everybody: bool, is_sure: bool) -> None:
    """Return if the operator means it.

    Args:
        names: The vehicles.
        everybody: Whether all vehicles are meant.
        is_sure: Whether it was said in advance.

    Raises:
        RunError: It is not said whose motors are to stop, or nobody can be asked.
        Abort: The operator does not mean it.
    """
    if bool(names) == everybody:
        raise RunError('swarm fly kill stops motors in flight: name the vehicles, or --all')
    if is_sure:
        return
    if not sys.stdin.isatty():
        raise RunError(f'swarm fly kill asks twice, but there is no terminal: add {FALL}')
    who = named(names) if names else 'all vehicles'
    typer.confirm(f'Stop the motors of {who}? In the air that is a fall', abort=True)
    if typer.prompt(f'Type {names[0] if names else "all"} to let it fall') != (*names, 'all')[0]:
        raise typer.Abort


operator = partial(lend_node, 'swarm fly', 'fly.fly_node:FlyNode')
"""Lends the node of an operator, given a namespace."""

STATUS_TIME = 4.0


def on_terminal(node: 'FlyNode', interrupt: Optional[Interrupt] = None) -> 'OrderScreen':
    """Return what shows an order on the terminal; imported only when the order has left."""
    from soliton_encirclement_ros.cli.fly.order_screen import OrderScreen
    from soliton_encirclement_ros.cli.views.terminal_display import wide_console

    return OrderScreen(node, wide_console(False), interrupt)


app = typer.Typer(
    help='Take off, engage, hold and land vehicles with autopilots, all at once.',
    add_completion=False,
)
app.callback(invoke_without_command=True)(require_verb)


@app.command()
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
    meant = parse_addressees(vehicles, agents, scenario)
    interrupt = Interrupt() if watch else None
    with operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly import fly_view as statuses
        from soliton_encirclement_ros.cli.views.terminal_display import wide_console

        if interrupt is not None:
            return statuses.watch(node, meant, wide_console(False), interrupt)
        return statuses.show_once(node, meant, within or STATUS_TIME, as_json)


@app.command()
def console(
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    namespace: str = NAMESPACE,
) -> int:
    """Stay connected: the state of all on the screen, and a key for each safe order."""
    meant = parse_addressees((), agents, scenario)
    interrupt = Interrupt()
    with operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.fly_console import run_console

        return run_console(node, meant, interrupt)


@app.command()
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
    meant = parse_addressees(vehicles, agents, scenario)
    settings = gate_settings(
        scenario, separation, min_battery, max_clock_offset, places, there=meant.expected
    )
    time = within or TAKE_OFF.within
    interrupt = Interrupt()
    with operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.takeoff import FlyRequest, fly_takeoff

        wanted = FlyRequest(meant, settings, time, is_dry=dry_run)
        return fly_takeoff(node, wanted, on_terminal(node, interrupt))


@app.command()
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
    settings = gate_settings(
        scenario, separation, 0.0, max_clock_offset, is_named=bool(vehicles)
    )
    meant = parse_addressees(vehicles, agents, scenario)
    time = within or ENGAGE.within
    interrupt = Interrupt()
    with operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.takeoff import FlyRequest, fly_engage

        wanted = FlyRequest(meant, settings, time, stop, dry_run)
        return fly_engage(node, wanted, on_terminal(node, interrupt))


def _add_order(name: str, order: FlyOrder, text: str) -> None:
    """Add a command that gives an order without a gate, with a text for its help."""

    @app.command(name, help=text)
    def give(
        vehicles: Optional[list[str]] = VEHICLES,
        agents: Optional[int] = AGENTS,
        scenario: Optional[str] = SCENARIO,
        within: Optional[float] = WITHIN,
        namespace: str = NAMESPACE,
    ) -> int:
        return _ordered(order, (vehicles, agents, scenario), within, namespace)


for _name, _order, _text in (
    ('hold', HOLD, 'Let vehicles brake and hold where they are.'),
    ('land', LAND,
     'Let the autopilots land where the vehicles are, and wait until they are disarmed.'),
    ('rtl', RETURN, 'Let the autopilots return to where they took off, and land there.'),
    ('disarm', DISARM, 'Disarm vehicles that stand on the ground.'),
    ('reset', RESET, 'Clear the faults of bridges.'),
):  # fmt: skip
    _add_order(_name, _order, _text)


@app.command()
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
    return _ordered(KILL, (vehicles, agents, scenario), within, namespace)


Said = tuple[Optional[list[str]], Optional[int], Optional[str]]
"""Who is meant, as the command line says it: vehicles, a number of agents, a scenario."""


def _ordered(order: FlyOrder, said: Said, within: Optional[float], namespace: str) -> int:
    """Give an order to a fleet, whoever is found; return the exit code.

    The order leaves before anything else is imported that is not needed for it.
    """
    parse_addressees(*said[:2])
    with operator(namespace) as node:
        from soliton_encirclement_ros.cli.fly.fly_order import ABSENT, Execution

        meant = parse_addressees(*said)  # a scenario is read while the vehicles are being found
        execution = Execution(node, order, meant, within or ABSENT)
        return on_terminal(node).follow(execution, order, within or order.within)
