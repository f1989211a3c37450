"""What an agent does around its estimator, whichever that is."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from velocity_mobility_ros.core.frames import is_plausible, is_plausible_vector
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.estimation.bearing_sensor import Bearing
from soliton_encirclement_ros.core.estimation.estimator import Estimate, Sight
from soliton_encirclement_ros.core.estimation.symmetric import moved
from soliton_encirclement_ros.core.states.message_acceptance import NEVER, is_fresh

YOUNGER = 1e-6
"""Difference of times [s] from which a measurement is younger; ages have rounding errors."""


class Progress(NamedTuple):
    """What an agent has taken from its estimator.

    Attributes:
        stepped: Time of the last step [s].
        measured: Time of the youngest measurement in the estimate that the law uses [s].
        seq: How many estimates the law got.
    """

    stepped: float
    measured: float
    seq: int


AT_START = Progress(NEVER, NEVER, 0)


def sight_of(bearing: Bearing, age: float, place: Vector, rate: Vector, pose_age: float) -> Sight:
    """Return a measurement with where it was made.

    Args:
        bearing: The measurement.
        age: Its age [s].
        place: The agent's measured position [m, map].
        rate: Its measured velocity [m/s, map].
        pose_age: The age of both [s].
    """
    origin = moved(place, rate, pose_age - age)
    return Sight(bearing.is_there, origin, bearing.direction, bearing.distance, age)


def is_usable(estimate: Estimate) -> bool:
    """Return whether there is an estimate with plausible numbers."""
    return is_plausible(estimate.age) and is_possible(estimate)


def is_possible(estimate: Estimate) -> bool:
    """Return whether an estimate has plausible numbers; the age of none is infinite."""
    place, rate = is_plausible_vector(estimate.position), is_plausible_vector(estimate.velocity)
    return place and rate and estimate.age >= 0.0


def is_message_sound(row: Sequence[float]) -> bool:
    """Return whether receivers accept the numbers of an estimator's message."""
    for k in range(len(row)):  # noqa: SIM110  (no generators in compiled code)
        if not is_plausible(row[k]):
            return False
    return True


def is_newer(progress: Progress, estimate: Estimate, now: float, timeout: float) -> bool:
    """Return whether a usable estimate has a younger measurement than the one that the law uses.

    Args:
        progress: What the law uses.
        estimate: The estimate.
        now: Time [s].
        timeout: Age of a state of the target [s] at which it counts as lost.
    """
    measured = now - estimate.age
    return is_fresh(measured, now, timeout) and measured > progress.measured + YOUNGER


ESTIMATE_SIZE = 13


def write_estimate(row: list[float], estimate: Estimate) -> None:
    """Write an estimate as the values of ``telemetry.ESTIMATE_NAMES``."""
    c = estimate.covariance
    for k in range(3):
        row[k], row[3 + k] = estimate.position[k], estimate.velocity[k]
    row[6] = estimate.age
    known = math.isfinite(c.xx + c.xy + c.xz + c.yy + c.yz + c.zz)
    if known:
        row[7], row[8], row[9], row[10], row[11], row[12] = c
    else:
        for k in range(7, ESTIMATE_SIZE):
            row[k] = 0.0


def write_nothing(row: list[float]) -> None:
    """Write that there is no estimate."""
    for k in range(ESTIMATE_SIZE):
        row[k] = 0.0
    row[6] = -1.0
