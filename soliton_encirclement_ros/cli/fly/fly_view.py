"""What ``swarm fly`` shows: vehicles as a table or JSON, each change, and the end of an order.

``swarm fly status`` shows what every bridge reports, once or until ctrl-C. At the end of an order
stand what vehicles report and the exit code.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.fly.fleet_state import (
    FRESH, NOT_HEARD, AddressedFleet, Snapshot, Snapshots, silence, unknown_fleet
)
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.fly_order import (
    FlyOrder, OrderProgress, OrderStatuses, find, of
)
from soliton_encirclement_ros.cli.fly.gate import Faults
from soliton_encirclement_ros.cli.operator.addressees import Addressees
from soliton_encirclement_ros.cli.output import print_error, print_json, say
from soliton_encirclement_ros.cli.views.terminal_display import (
    UNKNOWN, LiveDisplay, print_table, wide_console
)
from soliton_encirclement_ros.core.files import named
from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.core.environment.unix_process import Interrupt


def status_table(seen: Snapshots, remarks: Mapping[str, str]) -> Table:
    """Return a row per vehicle.

    Args:
        seen: What is known about each.
        remarks: A further text about some.
    """
    table = Table(
        'vehicle', 'state', 'mode', 'armed', 'battery', 'x, y, z [m]', 'nearest [m]', 'fence [m]',
        'age [s]', 'remarks',
    )  # fmt: skip
    for name, vehicle in seen.items():
        values = vehicle.fence, vehicle.age
        numbers = (f'{x:.1f}' if math.isfinite(x) else UNKNOWN for x in values)
        cells = (*_cells(vehicle), nearest(name, seen), *numbers)
        remark = remarks.get(name) or remark_of(vehicle)
        table.add_row(*map(escape, (name, *cells, remark)))
    return table


def _cells(seen: Snapshot) -> tuple[str, ...]:
    report = seen.report
    if report is None:
        return ('not heard', UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    battery = UNKNOWN if math.isnan(report.battery) else f'{100.0 * report.battery:.0f} %'
    place = UNKNOWN if report.position is None else ', '.join(f'{x:.1f}' for x in report.position)
    armed = {True: 'yes', False: 'no', None: UNKNOWN}[report.armed]
    return report.state_text, report.mode or UNKNOWN, armed, battery, place


def nearest(name: str, seen: Snapshots) -> str:
    """Return the distance [m] to the nearest other vehicle, and which one that is."""
    places = {
        other: vehicle.report.position for other, vehicle in seen.items()
        if vehicle.report is not None and vehicle.report.position is not None
    }  # fmt: skip
    if name not in places or len(places) < 2:
        return UNKNOWN
    here = places.pop(name)
    distance, other = min((math.dist(here, there), other) for other, there in places.items())
    return f'{distance:.1f} {other}'


def remark_of(seen: Snapshot) -> str:
    """Return what a vehicle waits for, or why it is in its state."""
    quiet = silence(seen)
    if quiet or seen.report is None:
        return quiet
    report = seen.report
    remarks = [f'{seen.bridges} bridges report for it'] if seen.bridges > 1 else []
    remarks += [f'agent {seen.stopped}'] if seen.stopped else []
    remarks += [report.warnings, '' if seen.stopped else seen.evades]
    waits = f'waits for: {report.waits_for}' if report.waits_for else ''
    reason = report.reason.removeprefix(f'{report.warnings}; ')
    remarks += [waits or ('' if reason == report.state_text else reason)]
    return '; '.join(filter(None, remarks))


def describe(seen: Snapshot) -> str:
    """Return state and remark in one line."""
    state = '' if seen.report is None else seen.report.state_text
    return ': '.join(filter(None, (state, remark_of(seen))))


def as_json(seen: Snapshots) -> dict[str, Any]:
    """Return the same as plain data; None: not known."""
    return {name: _plain(vehicle) for name, vehicle in seen.items()}


def _plain(seen: Snapshot) -> dict[str, Any]:
    report = seen.report
    known: dict[str, Any] = {
        'silent': silence(seen) or None,
        'bridges': seen.bridges,
        'told': seen.by_others or None,
        'stopped': seen.stopped or None,
        'evades': seen.evades or None,
        'report_age_s': _number(seen.age),
        'fence_distance_m': _number(seen.fence),
        'odometry_age_s': _number(seen.odometry_age),
        'odometry_offset_s': _number(seen.odometry_offset),
    }
    if report is None:
        return known
    return {
        'state': None if report.state is None else report.state.name,
        'reason': report.reason,
        'ready': report.ready,
        'waits_for': report.waits_for,
        'autopilot': report.autopilot,
        'autopilot_mode': report.mode,
        'armed': report.armed,
        'landed': report.landed,
        'system_id': report.system_id or None,
        'battery': _number(report.battery),
        'position': report.position,
        'origin': report.origin,
        'clock_offset_s': _number(report.clock_offset),
        'command_age_s': _number(report.command_age),
        'warnings': report.warnings,
        'fleet': list(report.fleet),
        **known,
    }


def _number(value: float) -> float | None:
    return round(value, 3) if math.isfinite(value) else None


class FlyView(LiveDisplay):
    """One order."""

    def __init__(
        self, console: Console, seen: Callable[[], Snapshots], interrupt: Interrupt | None = None
    ) -> None:
        """Show nothing yet.

        Args:
            console: The console.
            seen: Returns what is known about the vehicles.
            interrupt: The request to end; None: the process ends at once.
        """
        super().__init__(console)
        self._seen, self._interrupt = seen, interrupt
        self._texts: Mapping[str, str] = {}

    def is_ended(self) -> bool:
        """Return whether the operator wants to end."""
        return bool(self._interrupt)

    def faults(self, faults: Faults) -> bool:
        """Show the faults at the gate; return whether the operator wants to end."""
        return self._show({name: '; '.join(lines) for name, lines in faults.items()})

    def show_statuses(self, statuses: OrderStatuses) -> bool:
        """Show how an order stands; return whether the operator wants to end."""
        return self._show({name: status.text for name, status in statuses.items()})

    def show_snapshots(self, seen: Snapshots) -> bool:
        """Show what is known; return whether the operator wants to end."""
        if not self._console.is_terminal:
            return self._show({name: describe(vehicle) for name, vehicle in seen.items()})
        return self._show({})

    def _show(self, texts: Mapping[str, str]) -> bool:
        before, self._texts = self._texts, texts
        if self._console.is_terminal:
            self.update()
        else:
            news = [name for name, text in texts.items() if text != before.get(name)]
            for name in news:
                self.tell(f'{name}: {texts[name]}')
        return bool(self._interrupt)

    def view(self) -> RenderableType:
        """Return the table."""
        return status_table(self._seen(), self._texts)

    def line(self) -> str:
        """Return the vehicles and their texts; where changes are printed, nobody asks for it."""
        return '; '.join(f'{name}: {text}' for name, text in self._texts.items())


NOBODY = (
    'no bridge of a vehicle found: start one (px4.launch.py), or compare ROS_DOMAIN_ID, '
    '--namespace and the settings of discovery'
)

Tell = Callable[[str], None]
"""Prints a line."""


def conclude(
    order: FlyOrder, statuses: OrderStatuses, fleet: AddressedFleet, say: Tell, complain: Tell
) -> int:
    """Print who does as ordered, and who does not and why; return the exit code.

    Args:
        order: The order.
        statuses: Its status with each vehicle.
        fleet: Its addressees.
        say: Prints a line.
        complain: Prints an error.
    """
    if not statuses:
        complain(NOBODY)
        return 1
    done = vehicles_with(statuses, OrderProgress.DONE)
    if done:
        say(f'{order.aim}: {named(done)} ({len(done)} of {fleet_size(fleet)})')
    for name, status in statuses.items():
        if status.progress is not OrderProgress.DONE:
            complain(f'{name} not confirmed: {status.text}')
    if not fleet.is_complete:
        complain(unknown_fleet(fleet.names))
    return 0 if len(done) == len(statuses) and fleet.is_complete else 1


def fleet_size(fleet: AddressedFleet) -> str:
    """Return how many vehicles there are, as text."""
    return f'{len(fleet.names)}' if fleet.is_complete else f'at least {len(fleet.names)}'


def refuse(what: str, names: Sequence[str], faults: Faults, complain: Tell) -> int:
    """Print what kept vehicles at the gate, one line per vehicle and fault; return 1."""
    if not names:
        complain(NOBODY)
        return 1
    for name, lines in faults.items():
        for line in lines:
            complain(f'{name}: {line}')
    good = [name for name in names if name not in faults]
    complain(f'{what}: {len(faults)} of {len(names)} vehicles not ready'
             + (f'; ready: {named(good)}' if good else ''))  # fmt: skip
    return 1


def whereabouts(names: Sequence[str], seen: Snapshots) -> str:
    """Return in one line where vehicles are; a missing report never counts as on the ground.

    Args:
        names: The vehicles.
        seen: What is known about them.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_where(seen.get(name, NOT_HEARD)), []).append(name)
    return '; '.join(f'{named(members)}: {what}' for what, members in groups.items())


WHERE: Mapping[State, str] = {
    State.TAKE_OFF: 'climbing, will hold at the top',
    State.HOLD: 'in the air, holding',
    State.HOLD_REENTRY: 'in the air, holding',
    State.BRAKE: 'in the air, braking',
    State.TRACK: 'in the air, tracking its agent',
    State.LANDING: 'in the air, the autopilot lands or returns',
}


def _where(seen: Snapshot) -> str:
    report = seen.report
    if report is None:
        return 'not heard, so it may be in the air'
    if seen.age > FRESH:
        return f'silent for {seen.age:.0f} s, so it may be in the air'
    if report.armed is False:
        return 'on the ground, not armed'
    if report.armed is None:
        return 'armed or not is not known'
    if report.landed and report.state is not State.TAKE_OFF:
        return 'on the ground, ARMED'
    return WHERE.get(report.state, f'armed, {report.state_text}') if report.state else 'armed'


AGENT_TIME = 1.2
"""Longest time to wait also for the agents, which report once a second [s]."""


def show_once(node: FlyNode, meant: Addressees, within: float, wants_json: bool) -> int:
    """Print the state of all vehicles; return 1 if one is silent or not known to be the last.

    Args:
        node: The operator.
        meant: The vehicles.
        within: Longest time to wait until they report [s].
        wants_json: Whether to print JSON instead of a table.
    """
    if wants_json:
        node.listen_to_odometry((*meant.named, *meant.expected))
    fleet = find_vehicles(node, meant, within)
    began = node.now()
    while node.now() - began < AGENT_TIME and not all(map(node.hears_agent, fleet.names)):
        node.turn()
    seen = fleet_snapshots(fleet, node.snapshots())
    if wants_json:
        print_json(as_json(seen))
    elif seen:
        print_table(status_table(seen, {}), wide_console(False))
        say(f'{sum(vehicle.is_live for vehicle in seen.values())} of {fleet_size(fleet)} report')
    if not seen:
        print_error(NOBODY)
    elif not fleet.is_complete:
        print_error(unknown_fleet(fleet.names))
    is_well = bool(seen) and all(vehicle.is_live for vehicle in seen.values())
    return 0 if is_well and fleet.is_complete else 1


def fleet_snapshots(fleet: AddressedFleet, seen: Snapshots) -> Snapshots:
    """Return what is known about each vehicle of a fleet, heard or not."""
    return {name: seen.get(name, NOT_HEARD) for name in fleet.names}


def watch(node: FlyNode, meant: Addressees, console: Console, interrupt: Interrupt) -> int:
    """Show the state of all vehicles until ctrl-C; where there is no terminal, each change."""

    def look() -> Snapshots:
        return fleet_snapshots(node.addressed_fleet(meant), node.snapshots())

    with FlyView(console, look, interrupt) as view:
        while not interrupt:
            node.turn()
            view.show_snapshots(look())
    return 0
