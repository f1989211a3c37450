"""The readiness gate: what keeps a swarm from taking off, or from being engaged.

Every fault is one line for one vehicle. Nothing is asked of any vehicle while there is a fault.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from velocity_mobility_ros.autopilot.engage.prechecks import COMMANDED
from velocity_mobility_ros.autopilot.engage.states import State

from soliton_encirclement_ros.cli.fly.places import NO_PLACES, Places, misplaced
from soliton_encirclement_ros.cli.fly.sighting import UNSEEN, Sighting, Sightings, silence
from soliton_encirclement_ros.cli.fly.vehicle_report import VehicleReport

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
        by_name: Whether the operator has named each vehicle: then he may take one back that
            somebody else flies.
        may_be_commanded: Whether an agent may command a vehicle that stands: it is stopped next.
    """

    separation: float = 2.0
    min_battery: float = 0.3
    max_clock_offset: float = 0.5
    places: Places = NO_PLACES
    by_name: bool = False
    may_be_commanded: bool = False


Faults = dict[str, list[str]]
"""What is wrong, by name of the vehicle."""

Check = Callable[[GateSettings, Sighting, VehicleReport], Iterator[str]]


def takeoff_faults(settings: GateSettings, names: Sequence[str], seen: Sightings) -> Faults:
    """Return what keeps vehicles from taking off together; empty if nothing does.

    Args:
        settings: The bounds.
        names: The vehicles that are expected.
        seen: What is known about them.
    """
    checks = (_alone, _ready, _standing, _battery, _odometry, _clocks)
    return _faults(settings, names, seen, checks, axes=2)


def engage_faults(settings: GateSettings, names: Sequence[str], seen: Sightings) -> Faults:
    """Return what keeps vehicles in the air from being engaged together; empty if nothing does."""
    anywhere = settings._replace(places=NO_PLACES)
    checks = (_alone, _holding, _odometry, _clocks, _commanded)
    return _faults(anywhere, names, seen, checks, axes=3)


def _faults(
    settings: GateSettings, names: Sequence[str], seen: Sightings, checks: Sequence[Check],
    axes: int,
) -> Faults:  # fmt: skip
    found = {name: _own(settings, seen.get(name, UNSEEN), checks) for name in names}
    reports = {
        name: seen[name].report for name in names if name in seen and not silence(seen[name])
    }
    for name, line in (*_origins(reports), *_distances(settings, reports, axes)):
        found[name].append(line)
    for name, line in misplaced(settings.places, _positions(reports)).items():
        found[name].append(line)
    return {name: lines for name, lines in found.items() if lines}


def _own(settings: GateSettings, seen: Sighting, checks: Sequence[Check]) -> list[str]:
    """Return the faults of one vehicle alone."""
    quiet = silence(seen)
    if quiet or seen.report is None:
        return [quiet]
    return [line for check in checks for line in check(settings, seen, seen.report)]


def _alone(settings: GateSettings, seen: Sighting, report: VehicleReport) -> Iterator[str]:
    if seen.bridges > 1:
        yield f'{seen.bridges} bridges report for it: stop all but one'


def _ready(settings: GateSettings, seen: Sighting, report: VehicleReport) -> Iterator[str]:
    if report.state is not State.READY:
        yield f'{report.in_words} ({report.reason})'
    elif not report.ready:
        waits = [*filter(None, map(str.strip, report.waits_for.split(';')))]
        if settings.may_be_commanded and waits:
            waits = [one for one in waits if not one.startswith(COMMANDED)]
        elif not waits:
            waits = [f'not ready ({report.reason})']
        yield from waits


def _holding(settings: GateSettings, seen: Sighting, report: VehicleReport) -> Iterator[str]:
    if report.state in HOLDING:
        return
    what = f'{report.in_words} ({report.reason})'
    if report.state not in TAKEN or not report.armed:
        yield f'{what}: only a vehicle that holds is engaged'
    elif not settings.by_name:
        yield f'{what}: only if it is named, swarm fly engage takes it over'


def _battery(settings: GateSettings, seen: Sighting, report: VehicleReport) -> Iterator[str]:
    least = settings.min_battery
    if least > 0.0 and math.isnan(report.battery):
        yield 'its battery is not known: --min-battery 0 takes off all the same'
    elif report.battery < least:
        yield f'battery at {100.0 * report.battery:.0f} %, at least {100.0 * least:.0f} %'


def _odometry(settings: GateSettings, seen: Sighting, report: VehicleReport) -> Iterator[str]:
    if report.odometry_age > STALE:
        yield f'its autopilot has sent no odometry for {_age(report.odometry_age)}'
    elif seen.odometry_age > STALE:
        since = 'yet' if math.isinf(seen.odometry_age) else f'for {seen.odometry_age:.1f} s'
        yield f'its odometry has not arrived here {since}'
    if report.position is None:
        yield 'its position in the frame of the swarm is not known'
    if seen.has_wrong_twist:
        yield 'its agent finds its twist in another frame than odom_twist_frame says'


def _clocks(settings: GateSettings, seen: Sighting, report: VehicleReport) -> Iterator[str]:
    most = settings.max_clock_offset
    for offset, whose in (
        (report.clock_offset, "its companion computer's clock"),
        (seen.odometry_offset, 'the clock here'),
    ):
        if abs(offset) > most:
            way = 'ahead of' if offset > 0.0 else 'behind'
            yield f'its odometry is stamped {abs(offset):.2f} s {way} {whose}, at most {most:g} s'


def _commanded(settings: GateSettings, seen: Sighting, report: VehicleReport) -> Iterator[str]:
    if report.command_age > STALE:
        yield f'no velocity command for {_age(report.command_age)}: start its agent'


def _standing(settings: GateSettings, seen: Sighting, report: VehicleReport) -> Iterator[str]:
    if report.landed is False:
        yield 'it does not stand on the ground'


def _age(seconds: float) -> str:
    return 'as long as its bridge runs' if math.isinf(seconds) else f'{seconds:.1f} s'


def _positions(reports: Mapping[str, VehicleReport]) -> Places:
    """Return where vehicles are, east and north [m]."""
    return {name: one.position[:2] for name, one in reports.items() if one.position is not None}


def _origins(reports: Mapping[str, VehicleReport]) -> Iterator[tuple[str, str]]:
    """Iterate over vehicles whose swarm has another origin than that of most."""
    origins = [report.origin for report in reports.values()]
    most = max(origins, key=origins.count, default='')
    for name, report in reports.items():
        if report.origin != most:
            others = next(one for one in reports if reports[one].origin == most)
            yield name, f'origin of the swarm {report.origin or "none"}, but {most} at {others}'


def _distances(
    settings: GateSettings, reports: Mapping[str, VehicleReport], axes: int
) -> Iterator[tuple[str, str]]:
    """Iterate over vehicles that are too near to another one.

    Before a take-off only the horizontal distance counts: all rise to one height.
    """
    placed = [
        (name, one.position[:axes]) for name, one in reports.items() if one.position is not None
    ]
    for (name, here), (other, there) in itertools.combinations(placed, 2):
        distance = math.dist(here, there)
        if distance < settings.separation:
            yield name, f'{distance:.1f} m from {other}, at least {settings.separation:g} m'
