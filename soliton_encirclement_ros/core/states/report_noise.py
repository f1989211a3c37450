"""Noise of the target's reports, measured from what the filter of its motion did not expect.

The variances of the two noises are the mean square of the innovations less what the model expects
(Mehra 1970). A filter that has gone astray has large innovations, too; it would take its own error
for noise, and believe the reports less and less. So a variance is at most the mean square of the
change from one report to the next, which does not depend on the filter:

    (v_k - v_k-1)^2        (p_k - p_k-1 - dt (v_k + v_k-1) / 2)^2

White noise of variance R makes that 2 R, so the bound is never in the way of it.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

MEMORY = 50
"""Number of reports over which a variance is averaged."""


class ReportNoise(NamedTuple):
    """What is known of the noise; all variances are those of one axis.

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
    count: float
    x: float
    y: float
    vx: float
    vy: float


class Expected(NamedTuple):
    """A report as the filter expects it [m, m/s], and its variances [m^2, m^2/s^2]."""

    x: float
    y: float
    vx: float
    vy: float
    pp: float
    vv: float


UNMEASURED = ReportNoise(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def begun_with(noise: ReportNoise, position: Vector, velocity: Vector) -> ReportNoise:
    """Return the noise as known so far, with a report [m, m/s] that nothing was expected of."""
    return ReportNoise(
        noise.position, noise.velocity, noise.position_change, noise.velocity_change,
        noise.count, position[0], position[1], velocity[0], velocity[1],
    )  # fmt: skip


def measured_noise(
    noise: ReportNoise, position: Vector, velocity: Vector, dt: float, expected: Expected
) -> ReportNoise:
    """Return the noise after one more report.

    Args:
        noise: The noise so far.
        position: Reported position [m, map].
        velocity: Reported velocity [m/s, map].
        dt: Time since the last report [s].
        expected: What the filter expected.
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
