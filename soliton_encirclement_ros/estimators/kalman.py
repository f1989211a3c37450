"""A distributed Kalman filter of the target's position and velocity.

Every agent has a Gaussian estimate in information form (``core.estimation.information``) and
broadcasts, at every tick, what it knew before its own measurement of that tick, and beside it
that measurement. Of the messages that come at the next tick it makes

    Omega = sum_j pi_j Omega_j  +  sum_j H_j^T R_j^-1 H_j      pi_j = 1 / (estimates received + 1)

and the same of the weighted states. The first sum, covariance intersection with equal weights,
never counts data twice, however the estimates depend on each other. The second one counts every
measurement of the last tick once, in full: none of the estimates contains it. With a radio that
loses nothing all agents hold the same estimate, that of a central filter one tick late.

A bearing d, measured at s, is linearised at the expected direction e and range r: the ray
s + t d meets the plane through the expected position across e at z, and the bearing has the
information

    J = (I - e e^T) / (sigma^2 r^2 + sigma_0^2)  [+ e e^T / (sigma_r^2 + sigma_0^2) with a range]

of the position z, with the deviation sigma_0 of the agent's own position. It says nothing about
the range: with d in place of e (the pseudo-linear form, used only where d is far from e) the noise
of d would draw the estimate towards the agent.

Sources: J. Liu, Y. Liu, K. Dong, Z. Ding, Y. He, A novel distributed state estimation algorithm
with consensus strategy, Sensors 19(9), 2019, doi 10.3390/s19092134 (priors and measurements of
the neighbours together, one exchange per step); Covariance-intersection-based distributed Kalman
filtering: stability problems revisited, arXiv 2504.05681, 2025 (covariance intersection); A new
pseudolinear filter for bearings-only tracking without requirement of bias compensation, Sensors
21(16), 2021, doi 10.3390/s21165444 (the bias of the pseudo-linear form).

The message of the Kalman filter of the target, and its contents.

A message is also the filter's memory: an agent knows at a tick what it has sent at the last one.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.estimation import (
    FIELDS, NO_ESTIMATE, Estimate, LawParameters, make_estimator, parameter
)
from soliton_encirclement_ros.core.estimation.estimator import (
    AGE, EstimatorView, TargetMeasurement
)
from soliton_encirclement_ros.core.estimation.information import (
    Change, Information, Matrix, Symmetric, across, added, along, dot, inverse, is_positive,
    isotropic, marginal, moved, of_position, plus, predicted, solved, weighted
)
from velocity_mobility_ros.core.velocity_model import Vector

Gains = Any
"""The parameters as numbers, and ``common``."""


class KalmanMessage(NamedTuple):
    """The estimate of an agent before its measurement of a tick, and that measurement.

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


NO_MESSAGE = KalmanMessage(*[0.0] * 39)


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


def belief_of(m: KalmanMessage) -> Belief:
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


def fix_of(row: KalmanMessage) -> Fix:
    """Return the measurement in a message."""
    j = Symmetric(row.j_xx, row.j_xy, row.j_xz, row.j_yy, row.j_yz, row.j_zz)
    is_there = j.xx + j.yy + j.zz > 0.0
    return Fix(is_there, j, (row.z_x, row.z_y, row.z_z), row.late)


def message_of(belief: Belief, fix: Fix) -> KalmanMessage:
    """Return the message of an estimate and a measurement."""
    (x, y, z), (vx, vy, vz), (a, b, c) = belief.position, belief.velocity, belief.information
    j, (zx, zy, zz) = fix.information, fix.position
    return KalmanMessage(
        1.0, belief.age, x, y, z, vx, vy, vz,
        a.xx, a.xy, a.xz, a.yy, a.yz, a.zz,
        b.x[0], b.x[1], b.x[2], b.y[0], b.y[1], b.y[2], b.z[0], b.z[1], b.z[2],
        c.xx, c.xy, c.xz, c.yy, c.yz, c.zz,
        j.xx, j.xy, j.xz, j.yy, j.yz, j.zz, zx, zy, zz, fix.age,
    )  # fmt: skip


def received(view: EstimatorView, k: int) -> KalmanMessage:
    """Return one of the messages that have come."""
    r, f = view.others[k], FIELDS
    return KalmanMessage(
        r[f], r[f + 1], r[f + 2], r[f + 3], r[f + 4], r[f + 5], r[f + 6], r[f + 7],
        r[f + 8], r[f + 9], r[f + 10], r[f + 11], r[f + 12], r[f + 13],
        r[f + 14], r[f + 15], r[f + 16], r[f + 17], r[f + 18], r[f + 19], r[f + 20], r[f + 21],
        r[f + 22], r[f + 23], r[f + 24], r[f + 25], r[f + 26], r[f + 27], r[f + 28],
        r[f + 29], r[f + 30], r[f + 31], r[f + 32], r[f + 33], r[f + 34],
        r[f + 35], r[f + 36], r[f + 37], r[f + 38],
    )  # fmt: skip


TRUSTED = 0.5
"""Least cosine of the angle between a bearing and the expected one at which the expected one is
where the measurement is linearised."""

SAME_TIME = 1e-6
"""Difference of ages [s] below which two messages are of one tick."""


@dataclass(frozen=True)
class KalmanParameters(LawParameters):
    """Noise of the target's motion, and assumptions before the first measurements."""

    acceleration_density: float = parameter(
        4.0, "power spectral density of the target's acceleration", unit='m^2/s^3', above=0.0
    )
    own_position_noise: float = parameter(
        0.1, "standard deviation of the agents' own positions", unit='m', above=0.0
    )
    first_range: float | None = parameter(
        None, 'range assumed with the first bearing; none: radius of the ring', unit='m', above=0.0
    )
    first_range_share: float = parameter(
        0.5, 'its standard deviation, share of it', above=0.0, maximum=10.0
    )
    first_speed: float = parameter(
        5.0, "standard deviation of the target's velocity before it is known, per axis",
        unit='m/s', above=0.0,
    )  # fmt: skip


class Sum(NamedTuple):
    """Sums over estimates and measurements, with the states relative to that of ``about``."""

    about: Belief
    age: float
    information: Information
    position: Vector
    velocity: Vector


def step(
    gains: Gains, memory: KalmanMessage, view: EstimatorView
) -> tuple[KalmanMessage, KalmanMessage, Estimate]:
    """Fuse the received estimates with that of the last tick, predict, and measure."""
    belief = fused(gains, memory, view)
    if belief.is_there:
        belief = after(belief, view.dt, gains.acceleration_density)
    if not belief.is_there or belief.age > gains.common.hold or not is_sound(belief):
        belief = first_belief(gains, view.measurement)
    if not belief.is_there:
        return NO_MESSAGE, NO_MESSAGE, NO_ESTIMATE
    message = message_of(belief, fix_from(gains, belief, view.measurement))
    return message, message, estimate_of(belief)


def estimate_of(belief: Belief) -> Estimate:
    """Return the estimate with its covariance."""
    covariance = inverse(marginal(belief.information))
    return Estimate(belief.position, belief.velocity, belief.age, covariance)


def is_sound(belief: Belief) -> bool:
    """Return whether an estimate is a Gaussian with finite numbers."""
    if not is_positive(belief.information.c) or not is_positive(marginal(belief.information)):
        return False
    reach = dot(belief.position, belief.position) + dot(belief.velocity, belief.velocity)
    return math.isfinite(reach) and math.isfinite(belief.age)


def fused(gains: Gains, memory: KalmanMessage, view: EstimatorView) -> Belief:
    """Return the estimate of the last tick, with all measurements of that tick."""
    own = belief_of(memory)
    about, count = own, 1 if own.is_there else 0
    for k in range(view.count):
        other = in_time(gains, received(view, k), view.others[k][AGE] - view.dt)
        if other.is_there:
            count += 1
            if not about.is_there:
                about = other
    if count == 0:
        return NO_BELIEF
    total = Sum(about, math.inf, NO_INFORMATION, NOTHING, NOTHING)
    if own.is_there:
        total = with_fix(with_belief(total, own, 1.0 / count), fix_of(memory), 0.0)
    for k in range(view.count):
        message, late = received(view, k), view.others[k][AGE] - view.dt
        other = in_time(gains, message, late)
        if other.is_there:
            total = with_belief(total, other, 1.0 / count)
            total = with_fix(total, fix_of(message), late)
    change = solved(total.information, total.position, total.velocity)
    if not change.is_there:
        return about
    return moved_belief(about, change, total)


def in_time(gains: Gains, message: KalmanMessage, late: float) -> Belief:
    """Return the estimate in a message, which is a time [s] older than the last tick, at that."""
    belief = belief_of(message)
    if not belief.is_there or late <= SAME_TIME:
        return belief
    return after(belief, late, gains.acceleration_density)


def after(belief: Belief, dt: float, density: float) -> Belief:
    """Return an estimate after a time [s]."""
    return Belief(
        belief.is_there, belief.age + dt, moved(belief.position, belief.velocity, dt),
        belief.velocity, predicted(belief.information, dt, density),
    )  # fmt: skip


def moved_belief(about: Belief, change: Change, total: Sum) -> Belief:
    """Return the estimate of a sum."""
    return Belief(
        True, total.age, moved(about.position, change.position, 1.0),
        moved(about.velocity, change.velocity, 1.0), total.information,
    )  # fmt: skip


def with_belief(total: Sum, belief: Belief, weight: float) -> Sum:
    """Return sums with one more estimate."""
    about = total.about
    p, v = weighted(
        belief.information, moved(belief.position, about.position, -1.0),
        moved(belief.velocity, about.velocity, -1.0),
    )  # fmt: skip
    return Sum(
        about, min(total.age, belief.age), added(total.information, belief.information, weight),
        moved(total.position, p, weight), moved(total.velocity, v, weight),
    )  # fmt: skip


def with_fix(total: Sum, fix: Fix, late: float) -> Sum:
    """Return sums with one more measurement, in a message that is a time [s] late."""
    if not fix.is_there:
        return total
    age = max(0.0, fix.age + late)
    information = of_position(fix.information, age)
    expected = moved(total.about.position, total.about.velocity, -age)
    p, v = weighted(information, moved(fix.position, expected, -1.0), NOTHING)
    return Sum(
        total.about, min(total.age, age), added(total.information, information, 1.0),
        moved(total.position, p, 1.0), moved(total.velocity, v, 1.0),
    )  # fmt: skip


def first_belief(gains: Gains, measurement: TargetMeasurement) -> Belief:
    """Return the initial estimate, made with the first bearing."""
    if not measurement.is_there:
        return NO_BELIEF
    known = math.isfinite(measurement.distance)
    assumed = gains.common.radius if math.isnan(gains.first_range) else gains.first_range
    reach = max(measurement.distance, gains.own_position_noise) if known else assumed
    deviation = max(gains.first_range_share * reach, gains.own_position_noise)
    information = Information(
        isotropic(1.0 / (deviation * deviation)), Matrix(NOTHING, NOTHING, NOTHING),
        isotropic(1.0 / (gains.first_speed * gains.first_speed)),
    )  # fmt: skip
    position = moved(measurement.origin, measurement.direction, reach)
    return Belief(True, measurement.age, position, NOTHING, information)


def fix_from(gains: Gains, belief: Belief, measurement: TargetMeasurement) -> Fix:
    """Return the measurement of a tick."""
    if not measurement.is_there:
        return NO_FIX
    then = moved(belief.position, belief.velocity, -measurement.age)
    offset = moved(then, measurement.origin, -1.0)
    expected = math.sqrt(dot(offset, offset))
    floor = gains.own_position_noise * gains.own_position_noise
    angle = gains.common.bearing_noise * expected
    line, cosine = measurement.direction, 1.0
    if dot(offset, line) > TRUSTED * expected:
        cosine = dot(offset, line) / expected
        line = offset[0] / expected, offset[1] / expected, offset[2] / expected
    information, reach = across(line, 1.0 / (angle * angle + floor)), expected / cosine
    if math.isfinite(measurement.distance):
        noise = gains.common.range_noise
        seen = along(line, 1.0 / (noise * noise + floor))
        information, reach = plus(information, seen), measurement.distance
    return Fix(True, information, moved(measurement.origin, measurement.direction, reach), measurement.age)


KALMAN = make_estimator(step, NO_MESSAGE, NO_MESSAGE, KalmanParameters)
