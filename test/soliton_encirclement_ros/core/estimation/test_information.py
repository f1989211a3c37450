"""Gaussians in information form against the covariance form of NumPy."""

import numpy as np
import pytest
from soliton_encirclement_ros.core.estimation import information as info
from soliton_encirclement_ros.core.estimation.symmetric import Matrix, Symmetric, isotropic

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


@pytest.mark.parametrize('seed', range(10))
def test_a_prediction_is_that_of_the_covariance(seed):
    omega = random_information(seed)
    f = np.block([[np.eye(3), DT * np.eye(3)], [np.zeros((3, 3)), np.eye(3)]])
    g = np.vstack([0.5 * DT * DT * np.eye(3), DT * np.eye(3)])
    expected = np.linalg.inv(f @ np.linalg.inv(omega) @ f.T + DENSITY / DT * g @ g.T)
    assert np.allclose(dense(info.predicted(blocks(omega), DT, DENSITY)), expected)


@pytest.mark.parametrize('seed', range(10))
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
