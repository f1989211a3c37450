"""Small matrices and Gaussians in information form against NumPy."""

import numpy as np
import pytest

from soliton_encirclement_ros.core.estimation import information as info, information as s
from soliton_encirclement_ros.core.estimation.information import Matrix, Symmetric, isotropic

DT, DENSITY = 0.05, 4.0


def dense(one: info.Information) -> np.ndarray:
    a, c = (np.array([[m.xx, m.xy, m.xz], [m.xy, m.yy, m.yz], [m.xz, m.yz, m.zz]])
            for m in (one.a, one.c))  # fmt: skip
    b = np.array(one.b)
    return np.block([[a, b], [b.T, c]])


def blocks(omega: np.ndarray) -> info.Information:
    upper = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    a, b, c = omega[:3, :3], omega[:3, 3:], omega[3:, 3:]
    return info.Information(
        Symmetric(*(float(a[i]) for i in upper)),
        Matrix(*(tuple(map(float, row)) for row in b)),
        Symmetric(*(float(c[i]) for i in upper)),
    )


def random_information(seed: int) -> np.ndarray:
    root = np.random.default_rng(seed).normal(size=(6, 6))
    return root @ root.T + 0.1 * np.eye(6)


@pytest.mark.parametrize('seed', range(3))
def test_a_prediction_is_that_of_the_covariance(seed):
    omega = random_information(seed)
    f = np.block([[np.eye(3), DT * np.eye(3)], [np.zeros((3, 3)), np.eye(3)]])
    g = np.vstack([0.5 * DT * DT * np.eye(3), DT * np.eye(3)])
    expected = np.linalg.inv(f @ np.linalg.inv(omega) @ f.T + DENSITY / DT * g @ g.T)
    assert np.allclose(dense(info.predicted(blocks(omega), DT, DENSITY)), expected)


@pytest.mark.parametrize('seed', range(3))
def test_a_solution_and_a_marginal_are_those_of_numpy(seed):
    omega, state = random_information(seed), np.arange(1.0, 7.0)
    one = blocks(omega)
    found = info.solved(one, *info.weighted(one, tuple(state[:3]), tuple(state[3:])))
    assert found.is_there
    assert np.allclose([*found.position, *found.velocity], state)
    covariance = np.linalg.inv(omega)[:3, :3]
    m = info.marginal(one)
    assert np.allclose(np.linalg.inv(covariance)[0], [m.xx, m.xy, m.xz])


def test_an_old_measurement_of_the_position_tells_of_the_present_one():
    h = np.hstack([np.eye(3), -0.3 * np.eye(3)])
    assert np.allclose(dense(info.of_position(isotropic(5.0), 0.3)), 5.0 * h.T @ h)


def test_nothing_known_has_no_solution_and_stays_so():
    nothing = blocks(np.zeros((6, 6)))
    assert not info.solved(nothing, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)).is_there
    assert np.array_equal(dense(info.predicted(nothing, DT, DENSITY)), np.zeros((6, 6)))


def random_positive(rng: np.random.Generator) -> tuple[s.Symmetric, np.ndarray]:
    """Return a positive definite matrix in both forms."""
    root = rng.normal(size=(3, 3))
    a = root @ root.T + 0.1 * np.eye(3)
    return s.Symmetric(*(float(a[i, j]) for i in range(3) for j in range(i, 3))), a


@pytest.mark.parametrize('seed', range(3))
def test_inverse_and_product_are_those_of_numpy(seed):
    rng = np.random.default_rng(seed)
    one, a = random_positive(rng)
    two, b = random_positive(rng)
    assert np.allclose(np.array(s.full(s.inverse(one))), np.linalg.inv(a))
    assert np.allclose(np.array(s.times(s.full(one), s.full(two))), a @ b)
    assert np.allclose(s.determinant(one), np.linalg.det(a))
    assert s.is_positive(one)


def test_projections_add_up_to_the_unit_matrix():
    d = (0.6, 0.0, 0.8)
    assert np.allclose(
        np.array(s.full(s.plus(s.along(d, 3.0), s.across(d, 3.0)))), 3.0 * np.eye(3)
    )
    assert s.applied(s.full(s.across(d, 1.0)), d) == pytest.approx((0.0, 0.0, 0.0))


@pytest.mark.parametrize('a', [
    s.isotropic(0.0), s.along((1.0, 0.0, 0.0), 1.0), s.across((0.6, 0.8, 0.0), 1.0),
    s.isotropic(float('nan')), s.Symmetric(1.0, 2.0, 0.0, 1.0, 0.0, 1.0),
])  # fmt: skip
def test_a_matrix_without_an_inverse_is_not_positive(a):
    assert not s.is_positive(a)
