"""The message of the Kalman filter of the target, and what is in it.

A message is also the filter's memory: an agent knows at a tick what it has sent at the last one.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.estimation import FIELDS
from soliton_encirclement_ros.core.estimation.estimator import EstimatorView
from soliton_encirclement_ros.core.estimation.information import Information
from soliton_encirclement_ros.core.estimation.symmetric import Matrix, Symmetric


class Message(NamedTuple):
    """What an agent knew before its measurement of a tick, and that measurement.

    ``x`` to ``vz`` is the state [m, m/s, map]; ``a``, ``b`` and ``c`` are the blocks of its
    information; ``age`` [s] is that of the youngest measurement in it. ``known`` is 1 if all this
    has a meaning. The measurement has the information ``j`` [1/m^2], 0 if there is none, of the
    position ``z`` [m, map]; ``late`` [s] is its age.
    """

    known: float
    age: float
    x: float
    y: float
    z: float
    vx: float
    vy: float
    vz: float
    a_xx: float
    a_xy: float
    a_xz: float
    a_yy: float
    a_yz: float
    a_zz: float
    b_xx: float
    b_xy: float
    b_xz: float
    b_yx: float
    b_yy: float
    b_yz: float
    b_zx: float
    b_zy: float
    b_zz: float
    c_xx: float
    c_xy: float
    c_xz: float
    c_yy: float
    c_yz: float
    c_zz: float
    j_xx: float
    j_xy: float
    j_xz: float
    j_yy: float
    j_yz: float
    j_zz: float
    z_x: float
    z_y: float
    z_z: float
    late: float


NO_MESSAGE = Message(*[0.0] * 39)


class Belief(NamedTuple):
    """A Gaussian estimate [m, m/s, map], and the age of the youngest measurement in it [s]."""

    is_there: bool
    age: float
    position: Vector
    velocity: Vector
    information: Information


class Fix(NamedTuple):
    """A measurement: information [1/m^2] of a position [m, map], and its age [s]."""

    is_there: bool
    information: Symmetric
    position: Vector
    age: float


NOTHING: Vector = (0.0, 0.0, 0.0)
NO_INFORMATION = Information(
    Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), Matrix(NOTHING, NOTHING, NOTHING),
    Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
)  # fmt: skip
NO_BELIEF = Belief(False, math.inf, NOTHING, NOTHING, NO_INFORMATION)
NO_FIX = Fix(False, Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), NOTHING, 0.0)


def belief_of(m: Message) -> Belief:
    """Return the estimate in a message."""
    return Belief(
        m.known != 0.0, m.age, (m.x, m.y, m.z), (m.vx, m.vy, m.vz),
        Information(
            Symmetric(m.a_xx, m.a_xy, m.a_xz, m.a_yy, m.a_yz, m.a_zz),
            Matrix(
                (m.b_xx, m.b_xy, m.b_xz), (m.b_yx, m.b_yy, m.b_yz), (m.b_zx, m.b_zy, m.b_zz)
            ),
            Symmetric(m.c_xx, m.c_xy, m.c_xz, m.c_yy, m.c_yz, m.c_zz),
        ),
    )  # fmt: skip


def fix_of(row: Message) -> Fix:
    """Return the measurement in a message."""
    j = Symmetric(row.j_xx, row.j_xy, row.j_xz, row.j_yy, row.j_yz, row.j_zz)
    is_there = j.xx + j.yy + j.zz > 0.0
    return Fix(is_there, j, (row.z_x, row.z_y, row.z_z), row.late)


def message_of(belief: Belief, fix: Fix) -> Message:
    """Return the message of an estimate and a measurement."""
    (x, y, z), (vx, vy, vz), (a, b, c) = belief.position, belief.velocity, belief.information
    j, (zx, zy, zz) = fix.information, fix.position
    return Message(
        1.0, belief.age, x, y, z, vx, vy, vz,
        a.xx, a.xy, a.xz, a.yy, a.yz, a.zz,
        b.x[0], b.x[1], b.x[2], b.y[0], b.y[1], b.y[2], b.z[0], b.z[1], b.z[2],
        c.xx, c.xy, c.xz, c.yy, c.yz, c.zz,
        j.xx, j.xy, j.xz, j.yy, j.yz, j.zz, zx, zy, zz, fix.age,
    )  # fmt: skip


def received(view: EstimatorView, k: int) -> Message:
    """Return one of the messages that have come."""
    r, f = view.others[k], FIELDS
    return Message(
        r[f], r[f + 1], r[f + 2], r[f + 3], r[f + 4], r[f + 5], r[f + 6], r[f + 7],
        r[f + 8], r[f + 9], r[f + 10], r[f + 11], r[f + 12], r[f + 13],
        r[f + 14], r[f + 15], r[f + 16], r[f + 17], r[f + 18], r[f + 19], r[f + 20], r[f + 21],
        r[f + 22], r[f + 23], r[f + 24], r[f + 25], r[f + 26], r[f + 27], r[f + 28],
        r[f + 29], r[f + 30], r[f + 31], r[f + 32], r[f + 33], r[f + 34],
        r[f + 35], r[f + 36], r[f + 37], r[f + 38],
    )  # fmt: skip
