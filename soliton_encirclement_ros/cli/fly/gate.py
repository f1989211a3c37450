"""The readiness gate: checks before a swarm takes off or is engaged.

Every fault is one line for one vehicle. No vehicle gets a request while there is a fault.
Planned places reveal vehicles that stand in the wrong place, or are swapped.
"""

import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from soliton_encirclement_ros.cli.fly.fleet_state import (
    NOT_HEARD, Snapshot, Snapshots, VehicleReport, silence
)
from soliton_encirclement_ros.core.emergency_stop import MEMBER
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.scenario.user_files import read_text, read_yaml
from velocity_mobility_ros.autopilot.engage.engage_records import State
from velocity_mobility_ros.autopilot.engage.prechecks import COMMANDED
from velocity_mobility_ros.core.spreadsheet import number, table_rows
from velocity_mobility_ros.core.user_errors import shown

Places = Mapping[str, tuple[float, float]]
"""East and north [m, frame of the swarm] by name of the vehicle."""

NO_PLACES: Places = MappingProxyType({})

NEAR = 5.0
"""Largest distance of a vehicle from its place [m]: GNSS without corrections is off by 2 to 5."""

COLUMNS = {'name': '', 'east': 'm', 'north': 'm'}
"""Units by column of a table of places."""


def read_places(path: Path) -> Places:
    """Read a YAML file with lines such as ``uav_1: [0.0, 4.0]``, or a CSV table of ``COLUMNS``.

    Raises:
        ScenarioError: The file cannot be read.
        TableError: It is a table, and not of these columns.
        RunError: It is no such file.
    """
    text = read_text(path, 'places')
    if path.suffix.lower() == '.csv':
        return _read_table(text, path)
    content = read_yaml(text, path)
    if not isinstance(content, Mapping) or not content:
        raise RunError(
            f'{path}: must hold lines such as uav_1: [0.0, 4.0], east and north in m, or be a '
            '.csv with the columns name, east and north'
        )
    return {_name(path, name): _place(path, name, value) for name, value in content.items()}


def places_of_others(path: Path, places: Places, there: Sequence[str]) -> str:
    """Return a warning if some places are for vehicles that are not there; empty if none is.

    Args:
        path: The file of the places.
        places: The places.
        there: The vehicles that exist; empty: not known.

    Raises:
        RunError: No place is for any of them.
    """
    strange = [name for name in places if there and name not in there]
    if not strange:
        return ''
    if len(strange) == len(places):
        raise RunError(f'{path}: has no place of {named(there)}: it has {named(strange)}')
    return f'{path}: {named(strange)} is none of the vehicles {named(there)}'


def find_misplaced(places: Places, stand: Places) -> dict[str, str]:
    """Return a fault for each vehicle that does not stand at its planned place.

    Args:
        places: Where they are to stand; empty: anywhere.
        stand: Where they stand.
    """
    faults = {}
    for name, here in stand.items():
        if not places:
            break
        if name not in places:
            faults[name] = 'has no place in --places'
            continue
        nearest = min(places, key=lambda place, here=here: math.dist(here, places[place]))
        off = math.dist(here, places[name])
        if off > NEAR:
            swap = '' if nearest == name else f'; it stands next to the place of {nearest}'
            faults[name] = f'{off:.1f} m from its place, at most {NEAR:g} m{swap}'
        elif nearest != name:
            faults[name] = f'nearer to the place of {nearest} than to its own'
    return faults


def _read_table(text: str, path: Path) -> Places:
    places: dict[str, tuple[float, float]] = {}
    for row in table_rows(text, str(path), COLUMNS):
        name = _name(path, row.cells['name'])
        if name in places:
            raise RunError(f'{row.where}: {name} has two places; give it one')
        places[name] = number(row, 'east'), number(row, 'north')
    if not places:
        raise RunError(f'{path}: has names of columns and no place; write one a line')
    return places


def _name(path: Path, name: Any) -> str:
    if isinstance(name, str) and MEMBER.fullmatch(name):
        return name
    raise RunError(f'{path}: {shown(name)} must be a name such as uav_1')


def _place(path: Path, name: str, value: Any) -> tuple[float, float]:
    numbers = value if isinstance(value, list) else []
    if len(numbers) == 2 and all(map(_is_finite, numbers)):
        return float(numbers[0]), float(numbers[1])
    raise RunError(f'{path}: {name} = {shown(value)} must be two numbers, east and north in m')


def _is_finite(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) <= sys.float_info.max  # a whole number may be larger


STALE = 1.0
"""Age from which on odometry or commands are lost [s]."""

HOLDING = (State.HOLD, State.HOLD_REENTRY, State.BRAKE, State.TRACK)
"""States in which the bridge flies the vehicle, and from which it tracks when it is engaged."""

TAKEN = (State.READY, State.EXTERNAL)
"""States in which a vehicle that flies is flown by the autopilot or a pilot."""


class GateSettings(NamedTuple):
    """Bounds of the gate.

    Attributes:
        separation: Least distance of two vehicles [m].
        min_battery: Least charge, 0 to 1; 0: any, also none that is known.
        max_clock_offset: Largest difference of a stamp and the clock that reads it [s].
        places: Where vehicles are to stand [m, frame of the swarm]; empty: anywhere.
        is_named: Whether the operator has named each vehicle: then one that the autopilot or a
            pilot flies may be engaged.
        may_be_commanded: Whether an agent may command a vehicle on the ground: it is stopped
            next.
    """

    separation: float = 2.0
    min_battery: float = 0.3
    max_clock_offset: float = 0.5
    places: Places = NO_PLACES
    is_named: bool = False
    may_be_commanded: bool = False


Faults = dict[str, list[str]]
"""Faults by name of the vehicle."""

Check = Callable[[GateSettings, Snapshot, VehicleReport], Iterator[str]]


def takeoff_faults(settings: GateSettings, names: Sequence[str], vehicles: Snapshots) -> Faults:
    """Return the faults that keep vehicles from taking off together.

    Args:
        settings: The bounds.
        names: The vehicles that are expected.
        vehicles: What is known about them.
    """
    checks = (_alone, _ready, _on_ground, _battery, _odometry, _clocks)
    return _faults(settings, names, vehicles, checks, axes=2)


def engage_faults(settings: GateSettings, names: Sequence[str], vehicles: Snapshots) -> Faults:
    """Return the faults that keep vehicles in the air from being engaged together."""
    anywhere = settings._replace(places=NO_PLACES)
    checks = (_alone, _holding, _odometry, _clocks, _commanded)
    return _faults(anywhere, names, vehicles, checks, axes=3)


def _faults(
    settings: GateSettings, names: Sequence[str], vehicles: Snapshots, checks: Sequence[Check],
    axes: int,
) -> Faults:  # fmt: skip
    faults = {
        name: _vehicle_faults(settings, vehicles.get(name, NOT_HEARD), checks) for name in names
    }
    reports = {
        name: vehicles[name].report
        for name in names
        if name in vehicles and not silence(vehicles[name])
    }
    for name, line in (*_origins(reports), *_distances(settings, reports, axes)):
        faults[name].append(line)
    stand = {
        name: report.position[:2]
        for name, report in reports.items()
        if report.position is not None
    }
    for name, line in find_misplaced(settings.places, stand).items():
        faults[name].append(line)
    return {name: lines for name, lines in faults.items() if lines}


def _vehicle_faults(
    settings: GateSettings, vehicle: Snapshot, checks: Sequence[Check]
) -> list[str]:
    """Return the faults of one vehicle alone."""
    quiet = silence(vehicle)
    if quiet or vehicle.report is None:
        return [quiet]
    return [line for check in checks for line in check(settings, vehicle, vehicle.report)]


def _alone(settings: GateSettings, vehicle: Snapshot, report: VehicleReport) -> Iterator[str]:
    if vehicle.bridges > 1:
        yield f'{vehicle.bridges} bridges report for it: stop all but one'


def _ready(settings: GateSettings, vehicle: Snapshot, report: VehicleReport) -> Iterator[str]:
    if report.state is not State.READY:
        yield f'{report.state_text} ({report.reason})'
    elif not report.ready:
        waits = [*filter(None, map(str.strip, report.waits_for.split(';')))]
        if settings.may_be_commanded and waits:
            waits = [fault for fault in waits if not fault.startswith(COMMANDED)]
        elif not waits:
            waits = [f'not ready ({report.reason})']
        yield from waits


def _holding(settings: GateSettings, vehicle: Snapshot, report: VehicleReport) -> Iterator[str]:
    if report.state in HOLDING:
        return
    what = f'{report.state_text} ({report.reason})'
    if report.state not in TAKEN or not report.armed:
        yield f'{what}: only a vehicle that holds is engaged'
    elif not settings.is_named:
        yield f'{what}: only if it is named, swarm fly engage takes it over'


def _battery(settings: GateSettings, vehicle: Snapshot, report: VehicleReport) -> Iterator[str]:
    least = settings.min_battery
    if least > 0.0 and math.isnan(report.battery):
        yield 'its battery is not known: --min-battery 0 takes off all the same'
    elif report.battery < least:
        yield f'battery at {100.0 * report.battery:.0f} %, at least {100.0 * least:.0f} %'


def _odometry(settings: GateSettings, vehicle: Snapshot, report: VehicleReport) -> Iterator[str]:
    if report.odometry_age > STALE:
        yield f'its autopilot has sent no odometry for {_age(report.odometry_age)}'
    elif vehicle.odometry_age > STALE:
        since = 'yet' if math.isinf(vehicle.odometry_age) else f'for {vehicle.odometry_age:.1f} s'
        yield f'its odometry has not arrived here {since}'
    if report.position is None:
        yield 'its position in the frame of the swarm is not known'
    if vehicle.has_wrong_twist:
        yield 'its agent finds its twist in another frame than odom_twist_frame says'


def _clocks(settings: GateSettings, vehicle: Snapshot, report: VehicleReport) -> Iterator[str]:
    most = settings.max_clock_offset
    for offset, whose in (
        (report.clock_offset, "its companion computer's clock"),
        (vehicle.odometry_offset, 'the clock here'),
    ):
        if abs(offset) > most:
            way = 'ahead of' if offset > 0.0 else 'behind'
            yield f'its odometry is stamped {abs(offset):.2f} s {way} {whose}, at most {most:g} s'


def _commanded(settings: GateSettings, vehicle: Snapshot, report: VehicleReport) -> Iterator[str]:
    if report.command_age > STALE:
        yield f'no velocity command for {_age(report.command_age)}: start its agent'


def _on_ground(settings: GateSettings, vehicle: Snapshot, report: VehicleReport) -> Iterator[str]:
    if report.landed is False:
        yield 'it does not stand on the ground'


def _age(seconds: float) -> str:
    return 'as long as its bridge runs' if math.isinf(seconds) else f'{seconds:.1f} s'


def _origins(reports: Mapping[str, VehicleReport]) -> Iterator[tuple[str, str]]:
    """Iterate over vehicles whose swarm has another origin than that of most."""
    origins = [report.origin for report in reports.values()]
    most = max(origins, key=origins.count, default='')
    for name, report in reports.items():
        if report.origin != most:
            others = next(other for other in reports if reports[other].origin == most)
            yield name, f'origin of the swarm {report.origin or "none"}, but {most} at {others}'


def _distances(
    settings: GateSettings, reports: Mapping[str, VehicleReport], axes: int
) -> Iterator[tuple[str, str]]:
    """Iterate over vehicles that are too near to another one.

    Before a take-off only the horizontal distance counts: all rise to one height.
    """
    placed = [
        (name, report.position[:axes])
        for name, report in reports.items()
        if report.position is not None
    ]
    for (name, here), (other, there) in itertools.combinations(placed, 2):
        distance = math.dist(here, there)
        if distance < settings.separation:
            yield name, f'{distance:.1f} m from {other}, at least {settings.separation:g} m'
