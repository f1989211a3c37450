"""What the computer of the operator knows about a vehicle."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from soliton_encirclement_ros.cli.fly.vehicle_report import VehicleReport

FRESH = 2.0
"""Age of the last report from which on a bridge is silent [s]: it reports twice a second."""

LIVE_REPORTS = 2
"""Reports after which a bridge is known to live: the first one may be left from long ago."""


class Sighting(NamedTuple):
    """One vehicle.

    Attributes:
        report: The last report of its bridge; None: none yet.
        reports: How many have arrived.
        age: Age of the last one [s].
        bridges: How many bridges report for the vehicle.
        odometry_age: Time since its odometry arrived here [s]; infinite: never.
        odometry_offset: Stamp of that odometry minus the clock here [s]; NaN: none yet.
        told: What other bridges say of it while it is not heard here, in words.
        stopped: Why its agent is stopped, in words; empty: it is not, or nothing is known.
        fence: How far inside the nearest fence it is, its agent's or its bridge's [m]; negative:
            outside; infinite: none is known.
        evades: How its agent changes its commands to keep distances, in words; empty: it does not.
        has_wrong_twist: Whether its agent has seen that its odometry's twist is in another frame.
    """

    report: VehicleReport | None = None
    reports: int = 0
    age: float = math.inf
    bridges: int = 0
    odometry_age: float = math.inf
    odometry_offset: float = math.nan
    told: str = ''
    stopped: str = ''
    evades: str = ''
    fence: float = math.inf
    has_wrong_twist: bool = False

    @property
    def is_live(self) -> bool:
        """Whether the bridge reports."""
        return self.reports >= LIVE_REPORTS and self.age <= FRESH


UNSEEN = Sighting()

Sightings = Mapping[str, Sighting]
"""By name of the vehicle."""


def silence(seen: Sighting) -> str:
    """Return why a bridge does not count as reporting, empty if it does."""
    if seen.report is None and seen.told:
        return f'not heard here; {seen.told}'
    if seen.report is None:
        return 'not heard: start its bridge, or compare ROS_DOMAIN_ID and --namespace'
    if seen.age > FRESH:
        return f'its bridge has not reported for {seen.age:.1f} s, at most {FRESH:g} s'
    return '' if seen.is_live else 'its bridge has reported only once'
