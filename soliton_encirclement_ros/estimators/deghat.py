"""The published bearing-only estimator, coupled with the neighbours' estimates by consensus.

    x' = v + k (I - d d^T) (p - x) + k_c (mean_j x_j - x)
    v' =   k_v (I - d d^T) (p - x) + k_c (mean_j v_j - v)

with the own position p, the unit vector d of the bearing, and the estimates x_j of position and
v_j of velocity that have come from neighbours. The published estimator is the first line with
v = 0 and k_c = 0, for a target that moves slowly; v with k_v is its integral action, without which
the estimate of a moving target lags. Both are used in their exact form over a step: a share
1 - exp(-k dt) of the difference.

Source: M. Deghat, I. Shames, B. D. O. Anderson, C. Yu, Localization and circumnavigation of a
slowly moving target using bearing measurements, IEEE Trans. Automatic Control 59(8), 2014.
Consensus: R. Olfati-Saber, J. A. Fax, R. M. Murray, Consensus and cooperation in networked
multi-agent systems, Proc. IEEE 95(1), 2007.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.estimation import (
    FIELDS, NO_ESTIMATE, UNKNOWN, Estimate, LawParameters, make_estimator, parameter
)
from soliton_encirclement_ros.core.estimation.estimator import (
    AGE, EstimatorView, TargetMeasurement
)
from soliton_encirclement_ros.core.estimation.information import across, applied, dot, full, moved
from velocity_mobility_ros.core.velocity_model import Vector


@dataclass(frozen=True)
class DeghatParameters(LawParameters):
    """Gains of the estimator."""

    k_bearing: float = parameter(8.0, 'gain of a bearing', unit='1/s', above=0.0)
    k_bearing_velocity: float = parameter(
        15.0, 'gain of a bearing for the velocity; 0: the target stands, as published',
        unit='1/s^2', minimum=0.0,
    )  # fmt: skip
    k_range: float = parameter(2.0, 'gain of a range, if measured', unit='1/s', minimum=0.0)
    k_consensus: float = parameter(
        20.0, "gain towards the mean of the neighbours' estimates", unit='1/s', minimum=0.0
    )

Gains = Any
"""The parameters as numbers, and ``common``."""


class DeghatMessage(NamedTuple):
    """The estimate [m, m/s, map]; ``age`` [s] is that of the youngest bearing in it.

    ``known`` is 1 if it has a meaning; ``since`` [s] is the time since the agent's own last
    bearing, or since it began.
    """

    known: float
    age: float
    x: float
    y: float
    z: float
    vx: float
    vy: float
    vz: float
    since: float


NO_MESSAGE = DeghatMessage(*[0.0] * 9)

MAX_STEP = 1.0
"""Longest time [s] that one bearing stands for."""


class Mean(NamedTuple):
    """Mean of the neighbours' estimates [m, m/s, map], how many, and the youngest age [s]."""

    count: int  # type: ignore[assignment]  # hides tuple.count
    age: float
    position: Vector
    velocity: Vector


def step(
    gains: Gains, memory: DeghatMessage, view: EstimatorView
) -> tuple[DeghatMessage, DeghatMessage, Estimate]:
    """Move on, follow the neighbours, then the bearing."""
    mean = mean_of(view, gains.common.hold)
    position, velocity = (memory.x, memory.y, memory.z), (memory.vx, memory.vy, memory.vz)
    age = memory.age + view.dt
    known, since = memory.known != 0.0 and age <= gains.common.hold, memory.since + view.dt
    if known:
        position = moved(position, velocity, view.dt)
        if mean.count > 0:
            share = 1.0 - math.exp(-gains.k_consensus * view.dt)
            position = towards(position, mean.position, share)
            velocity = towards(velocity, mean.velocity, share)
            age = min(age, mean.age)
    elif mean.count > 0:
        known, position, velocity, age = True, mean.position, mean.velocity, mean.age
        since = view.dt
    elif view.measurement.is_there:
        known, velocity, age = True, (0.0, 0.0, 0.0), view.measurement.age
        position = moved(view.measurement.origin, view.measurement.direction, first_range(gains, view.measurement))
        since = view.dt
    if not known or not math.isfinite(dot(position, position) + dot(velocity, velocity)):
        return NO_MESSAGE, NO_MESSAGE, NO_ESTIMATE
    if view.measurement.is_there:
        off = off_ray(gains, view.measurement, moved(position, velocity, -view.measurement.age))
        share = 1.0 - math.exp(-gains.k_bearing * min(since, MAX_STEP))
        position = moved(position, off, share)
        velocity = moved(velocity, off, share * gains.k_bearing_velocity / gains.k_bearing)
        age, since = min(age, view.measurement.age), 0.0
    after = DeghatMessage(1.0, age, *position, *velocity, since)
    return after, after, Estimate(position, velocity, age, UNKNOWN)


def first_range(gains: Gains, measurement: TargetMeasurement) -> float:
    """Return the distance [m] assumed with the first bearing: the measured one, or the radius."""
    return measurement.distance if math.isfinite(measurement.distance) else gains.common.radius


def off_ray(gains: Gains, measurement: TargetMeasurement, position: Vector) -> Vector:
    """Return the way [m] from a position to the line of sight, ``(I - d d^T) (p - x)``.

    A measured range adds the way along it, in the ratio of the gains.
    """
    back = moved(measurement.origin, position, -1.0)
    off = applied(full(across(measurement.direction, 1.0)), back)
    if math.isfinite(measurement.distance):
        along = measurement.distance + dot(back, measurement.direction)
        off = moved(off, measurement.direction, along * min(1.0, gains.k_range / gains.k_bearing))
    return off


def towards(start: Vector, goal: Vector, share: float) -> Vector:
    """Return a vector moved towards another one by a share of the difference."""
    return moved(start, moved(goal, start, -1.0), share)


def mean_of(view: EstimatorView, hold: float) -> Mean:
    """Return the mean of the estimates received, each at the present, if not too old [s]."""
    count, age, position, velocity = 0, math.inf, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(view.count):
        r, f = view.others[k], FIELDS
        if r[f] != 0.0 and r[f + 1] + r[AGE] <= hold:
            there, rate = (r[f + 2], r[f + 3], r[f + 4]), (r[f + 5], r[f + 6], r[f + 7])
            position = moved(position, moved(there, rate, r[AGE]), 1.0)
            velocity = moved(velocity, rate, 1.0)
            count, age = count + 1, min(age, r[f + 1] + r[AGE])
    share = 1.0 / max(count, 1)
    nothing = (0.0, 0.0, 0.0)
    return Mean(count, age, moved(nothing, position, share), moved(nothing, velocity, share))


DEGHAT = make_estimator(step, NO_MESSAGE, NO_MESSAGE, DeghatParameters)
