"""Small matrices against NumPy."""

import numpy as np
import pytest
from soliton_encirclement_ros.core.estimation import symmetric as s


def random_positive(rng: np.random.Generator) -> tuple[s.Symmetric, np.ndarray]:
    """Return a positive definite matrix in both forms."""
    root = rng.normal(size=(3, 3))
    a = root @ root.T + 0.1 * np.eye(3)
    return s.Symmetric(*(float(a[i, j]) for i in range(3) for j in range(i, 3))), a


def dense(a: s.Symmetric) -> np.ndarray:
    return np.array(s.full(a))


@pytest.mark.parametrize('seed', range(20))
def test_inverse_and_product_are_those_of_numpy(seed):
    rng = np.random.default_rng(seed)
    one, a = random_positive(rng)
    two, b = random_positive(rng)
    assert np.allclose(dense(s.inverse(one)), np.linalg.inv(a))
    assert np.allclose(np.array(s.times(s.full(one), s.full(two))), a @ b)
    assert np.allclose(s.determinant(one), np.linalg.det(a))
    assert s.is_positive(one)


def test_projections_add_up_to_the_unit_matrix():
    d = (0.6, 0.0, 0.8)
    assert np.allclose(dense(s.plus(s.along(d, 3.0), s.across(d, 3.0))), 3.0 * np.eye(3))
    assert s.applied(s.full(s.across(d, 1.0)), d) == pytest.approx((0.0, 0.0, 0.0))


@pytest.mark.parametrize('a', [
    s.isotropic(0.0), s.along((1.0, 0.0, 0.0), 1.0), s.across((0.6, 0.8, 0.0), 1.0),
    s.isotropic(float('nan')), s.Symmetric(1.0, 2.0, 0.0, 1.0, 0.0, 1.0),
])  # fmt: skip
def test_a_matrix_without_an_inverse_is_not_positive(a):
    assert not s.is_positive(a)
