"""The mean of what all agents think: a fixed distance along their last bearing."""

from dataclasses import dataclass
from typing import NamedTuple

from soliton_encirclement_ros.core.estimation import (
    FIELDS, NO_ESTIMATE, UNKNOWN, Estimate, LawParameters, make_estimator, parameter
)


@dataclass(frozen=True)
class Parameters(LawParameters):
    assumed_range: float = parameter(20.0, 'distance of the target', unit='m', above=0.0)


class Message(NamedTuple):
    known: float
    age: float
    x: float
    y: float
    z: float


NOTHING = Message(0.0, 0.0, 0.0, 0.0, 0.0)


def step(gains, memory, view):
    known, age, x, y, z = memory
    age += view.dt
    if view.measurement.is_there:
        d, s, r = view.measurement.direction, view.measurement.origin, gains.assumed_range
        known, age = 1.0, view.measurement.age
        x, y, z = s[0] + r * d[0], s[1] + r * d[1], s[2] + r * d[2]
    if known == 0.0 or age > gains.common.hold:
        return NOTHING, NOTHING, NO_ESTIMATE
    mine = Message(known, age, x, y, z)
    count, sx, sy, sz = 1, x, y, z
    for k in range(view.count):
        row = view.others[k]
        if row[FIELDS] != 0.0:
            count += 1
            sx, sy, sz = sx + row[FIELDS + 2], sy + row[FIELDS + 3], sz + row[FIELDS + 4]
    mean = (sx / count, sy / count, sz / count)
    return mine, mine, Estimate(mean, (0.0, 0.0, 0.0), age, UNKNOWN)


ESTIMATOR = make_estimator(step, NOTHING, NOTHING, Parameters)
