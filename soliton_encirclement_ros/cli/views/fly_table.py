"""Vehicles with autopilots as a table and as JSON."""

import math
from collections.abc import Mapping
from typing import Any

from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.cli.fly.sighting import Sighting, Sightings, silence

UNKNOWN = '-'


def status_table(seen: Sightings, remarks: Mapping[str, str]) -> Table:
    """Return a row per vehicle.

    Args:
        seen: What is known about each.
        remarks: A further text about some.
    """
    table = Table(
        'vehicle', 'state', 'mode', 'armed', 'battery', 'x, y, z [m]', 'nearest [m]', 'fence [m]',
        'age [s]', 'remarks',
    )  # fmt: skip
    for name, one in seen.items():
        numbers = (f'{x:.1f}' if math.isfinite(x) else UNKNOWN for x in (one.fence, one.age))
        cells = (*_cells(one), nearest(name, seen), *numbers)
        remark = remarks.get(name) or remark_of(one)
        table.add_row(*map(escape, (name, *cells, remark)))
    return table


def _cells(seen: Sighting) -> tuple[str, ...]:
    report = seen.report
    if report is None:
        return ('not heard', UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    battery = UNKNOWN if math.isnan(report.battery) else f'{100.0 * report.battery:.0f} %'
    place = UNKNOWN if report.position is None else ', '.join(f'{x:.1f}' for x in report.position)
    armed = {True: 'yes', False: 'no', None: UNKNOWN}[report.armed]
    return report.in_words, report.mode or UNKNOWN, armed, battery, place


def nearest(name: str, seen: Sightings) -> str:
    """Return the distance [m] to the nearest other vehicle, and which one that is."""
    places = {
        other: one.report.position for other, one in seen.items()
        if one.report is not None and one.report.position is not None
    }  # fmt: skip
    if name not in places or len(places) < 2:
        return UNKNOWN
    here = places.pop(name)
    distance, other = min((math.dist(here, there), other) for other, there in places.items())
    return f'{distance:.1f} {other}'


def remark_of(seen: Sighting) -> str:
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
    remarks += [waits or ('' if reason == report.in_words else reason)]
    return '; '.join(filter(None, remarks))


def described(seen: Sighting) -> str:
    """Return state and remark in one line."""
    state = '' if seen.report is None else seen.report.in_words
    return ': '.join(filter(None, (state, remark_of(seen))))


def as_json(seen: Sightings) -> dict[str, Any]:
    """Return the same as plain data; None: not known."""
    return {name: _plain(one) for name, one in seen.items()}


def _plain(seen: Sighting) -> dict[str, Any]:
    report = seen.report
    known: dict[str, Any] = {
        'silent': silence(seen) or None,
        'bridges': seen.bridges,
        'told': seen.told or None,
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
