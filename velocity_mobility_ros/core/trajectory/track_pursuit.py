"""The command of a vehicle that follows the rows of a virtual leader.

    leader near:      i' = i + 1,  velocity = v_next + lag (v_next - v) / dt + k (p - position)
    beyond the leash: i' = i,      velocity = k (p - position)

p and v are those of row i', v_next that of the row after it, see ``guidance.py``. ``Pursuit`` does
the same for a leader whose path may be replaced, and which therefore has no rows.
"""

from typing import Any, NamedTuple

from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.polyline.queries import distance
from velocity_mobility_ros.core.trajectory.guidance import follow_velocity, made_up


class TrackGuidance(NamedTuple):
    """How a vehicle follows a leader.

    Attributes:
        gain: Speed per distance from the leader [1/s].
        leash: Distance from the leader [m] at which it waits.
        lag_xy: Lag of the vehicle's horizontal velocity [s].
        lag_z: Lag of its vertical velocity [s].
        dt: Time between two commands [s].
    """

    gain: float
    leash: float
    lag_xy: float
    lag_z: float
    dt: float


def pursued(rows: Any, i: int, position: Vector, guidance: TrackGuidance) -> tuple[int, Vector]:
    """Return the leader's row and the commanded velocity [m/s, map].

    Args:
        rows: The leader; float64 array, (n, 6).
        i: Its row at the last command; 0 at the start.
        position: Position of the vehicle [m].
        guidance: How it is followed.
    """
    place = row_place(rows[i])
    if distance(place, position) > guidance.leash:
        return i, follow_velocity(place, (0.0, 0.0, 0.0), position, guidance.gain)
    last = len(rows) - 1
    i = min(i + 1, last)
    v, after = row_velocity(rows[i]), row_velocity(rows[min(i + 1, last)])
    ahead = made_up(v, after, guidance.lag_xy / guidance.dt, guidance.lag_z / guidance.dt)
    return i, follow_velocity(row_place(rows[i]), ahead, position, guidance.gain)


def row_place(row: Any) -> Vector:
    """Return the position [m] in a row."""
    return float(row[0]), float(row[1]), float(row[2])


def row_velocity(row: Any) -> Vector:
    """Return the velocity [m/s] in a row."""
    return float(row[3]), float(row[4]), float(row[5])
