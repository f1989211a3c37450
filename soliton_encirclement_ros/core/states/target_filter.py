"""Present motion of the target: extrapolated from its last state, or filtered over its reports.

Present motion of the target, extrapolated from its last received state.

MotionState of the target by a Kalman filter over its reports, which measures their noise itself.

A Singer model per axis: the acceleration is exponentially correlated, with standard deviation
sigma and correlation time tau_a. From one control period to the next, with rho = exp(-T / tau_a),

    a' = rho a + w        var w = sigma^2 (1 - rho^2)
    v' = v + b (a + w / rho)      b = tau_a (1 - rho)
    p' = p + T v + c (a + w / rho)     c = tau_a (T - b)

w acts from the beginning of the period, as the command of a vehicle does. A report of position and
velocity updates it; both axes share one covariance. The noise of the reports is measured
(``report_noise``), so exact reports are taken as they are and noisy ones are smoothed, without a
setting.

How far ahead the position is predicted depends on how hard the target turns. A pursuer needs its
acceleration for the target's own turns first; what is left of it can make up for the age of a
report. So the velocity is predicted over the whole age, the position over the share
``1 - a_rms / a_max``: all of it for a target that flies straight, next to nothing for one that
turns as hard as its pursuer can.

Noise of the target's reports, measured from what the filter of its motion did not expect.

The variances of the two noises are the mean square of the innovations less what the model expects
(Mehra 1970). A filter that has gone astray has large innovations, too; it would take its own error
for noise, and believe the reports less and less. So a variance is at most the mean square of the
change from one report to the next, which does not depend on the filter:

    (v_k - v_k-1)^2        (p_k - p_k-1 - dt (v_k + v_k-1) / 2)^2

White noise of variance R makes that 2 R, so the bound is never in the way of it.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.states.states import MotionState, moved
from velocity_mobility_ros.core.velocity_model import Vector

MEMORY = 50
"""Number of reports over which a variance is averaged."""


class ReportNoise(NamedTuple):
    """Estimated noise of the reports; all variances are those of one axis.

    Attributes:
        position: Measured variance of the reported position [m^2]; by chance below 0.
        velocity: The same of the velocity [m^2/s^2].
        position_change: Mean square change of the position that the velocities do not explain
            [m^2].
        velocity_change: Mean square change of the velocity [m^2/s^2].
        count: Number of reports in these.
        x: Position of the last report, east [m]; ``y`` north.
        vx: Its velocity [m/s].
    """

    position: float
    velocity: float
    position_change: float
    velocity_change: float
    count: float  # type: ignore[assignment]  # hides tuple.count
    x: float
    y: float
    vx: float
    vy: float


class ExpectedReport(NamedTuple):
    """A report as the filter expects it [m, m/s], and its variances [m^2, m^2/s^2]."""

    x: float
    y: float
    vx: float
    vy: float
    pp: float
    vv: float


UNMEASURED = ReportNoise(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def with_first_report(noise: ReportNoise, position: Vector, velocity: Vector) -> ReportNoise:
    """Return the noise as known so far, with a report [m, m/s] that nothing was expected of."""
    return ReportNoise(
        noise.position, noise.velocity, noise.position_change, noise.velocity_change,
        noise.count, position[0], position[1], velocity[0], velocity[1],
    )  # fmt: skip


def measured_noise(
    noise: ReportNoise, position: Vector, velocity: Vector, dt: float, expected: ExpectedReport
) -> ReportNoise:
    """Return the noise after one more report.

    Args:
        noise: The noise so far.
        position: Reported position [m, map].
        velocity: Reported velocity [m/s, map].
        dt: Time since the last report [s].
        expected: The filter's prediction.
    """
    count = min(noise.count + 1.0, float(MEMORY))
    of_position = _square(position[0] - expected.x, position[1] - expected.y) - expected.pp
    of_velocity = _square(velocity[0] - expected.vx, velocity[1] - expected.vy) - expected.vv
    half = 0.5 * dt
    position_change = _averaged(
        noise.position_change,
        _square(
            position[0] - noise.x - half * (velocity[0] + noise.vx),
            position[1] - noise.y - half * (velocity[1] + noise.vy),
        ),
        count,
    )
    velocity_change = _averaged(
        noise.velocity_change, _square(velocity[0] - noise.vx, velocity[1] - noise.vy), count
    )
    return ReportNoise(
        min(_averaged(noise.position, of_position, count), position_change),
        min(_averaged(noise.velocity, of_velocity, count), velocity_change),
        position_change, velocity_change, count,
        position[0], position[1], velocity[0], velocity[1],
    )  # fmt: skip


def _square(east: float, north: float) -> float:
    """Return the mean square of two components."""
    return 0.5 * (east * east + north * north)


def _averaged(mean: float, value: float, count: float) -> float:
    """Return a mean after one more value; ``count`` of them have a weight."""
    return mean + (value - mean) / count


NOT_YET = -1

TURN_MEMORY = 3.0
"""Time [s] over which the mean square of the acceleration is averaged."""

LEAST_VARIANCE = 1e-12
"""Below it a quantity is known exactly, and nothing is divided by it."""

SHORTEST_STEP = 1e-6
"""Two reports nearer than this [s] are one measurement, sent twice."""

LONGEST_STEP = 0.5
"""Two reports farther apart than this [s] begin anew."""


class TargetModel(NamedTuple):
    """Standard deviation [m/s^2] and correlation time [s] of the acceleration, the period [s]."""

    acceleration: float
    time: float
    period: float


class Covariance(NamedTuple):
    """Covariance of position, velocity and acceleration of one axis [m, m/s, m/s^2]."""

    pp: float
    pv: float
    pa: float
    vv: float
    va: float
    aa: float


class TargetEstimate(NamedTuple):
    """The filter after the last report.

    Attributes:
        seq: Number of that report, ``NOT_YET`` before the first.
        valid: When it was valid [s].
        x: Position, east [m]; ``y`` north.
        vx: Velocity [m/s].
        ax: Acceleration [m/s^2].
        covariance: Of either axis.
        noise: Of the reports.
        turning: Mean square of the acceleration [m^2/s^4].
    """

    seq: int
    valid: float
    x: float
    y: float
    vx: float
    vy: float
    ax: float
    ay: float
    covariance: Covariance
    noise: ReportNoise
    turning: float


KNOWN = Covariance(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
NO_ESTIMATE = TargetEstimate(NOT_YET, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, KNOWN, UNMEASURED, 0.0)


class Transition(NamedTuple):
    """Of a time: what is left of an acceleration, its part in the velocity and the position."""

    keep: float
    velocity: float
    position: float


def transition(dt: float, time: float) -> Transition:
    """Return how an acceleration of a correlation time [s] acts over a time [s]; 0 at least."""
    if dt < 0.0:
        dt = 0.0
    keep = math.exp(-dt / time)
    velocity = time * (1.0 - keep)
    return Transition(keep, velocity, time * (dt - velocity))


def updated_estimate(
    before: TargetEstimate, seq: int, position: Vector, velocity: Vector, valid: float,
    model: TargetModel,
) -> TargetEstimate:  # fmt: skip
    """Update the filter with the target's latest report.

    Args:
        before: The filter so far.
        seq: Sequence number of the report.
        position: Reported position [m, map].
        velocity: Reported velocity [m/s, map].
        valid: When the report was valid [s].
        model: The model of the motion.
    """
    dt = valid - before.valid
    if seq == before.seq or (before.seq != NOT_YET and abs(dt) <= SHORTEST_STEP):
        return before
    if before.seq == NOT_YET or not 0.0 < dt < LONGEST_STEP:
        return TargetEstimate(
            seq, valid, position[0], position[1], velocity[0], velocity[1], 0.0, 0.0, KNOWN,
            with_first_report(before.noise, position, velocity), before.turning,
        )  # fmt: skip
    steps = max(1, int(dt / model.period + 0.5))
    there = _moved(before, dt / steps, steps, model)
    x, y, vx, vy = there.x, there.y, there.vx, there.vy
    expected = ExpectedReport(x, y, vx, vy, there.covariance.pp, there.covariance.vv)
    noise = measured_noise(before.noise, position, velocity, dt, expected)
    there = _with_position(there, position, noise)
    there = _with_velocity(there, velocity, noise)
    square = there.ax * there.ax + there.ay * there.ay
    turning = before.turning + (1.0 - math.exp(-dt / TURN_MEMORY)) * (square - before.turning)
    return TargetEstimate(
        seq, valid, there.x, there.y, there.vx, there.vy, there.ax, there.ay, there.covariance,
        noise, turning,
    )  # fmt: skip


def estimated_motion(
    estimate: TargetEstimate, dt: float, time: float, max_acc: float
) -> MotionState:
    """Return the motion a time after the last report that a pursuer can follow, at the height 0.

    Args:
        estimate: The filter after that report.
        dt: The time [s].
        time: Correlation time of the acceleration [s], with which it decays.
        max_acc: Acceleration limit of the pursuer [m/s^2].
    """
    ahead = position_share(estimate, max_acc) * dt
    on, of_position = transition(dt, time), transition(ahead, time).position
    x = estimate.x + ahead * estimate.vx + of_position * estimate.ax
    y = estimate.y + ahead * estimate.vy + of_position * estimate.ay
    vx = estimate.vx + on.velocity * estimate.ax
    vy = estimate.vy + on.velocity * estimate.ay
    acceleration = on.keep * estimate.ax, on.keep * estimate.ay
    return MotionState((x, y, 0.0), (vx, vy, 0.0), acceleration)


def position_share(estimate: TargetEstimate, max_acc: float) -> float:
    """Return the share of the age over which the position is predicted, 0 to 1.

    Args:
        estimate: The filter.
        max_acc: Acceleration limit of the pursuer [m/s^2].
    """
    hardest = math.sqrt(estimate.turning)
    return 1.0 - hardest / max_acc if hardest < max_acc else 0.0


def _moved(start: TargetEstimate, dt: float, steps: int, model: TargetModel) -> TargetEstimate:
    """Return the filter some steps [s] later."""
    on = transition(dt, model.time)
    keep, b, c = on
    q = model.acceleration * model.acceleration * (1.0 - keep * keep)
    gv, gp = b / keep, c / keep
    x, y, vx, vy, ax, ay = start.x, start.y, start.vx, start.vy, start.ax, start.ay
    pp, pv, pa, vv, va, aa = start.covariance
    for _ in range(steps):
        x, y = x + dt * vx + c * ax, y + dt * vy + c * ay
        vx, vy = vx + b * ax, vy + b * ay
        ax, ay = keep * ax, keep * ay
        p_p, p_v, p_a = pp + dt * pv + c * pa, pv + dt * vv + c * va, pa + dt * va + c * aa
        v_v, v_a = vv + b * va, va + b * aa
        pp = p_p + dt * p_v + c * p_a + q * gp * gp
        pv = p_v + b * p_a + q * gp * gv
        pa = keep * p_a + q * gp
        vv = v_v + b * v_a + q * gv * gv
        va = keep * v_a + q * gv
        aa = keep * keep * aa + q
    return TargetEstimate(
        start.seq, start.valid, x, y, vx, vy, ax, ay, Covariance(pp, pv, pa, vv, va, aa),
        start.noise, start.turning,
    )  # fmt: skip


def _with_position(there: TargetEstimate, position: Vector, noise: ReportNoise) -> TargetEstimate:
    """Return the filter after a report of the position."""
    of = there.covariance
    error = position[0] - there.x, position[1] - there.y
    return _corrected(there, error, (of.pp, of.pv, of.pa), of.pp + max(noise.position, 0.0))


def _with_velocity(there: TargetEstimate, velocity: Vector, noise: ReportNoise) -> TargetEstimate:
    """Return the filter after a report of the velocity."""
    of = there.covariance
    error = velocity[0] - there.vx, velocity[1] - there.vy
    return _corrected(there, error, (of.pv, of.vv, of.va), of.vv + max(noise.velocity, 0.0))


def _corrected(
    there: TargetEstimate, error: tuple[float, float], column: Vector, variance: float
) -> TargetEstimate:
    """Return the filter after the innovation of one quantity.

    Args:
        there: The filter before.
        error: The innovation, east and north.
        column: Covariance of the quantity with position, velocity and acceleration.
        variance: Variance of the innovation.
    """
    if variance < LEAST_VARIANCE:
        return there
    pp, pv, pa, vv, va, aa = there.covariance
    (ex, ey), (cp, cv, ca) = error, column
    kp, kv, ka = cp / variance, cv / variance, ca / variance
    left = Covariance(
        pp - kp * cp, pv - kp * cv, pa - kp * ca, vv - kv * cv, va - kv * ca, aa - ka * ca
    )
    return TargetEstimate(
        there.seq, there.valid, there.x + kp * ex, there.y + kp * ey, there.vx + kv * ex,
        there.vy + kv * ey, there.ax + ka * ex, there.ay + ka * ey, left,
        there.noise, there.turning,
    )  # fmt: skip


MAX_STEP = 0.5
"""Two states farther apart than this [s] give no acceleration."""


def filtered_acceleration(
    ax: float,
    ay: float,
    velocity: Vector,
    before: Vector,
    dt: float,
    time_constant: float,
) -> tuple[float, float]:
    """Return the filtered acceleration [m/s^2] after a new velocity was reported.

    Args:
        ax: East acceleration so far [m/s^2].
        ay: North acceleration so far [m/s^2].
        velocity: The reported velocity [m/s].
        before: The velocity reported before [m/s].
        dt: Time between the two [s].
        time_constant: Of the filter [s].
    """
    if not SHORTEST_STEP < dt < MAX_STEP:
        return ax, ay
    gain = dt / (time_constant + dt)
    next_x = ax + gain * ((velocity[0] - before[0]) / dt - ax)
    next_y = ay + gain * ((velocity[1] - before[1]) / dt - ay)
    if math.isfinite(next_x) and math.isfinite(next_y):
        return next_x, next_y
    return ax, ay


class TargetTrack(NamedTuple):
    """The state that the acceleration was last computed from, and the resulting acceleration.

    ``seq`` is its number, ``NOT_YET`` before the first; ``valid`` [s] is when it was valid,
    ``vx`` and ``vy`` [m/s] are its velocity, ``ax`` and ``ay`` [m/s^2] the acceleration.
    """

    seq: int
    valid: float
    vx: float
    vy: float
    ax: float
    ay: float


NO_TRACK = TargetTrack(NOT_YET, 0.0, 0.0, 0.0, 0.0, 0.0)


def updated_track(
    track: TargetTrack, seq: int, velocity: Vector, valid: float, fresh: bool, time_constant: float
) -> TargetTrack:
    """Update the track with the target's latest state.

    Args:
        track: The track so far.
        seq: Sequence number of the state.
        velocity: Its velocity [m/s].
        valid: When the state was valid [s].
        fresh: Whether it still is; a lost target is assumed to keep its velocity.
        time_constant: Of the filter of the acceleration [s].
    """
    ax, ay = track.ax, track.ay
    if seq != track.seq and track.seq != NOT_YET:
        before = (track.vx, track.vy, 0.0)
        dt = valid - track.valid
        ax, ay = filtered_acceleration(ax, ay, velocity, before, dt, time_constant)
    if not fresh:
        ax = ay = 0.0
    if seq != track.seq:
        return TargetTrack(seq, valid, velocity[0], velocity[1], ax, ay)
    return TargetTrack(seq, track.valid, track.vx, track.vy, ax, ay)


def motion_of(track: TargetTrack, position: Vector, velocity: Vector, age: float) -> MotionState:
    """Return the present motion of the target: ``p + v t + a t^2 / 2`` from its last state.

    Args:
        track: The track of the target.
        position: Reported position [m].
        velocity: Reported velocity [m/s].
        age: Age of the report [s].
    """
    return moved(MotionState(position, velocity, (track.ax, track.ay)), age)
