"""The descent: where scipy's solver ends, inside of bounds, from far and near."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from soliton_encirclement_ros.analysis.fit.descent import descend, gram, soft_cost

WIDE = np.full(3, -50.0), np.full(3, 50.0)
TIME = np.linspace(0.0, 4.0, 300)
TRUTH = np.array([2.0, 0.7, -1.0])


def decay(numbers):
    """A curve that is not linear in its numbers."""
    return numbers[0] * np.exp(-np.exp(numbers[1]) * TIME) + numbers[2]


def slopes(numbers):
    return np.stack([
        (decay(numbers + nudge) - decay(numbers - nudge)) / 2e-6 for nudge in 1e-6 * np.eye(3)
    ], axis=1)  # fmt: skip


def problem(seed, wild=0.05):
    chance = np.random.default_rng(seed)
    data = decay(TRUTH) + 0.1 * chance.standard_normal(len(TIME))
    data[chance.random(len(TIME)) < wild] += 5.0
    return lambda numbers: (decay(numbers) - data) / 0.1


@pytest.mark.parametrize('seed', range(5))
@pytest.mark.parametrize('start', [[1.0, 0.0, 0.0], [8.0, 2.0, 3.0]])
def test_it_ends_where_scipy_does(seed, start):
    residuals = problem(seed)
    found = descend(residuals, slopes, np.array(start), WIDE, 3.0, 200)
    theirs = least_squares(
        residuals, start, slopes, loss='soft_l1', f_scale=3.0, xtol=1e-12, ftol=1e-12, gtol=1e-12
    )
    assert found.numbers == pytest.approx(theirs.x, abs=3e-3)
    assert found.cost == pytest.approx(theirs.cost, rel=1e-5)
    assert found.cost == soft_cost(residuals(found.numbers), 3.0)


@pytest.mark.parametrize('seed', range(5))
@pytest.mark.parametrize('start', [[1.0, 0.0, 0.0], [8.0, 2.0, 3.0]])
def test_under_a_bound_it_ends_at_it_and_the_others_make_the_best_of_it(seed, start):
    residuals, high = problem(seed), np.array([1.9, 50.0, 50.0])
    found = descend(residuals, slopes, np.array(start), (WIDE[0], high), 3.0, 200)
    held = least_squares(
        lambda rest: residuals(np.array([1.9, *rest])), start[1:], loss='soft_l1', f_scale=3.0
    )
    assert found.numbers == pytest.approx([1.9, *held.x], abs=3e-3)
    assert found.cost == pytest.approx(held.cost, rel=1e-5)


def test_a_number_that_nothing_depends_on_stays():
    def residuals(numbers):
        return np.array([numbers[0] - 1.0, 2.0 * numbers[0]])

    flat = np.array([[1.0, 0.0], [2.0, 0.0]])
    bounds = np.full(2, -9.0), np.full(2, 9.0)
    found = descend(residuals, lambda numbers: flat, np.array([5.0, 4.0]), bounds, 1e3, 50)
    assert found.numbers == pytest.approx([0.2, 4.0], abs=1e-4)


def test_no_more_points_are_tried_than_allowed():
    residuals, tried = problem(1), []

    def counted(numbers):
        tried.append(1)
        return residuals(numbers)

    descend(counted, slopes, np.array([8.0, 2.0, 3.0]), WIDE, 3.0, 4)
    assert len(tried) == 4


def test_a_start_outside_of_the_bounds_is_brought_in():
    found = descend(problem(1), slopes, np.full(3, 99.0), (WIDE[0], TRUTH - 0.5), 3.0, 30)
    assert (found.numbers <= TRUTH - 0.5).all()


def test_gram_is_the_weighted_product():
    chance = np.random.default_rng(1)
    tall, weights = chance.standard_normal((50, 4)), chance.random(50)
    assert gram(tall, weights) == pytest.approx(tall.T @ np.diag(weights) @ tall)
