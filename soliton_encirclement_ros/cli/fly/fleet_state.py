"""Reports of vehicles with autopilots, snapshots of each, and the addressees of orders.

Bridges report on ``bridge_state`` and on the topic of their fleet. The fleet is not whoever is
found first: it is what the operator names (names, ``--agents``, ``--scenario``), or what a bridge
was given at its start, or what at least two bridges agree on that hear each other.
"""

import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

from soliton_encirclement_ros.cli.operator.addressees import FENCE, Addressees, number_in
from soliton_encirclement_ros.core.emergency_stop import MEMBER
from soliton_encirclement_ros.core.states.swarm_topics import MAX_MEMBERS
from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.core.velocity_model import Vector

MAX_TEXT = 300
"""Characters of a text of a bridge that are kept."""


class VehicleReport(NamedTuple):
    """One message of a bridge.

    Attributes:
        state: State of the bridge; None: not one of ``State``.
        reason: Why, as text.
        ready: Whether all checks for a take-off hold.
        waits_for: The checks that fail, as text; empty: none.
        autopilot: Type of the autopilot.
        mode: The autopilot's own name of its mode.
        armed: Whether the motors may turn; None: not known.
        landed: Whether the vehicle stands; None: not known.
        system_id: MAVLink system id; 0: not known.
        battery: Share that is left, 0 to 1; NaN: not known.
        position: In the frame of the swarm [m]; None: not known.
        origin: Origin of that frame, as configured at the bridge.
        clock_offset: Stamp of its last odometry minus the clock of its computer [s]; NaN: not
            known.
        command_age: Age of its last velocity command [s]; infinite: none yet.
        odometry_age: Age of its last odometry [s]; infinite: none yet.
        fence: How far inside its own bounds to the side it is [m]; negative: outside; infinite: it
            has none.
        warnings: Warnings for its operator, as text; empty: none.
        agrees: Whether it would arm now, and waits for the release of all.
        fleet: Names of all vehicles that it knows of, its own included.
        fleet_is_stated: Whether they were configured at its start, not only heard.
        hears: Names of the vehicles whose bridges it hears now.
        silent: The last reports of bridges that are silent now, as text.
        order_id: The last order that it has answered; empty: none.
        order: What was ordered.
        order_by: Who ordered it.
        order_accepted: Whether it carries it out.
        order_answer: The answer, as text.
        bridge_id: Identifier of the reporting process; empty: not known.
    """

    state: State | None
    reason: str
    ready: bool
    waits_for: str
    autopilot: str
    mode: str
    armed: bool | None
    landed: bool | None
    system_id: int
    battery: float
    position: Vector | None
    origin: str
    clock_offset: float
    command_age: float
    odometry_age: float
    fence: float = math.inf
    warnings: str = ''
    agrees: bool = False
    fleet: tuple[str, ...] = ()
    fleet_is_stated: bool = False
    hears: tuple[str, ...] = ()
    silent: str = ''
    order_id: str = ''
    order: str = ''
    order_by: str = ''
    order_accepted: bool = False
    order_answer: str = ''
    bridge_id: str = ''

    @property
    def state_text(self) -> str:
        """The state, as text."""
        return 'unknown state' if self.state is None else self.state.value


def read_report(message: str, values: Mapping[str, str]) -> VehicleReport:
    """Return the report in a status; a missing or malformed value is unknown.

    Args:
        message: The text of the status.
        values: Its key values.
    """
    place = tuple(number_in(values, key, math.nan) for key in ('x', 'y', 'z'))
    return VehicleReport(
        state=State.__members__.get(values.get('state', '')),
        reason=message[:MAX_TEXT],
        mode=values.get('autopilot_mode', '')[:MAX_TEXT],
        armed=_flag(values, 'armed'),
        landed=_flag(values, 'landed'),
        system_id=_integer(values, 'system_id'),
        battery=number_in(values, 'battery', math.nan),
        position=place if all(map(math.isfinite, place)) else None,
        clock_offset=number_in(values, 'clock_offset_s', math.nan),
        command_age=number_in(values, 'command_age_s', math.inf),
        odometry_age=number_in(values, 'odometry_age_s', math.inf),
        fence=number_in(values, FENCE, math.inf),
        fleet=_names(values.get('fleet', '')),
        hears=_names(values.get('hears', '')),
        **{key: values.get(key) == 'true' for key in FLAGS},
        **{key: values.get(key, '')[:MAX_TEXT] for key in TEXTS},
    )


FLAGS = ('ready', 'agrees', 'fleet_is_stated', 'order_accepted')
TEXTS = (
    'waits_for', 'autopilot', 'origin', 'warnings', 'silent', 'order_id', 'order', 'order_by',
    'order_answer', 'bridge_id',
)  # fmt: skip
"""Attributes that are flags, and texts, of the same name."""


def _names(text: str) -> tuple[str, ...]:
    names = text.split(',', MAX_MEMBERS)[:MAX_MEMBERS]
    return tuple(name for name in names if MEMBER.fullmatch(name))


def _flag(values: Mapping[str, str], key: str) -> bool | None:
    return {'true': True, 'false': False}.get(values.get(key, ''))


def _integer(values: Mapping[str, str], key: str) -> int:
    text = values.get(key, '')
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


FRESH = 2.0
"""Age of the last report from which on a bridge is silent [s]: it reports twice a second."""

LIVE_REPORTS = 2
"""Reports after which a bridge is known to live: the first one may be left from long ago."""


class Snapshot(NamedTuple):
    """What the operator knows of one vehicle at a moment.

    Attributes:
        report: The last report of its bridge; None: none yet.
        reports: How many have arrived.
        age: Age of the last one [s].
        bridges: How many bridges report for the vehicle.
        odometry_age: Time since its odometry arrived here [s]; infinite: never.
        odometry_offset: Stamp of that odometry minus the clock here [s]; NaN: none yet.
        by_others: Reports of other bridges on it while it is not heard here, as text.
        stopped: Why its agent is stopped, as text; empty: it is not, or nothing is known.
        fence: How far inside the nearest fence it is, its agent's or its bridge's [m]; negative:
            outside; infinite: none is known.
        evades: How its agent changes its commands to keep distances, as text; empty: it does not.
        has_wrong_twist: Whether its agent has seen that its odometry's twist is in another frame.
    """

    report: VehicleReport | None = None
    reports: int = 0
    age: float = math.inf
    bridges: int = 0
    odometry_age: float = math.inf
    odometry_offset: float = math.nan
    by_others: str = ''
    stopped: str = ''
    evades: str = ''
    fence: float = math.inf
    has_wrong_twist: bool = False

    @property
    def is_live(self) -> bool:
        """Whether the bridge reports."""
        return self.reports >= LIVE_REPORTS and self.age <= FRESH


NOT_HEARD = Snapshot()

Snapshots = Mapping[str, Snapshot]
"""By name of the vehicle."""


def silence(vehicle: Snapshot) -> str:
    """Return why a bridge does not count as reporting, empty if it does."""
    if vehicle.report is None and vehicle.by_others:
        return f'not heard here; {vehicle.by_others}'
    if vehicle.report is None:
        return 'not heard: start its bridge, or compare ROS_DOMAIN_ID and --namespace'
    if vehicle.age > FRESH:
        return f'its bridge has not reported for {vehicle.age:.1f} s, at most {FRESH:g} s'
    return '' if vehicle.is_live else 'its bridge has reported only once'


class AddressedFleet(NamedTuple):
    """The vehicles that an order is for, whose answers are awaited.

    Attributes:
        names: Their names, in order.
        is_complete: Whether the fleet has no others.
    """

    names: list[str]
    is_complete: bool


def addressed_fleet(
    meant: Addressees, vehicles: Snapshots, agents: Collection[str] = ()
) -> AddressedFleet:
    """Return the vehicles that an order is for.

    Args:
        meant: The addressees, as the operator names them.
        vehicles: All of which a bridge has reported, here or to another bridge.
        agents: Vehicles of which an agent has reported, here or to another agent. They may be
            simulated, without a bridge; but where nobody was told the fleet, they may be missing.
    """
    if meant.named:
        return AddressedFleet(list(meant.named), True)
    reports = {
        name: vehicle.report for name, vehicle in vehicles.items() if vehicle.report is not None
    }
    listed = (name for report in reports.values() for name in report.fleet)
    names = {*meant.expected, *vehicles, *listed}
    is_complete = bool(meant.expected) or is_stated(reports) or (
        is_agreed(reports) and names.issuperset(agents)
    )  # fmt: skip
    return AddressedFleet(sorted(names, key=by_number), is_complete)


def is_stated(reports: Mapping[str, VehicleReport]) -> bool:
    """Return whether a bridge was started with the names of the whole fleet."""
    return any(report.fleet_is_stated for report in reports.values())


def is_agreed(reports: Mapping[str, VehicleReport]) -> bool:
    """Return whether several bridges have found each other, and none knows of others.

    One that knows nobody else may be alone, or out of the reach of the others.
    """
    lists = {frozenset(report.fleet) for report in reports.values()}
    return len(reports) > 1 and lists == {frozenset(reports)}


def unknown_fleet(names: list[str]) -> str:
    """Return the text for a fleet that is not known, with the remedy."""
    count = f'{len(names)} found' if names else 'nobody found'
    return (
        f'the whole fleet is not known ({count}): say it with --agents N or --scenario, or name '
        'the vehicles'
    )


def by_number(name: str) -> tuple[str, int, str]:
    """Return the key that sorts uav_10 after uav_9."""
    head = name.rstrip('0123456789')
    digits = name[len(head) :]
    return head, int(digits or 0), digits
