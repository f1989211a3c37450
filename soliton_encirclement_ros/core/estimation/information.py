"""A Gaussian estimate of position and velocity in information form, in blocks of 3 x 3.

    Omega = [[A, B], [B^T, C]] = P^-1

for the state (position, velocity) with covariance P. Information of independent measurements
adds up, and a state of which nothing is known has Omega = 0, so neither fusion nor a measurement
inverts P. Motion is at constant velocity with white noise of the acceleration.

Source: B. D. O. Anderson, J. B. Moore, Optimal Filtering, Prentice-Hall, 1979, section 6.3.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.core.estimation.symmetric import (
    Matrix,
    Symmetric,
    applied,
    full,
    inverse,
    is_positive,
    moved,
    plus,
    scaled,
    summed,
    times,
    transposed,
    upper,
)


class Information(NamedTuple):
    """The information matrix: of the position [1/m^2], of both [s/m^2], of the velocity."""

    a: Symmetric
    b: Matrix
    c: Symmetric


class Change(NamedTuple):
    """A step of position [m] and velocity [m/s], and whether there is one."""

    is_there: bool
    position: Vector
    velocity: Vector


def added(one: Information, other: Information, factor: float) -> Information:
    """Return ``one + factor other``."""
    return Information(
        plus(one.a, other.a, factor), summed(one.b, other.b, factor), plus(one.c, other.c, factor)
    )


def weighted(one: Information, position: Vector, velocity: Vector) -> tuple[Vector, Vector]:
    """Return the product of the matrix and a state."""
    return (
        moved(applied(full(one.a), position), applied(one.b, velocity), 1.0),
        moved(applied(transposed(one.b), position), applied(full(one.c), velocity), 1.0),
    )


def of_position(j: Symmetric, age: float) -> Information:
    """Return the information that a measurement of the position has [1/m^2] of the present state.

    The position was measured an age [s] ago, at ``position - age velocity``.
    """
    return Information(j, scaled(full(j), -age), plus(j, j, age * age - 1.0))


def solved(one: Information, p: Vector, v: Vector) -> Change:
    """Return the state whose product with the matrix is a right-hand side, by its blocks."""
    nothing = Change(False, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    if not is_positive(one.c):
        return nothing
    c = full(inverse(one.c))
    s = marginal(one)
    if not is_positive(s):
        return nothing
    position = applied(full(inverse(s)), moved(p, applied(one.b, applied(c, v)), -1.0))
    velocity = applied(c, moved(v, applied(transposed(one.b), position), -1.0))
    return Change(True, position, velocity)


def marginal(one: Information) -> Symmetric:
    """Return the inverse of the covariance of the position; the matrix C must be regular."""
    inner = times(times(one.b, full(inverse(one.c))), transposed(one.b))
    return plus(one.a, upper(inner), -1.0)


def predicted(one: Information, dt: float, density: float) -> Information:
    """Return the information after a time of motion with noise.

    With F = [[I, dt I], [0, I]], G = [dt^2 / 2 I; dt I] and the covariance W = density / dt I of
    the mean acceleration, the matrix inversion lemma gives, without any inverse of Omega,

        M = F^-T Omega F^-1          Omega' = M - M G (G^T M G + W^-1)^-1 G^T M

    Args:
        one: The information.
        dt: The time [s], above 0.
        density: Power spectral density of the acceleration [m^2/s^3], above 0.
    """
    b = summed(one.b, full(one.a), -dt)
    c = plus(one.c, upper(summed(one.b, transposed(one.b), 1.0)), -dt)
    c = plus(c, one.a, dt * dt)
    half = 0.5 * dt * dt
    up = summed(scaled(full(one.a), half), b, dt)
    uv = summed(scaled(transposed(b), half), full(c), dt)
    s = upper(summed(scaled(up, half), uv, dt))
    gain = Symmetric(dt / density, 0.0, 0.0, dt / density, 0.0, dt / density)
    inner = full(inverse(plus(s, gain)))
    pi, vi = times(up, inner), times(uv, inner)
    return Information(
        plus(one.a, upper(times(pi, transposed(up))), -1.0),
        summed(b, times(pi, transposed(uv)), -1.0),
        plus(c, upper(times(vi, transposed(uv))), -1.0),
    )
