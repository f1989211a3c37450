"""Check of arrival times before a flight: is there time to go from rest to rest on every leg?

A leg is the way from one timed vertex to the next. With A, J the smaller ones of both limits of
acceleration and jerk, V the largest speed and d the length of the leg, the shortest time is

    d >= V T_acc(V):   2 T_acc + (d - V T_acc) / V,  T_acc = V / A + A / J or 2 sqrt(V / J)
    d >= 2 A^3 / J^2:  2 (v / A + A / J),  v = (-A^2 / J + sqrt(A^4 / J^2 + 4 A d)) / 2
    else:              4 (d / (2 J))^(1/3)

Source: double S profile, Biagiotti and Melchiorri, Trajectory Planning for Automatic Machines and
Robots, 2008, section 3.4. The search over a grid of accelerations needs a little more than that.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.polyline.path import Polyline
from velocity_mobility_ros.core.polyline.queries import distance
from velocity_mobility_ros.core.polyline.records import FollowSettings, SpeedLimits

RESERVE = 0.05
"""Share of the shortest time that is kept in reserve."""

RESERVE_STEPS = 3.0
"""Steps that are kept in reserve."""


class Shortfall(NamedTuple):
    """A timed vertex that cannot be reached in time.

    Attributes:
        vertex: Its index, counted from 0.
        time: Its arrival time [s], as written.
        length: Length [m] of the leg that ends there.
        needed: Time [s] that the leg needs.
        available: Time [s] that there is.
    """

    vertex: int
    time: float
    length: float
    needed: float
    available: float

    def __str__(self) -> str:
        """Return one line that names the vertex, its time and what is missing."""
        return (
            f'vertex {self.vertex} at {self.time:g} s: {self.length:.3g} m from the one before '
            f'need {self.needed:.3g} s, there are {self.available:.3g} s, '
            f'{self.needed - self.available:.3g} s too few; give it more time or raise the limits'
        )


def acceleration_time(speed: float, acceleration: float, jerk: float) -> float:
    """Return the shortest time [s] from rest to a constant speed [m/s]."""
    if speed >= acceleration * acceleration / jerk:
        return speed / acceleration + acceleration / jerk
    return 2.0 * math.sqrt(speed / jerk)


def shortest_time(length: float, limits: SpeedLimits) -> float:
    """Return the shortest time [s] from rest to rest over a length [m]."""
    speed = limits.max_speed
    a = min(limits.max_acceleration, limits.max_deceleration)
    j = min(limits.acceleration_rate, limits.deceleration_rate)
    ramp = acceleration_time(speed, a, j)
    if length >= speed * ramp:
        return 2.0 * ramp + (length - speed * ramp) / speed
    if length >= 2.0 * a * a * a / (j * j):
        k = a * a / j
        peak = (-k + math.sqrt(k * k + 4.0 * a * length)) / 2.0
        return 2.0 * (peak / a + a / j)
    return 4.0 * math.exp(math.log(length / (2.0 * j)) / 3.0) if length > 0.0 else 0.0


def needed_time(length: float, settings: FollowSettings) -> float:
    """Return the time [s] for a leg of a length [m], with a reserve."""
    reserve = RESERVE_STEPS * settings.dt
    return shortest_time(length, settings.limits) * (1.0 + RESERVE) + reserve


def first_shortfall(path: Polyline, settings: FollowSettings, start: float) -> Shortfall | None:
    """Return the first timed vertex for which there is too little time, None if there is none.

    A leg after a timed vertex begins with the speed at which that is passed. So the last leg may
    be too short to stop in.

    Args:
        path: The polyline.
        settings: How it is followed.
        start: Time [s] of the start, at rest at the first vertex.
    """
    rows = path.vertices.tolist()
    is_relative = not math.isnan(path.base_time)
    length, before = 0.0, start
    for i in range(1, len(rows)):
        length += distance(tuple(rows[i - 1][:3]), tuple(rows[i][:3]))
        time = rows[i][3]
        if math.isnan(time):
            continue
        due = before + time if is_relative else time
        needed = needed_time(length, settings)
        if needed > due - before:
            return Shortfall(i, time, length, needed, due - before)
        length, before = 0.0, due
    return None
