"""A Gaussian estimate of position and velocity in information form, in blocks of 3 x 3.

    Omega = [[A, B], [B^T, C]] = P^-1

for the state (position, velocity) with covariance P. Information of independent measurements
adds up, and a state of which nothing is known has Omega = 0, so neither fusion nor a measurement
inverts P. Motion is at constant velocity with white noise of the acceleration.

Source: B. D. O. Anderson, J. B. Moore, Optimal Filtering, Prentice-Hall, 1979, section 6.3.

The blocks are small matrices as records of numbers: symmetric ones, and any by rows.
"""

from typing import NamedTuple

from velocity_mobility_ros.core.velocity_model import Vector


class Symmetric(NamedTuple):
    """A symmetric matrix of 3 x 3: its upper triangle, row by row."""

    xx: float
    xy: float
    xz: float
    yy: float
    yz: float
    zz: float


class Matrix(NamedTuple):
    """A matrix of 3 x 3: its rows."""

    x: Vector
    y: Vector
    z: Vector


def isotropic(value: float) -> Symmetric:
    """Return a multiple of the unit matrix."""
    return Symmetric(value, 0.0, 0.0, value, 0.0, value)


def along(d: Vector, value: float) -> Symmetric:
    """Return ``value d d^T``."""
    x, y, z = d
    return Symmetric(
        value * x * x, value * x * y, value * x * z, value * y * y, value * y * z, value * z * z
    )


def across(d: Vector, value: float) -> Symmetric:
    """Return ``value (I - d d^T)``: the projection across a unit vector, scaled."""
    x, y, z = d
    return Symmetric(
        value * (1.0 - x * x), -value * x * y, -value * x * z,
        value * (1.0 - y * y), -value * y * z, value * (1.0 - z * z),
    )  # fmt: skip


def plus(a: Symmetric, b: Symmetric, factor: float = 1.0) -> Symmetric:
    """Return ``a + factor b``."""
    return Symmetric(
        a.xx + factor * b.xx, a.xy + factor * b.xy, a.xz + factor * b.xz,
        a.yy + factor * b.yy, a.yz + factor * b.yz, a.zz + factor * b.zz,
    )  # fmt: skip


def full(a: Symmetric) -> Matrix:
    """Return a symmetric matrix as rows."""
    return Matrix((a.xx, a.xy, a.xz), (a.xy, a.yy, a.yz), (a.xz, a.yz, a.zz))


def upper(a: Matrix) -> Symmetric:
    """Return the symmetric matrix of which the rows are the upper triangle."""
    return Symmetric(a.x[0], a.x[1], a.x[2], a.y[1], a.y[2], a.z[2])


def transposed(a: Matrix) -> Matrix:
    """Return the transpose."""
    return Matrix((a.x[0], a.y[0], a.z[0]), (a.x[1], a.y[1], a.z[1]), (a.x[2], a.y[2], a.z[2]))


def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def moved(a: Vector, b: Vector, factor: float) -> Vector:
    """Return ``a + factor b``."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


def summed(a: Matrix, b: Matrix, factor: float) -> Matrix:
    """Return ``a + factor b``."""
    return Matrix(moved(a.x, b.x, factor), moved(a.y, b.y, factor), moved(a.z, b.z, factor))


def scaled(a: Matrix, factor: float) -> Matrix:
    """Return ``factor a``."""
    zero = Matrix((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return summed(zero, a, factor)


def times(a: Matrix, b: Matrix) -> Matrix:
    """Return the product ``a b``."""
    c = transposed(b)
    return Matrix(applied(c, a.x), applied(c, a.y), applied(c, a.z))


def applied(a: Matrix, v: Vector) -> Vector:
    """Return the product ``a v``."""
    return dot(a.x, v), dot(a.y, v), dot(a.z, v)


def determinant(a: Symmetric) -> float:
    """Return the determinant."""
    return (
        a.xx * (a.yy * a.zz - a.yz * a.yz)
        - a.xy * (a.xy * a.zz - a.yz * a.xz)
        + a.xz * (a.xy * a.yz - a.yy * a.xz)
    )


def inverse(a: Symmetric) -> Symmetric:
    """Return the inverse of a positive definite matrix; check ``is_positive`` before."""
    f = 1.0 / determinant(a)
    return Symmetric(
        f * (a.yy * a.zz - a.yz * a.yz), f * (a.xz * a.yz - a.xy * a.zz),
        f * (a.xy * a.yz - a.xz * a.yy), f * (a.xx * a.zz - a.xz * a.xz),
        f * (a.xy * a.xz - a.xx * a.yz), f * (a.xx * a.yy - a.xy * a.xy),
    )  # fmt: skip


LEAST = 1e-12
"""Smallest ratio of a determinant to that of the diagonal at which a matrix is not singular."""


def is_positive(a: Symmetric) -> bool:
    """Return whether a matrix is positive definite, and not nearly singular."""
    if not (a.xx > 0.0 and a.yy > 0.0 and a.zz > 0.0 and a.xx * a.yy > a.xy * a.xy):
        return False
    return determinant(a) > LEAST * a.xx * a.yy * a.zz


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


def added(first: Information, second: Information, factor: float) -> Information:
    """Return ``first + factor second``."""
    return Information(
        plus(first.a, second.a, factor),
        summed(first.b, second.b, factor),
        plus(first.c, second.c, factor),
    )


def weighted(info: Information, position: Vector, velocity: Vector) -> tuple[Vector, Vector]:
    """Return the product of the matrix and a state."""
    return (
        moved(applied(full(info.a), position), applied(info.b, velocity), 1.0),
        moved(applied(transposed(info.b), position), applied(full(info.c), velocity), 1.0),
    )


def of_position(j: Symmetric, age: float) -> Information:
    """Return the information that a measurement of the position has [1/m^2] of the present state.

    The position was measured an age [s] ago, at ``position - age velocity``.
    """
    return Information(j, scaled(full(j), -age), plus(j, j, age * age - 1.0))


def solved(info: Information, p: Vector, v: Vector) -> Change:
    """Return the state whose product with the matrix is a right-hand side, by its blocks."""
    nothing = Change(False, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    if not is_positive(info.c):
        return nothing
    c = full(inverse(info.c))
    s = marginal(info)
    if not is_positive(s):
        return nothing
    position = applied(full(inverse(s)), moved(p, applied(info.b, applied(c, v)), -1.0))
    velocity = applied(c, moved(v, applied(transposed(info.b), position), -1.0))
    return Change(True, position, velocity)


def marginal(info: Information) -> Symmetric:
    """Return the inverse of the covariance of the position; the matrix C must be regular."""
    inner = times(times(info.b, full(inverse(info.c))), transposed(info.b))
    return plus(info.a, upper(inner), -1.0)


def predicted(info: Information, dt: float, density: float) -> Information:
    """Return the information after a time of motion with noise.

    With F = [[I, dt I], [0, I]], G = [dt^2 / 2 I; dt I] and the covariance W = density / dt I of
    the mean acceleration, the matrix inversion lemma gives, without any inverse of Omega,

        M = F^-T Omega F^-1          Omega' = M - M G (G^T M G + W^-1)^-1 G^T M

    Args:
        info: The information.
        dt: The time [s], above 0.
        density: Power spectral density of the acceleration [m^2/s^3], above 0.
    """
    b = summed(info.b, full(info.a), -dt)
    c = plus(info.c, upper(summed(info.b, transposed(info.b), 1.0)), -dt)
    c = plus(c, info.a, dt * dt)
    half = 0.5 * dt * dt
    up = summed(scaled(full(info.a), half), b, dt)
    uv = summed(scaled(transposed(b), half), full(c), dt)
    s = upper(summed(scaled(up, half), uv, dt))
    gain = Symmetric(dt / density, 0.0, 0.0, dt / density, 0.0, dt / density)
    inner = full(inverse(plus(s, gain)))
    pi, vi = times(up, inner), times(uv, inner)
    return Information(
        plus(info.a, upper(times(pi, transposed(up))), -1.0),
        summed(b, times(pi, transposed(uv)), -1.0),
        plus(c, upper(times(vi, transposed(uv))), -1.0),
    )
