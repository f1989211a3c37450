"""Whom an order is for, and whom its answer waits for: the fleet, as the vehicles say it.

Whoever is found at once is no fleet. It is what the operator says (names, ``--agents``,
``--scenario``), or what a bridge was told at its start, or what at least two bridges agree on that
hear each other.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from soliton_encirclement_ros.cli.fly.sighting import Sightings
from soliton_encirclement_ros.cli.fly.vehicle_report import VehicleReport
from soliton_encirclement_ros.cli.operator.whom import Meant


class Whom(NamedTuple):
    """Vehicles whose answers are waited for.

    Attributes:
        names: Their names, in order.
        is_complete: Whether these are all.
    """

    names: list[str]
    is_complete: bool


def whom(meant: Meant, seen: Sightings, agents: Collection[str] = ()) -> Whom:
    """Return the vehicles that an order is for.

    Args:
        meant: What the operator says.
        seen: All vehicles of which a bridge has reported, here or to another bridge.
        agents: Vehicles of which an agent has reported, here or to another agent. They may be
            simulated, without a bridge; but where nobody was told the fleet, they may be missing.
    """
    if meant.named:
        return Whom(list(meant.named), True)
    reports = {name: one.report for name, one in seen.items() if one.report is not None}
    names = {*meant.expected, *seen, *_told(reports.values())}
    is_complete = bool(meant.expected) or is_stated(reports) or (
        is_agreed(reports) and names.issuperset(agents)
    )  # fmt: skip
    return Whom(sorted(names, key=by_number), is_complete)


def is_stated(reports: Mapping[str, VehicleReport]) -> bool:
    """Return whether a bridge was told the whole fleet at its start."""
    return any(one.fleet_is_stated for one in reports.values())


def is_agreed(reports: Mapping[str, VehicleReport]) -> bool:
    """Return whether several bridges have found each other, and none knows of others.

    One that knows nobody else may be alone, or out of the reach of the others.
    """
    lists = {frozenset(one.fleet) for one in reports.values()}
    return len(reports) > 1 and lists == {frozenset(reports)}


def _told(reports: Iterable[VehicleReport]) -> set[str]:
    return {name for one in reports for name in one.fleet}


def unknown_fleet(names: list[str]) -> str:
    """Return that the fleet is not known, and what to say instead."""
    count = f'{len(names)} found' if names else 'nobody found'
    return (
        f'the whole fleet is not known ({count}): say it with --agents N or --scenario, or name '
        'the vehicles'
    )


def by_number(name: str) -> tuple[str, int, str]:
    """Return what sorts uav_10 after uav_9."""
    head = name.rstrip('0123456789')
    digits = name[len(head) :]
    return head, int(digits or 0), digits
