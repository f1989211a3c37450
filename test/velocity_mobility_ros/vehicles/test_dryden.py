"""Dryden turbulence: length scales, intensities, and filters against the spectra."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.vehicles.dryden import next_second, second_gust, turbulence

FOOT = 0.3048
TAU = st.floats(1e-12, 100.0)


def test_length_scales_and_intensities_of_the_standard() -> None:
    """MIL-F-8785C, section 3.7: at 100 ft by its formula, at 1000 ft isotropic."""
    low, high = turbulence(100.0 * FOOT), turbulence(1000.0 * FOOT)
    assert low.vertical == pytest.approx(100.0 * FOOT)
    assert low.horizontal == pytest.approx(100.0 / 0.2593**1.2 * FOOT)
    assert low.ratio == pytest.approx(0.2593**-0.4)
    assert high == pytest.approx((1000.0 * FOOT, 1000.0 * FOOT, 1.0))


@pytest.mark.parametrize(('altitude', 'same_as'), [
    (0.0, 10.0), (-50.0, 10.0), (math.nan, 10.0), (2000.0, 1000.0), (math.inf, 1000.0),
])  # fmt: skip
def test_beyond_the_altitudes_of_the_model_its_bounds_hold(
    altitude: float, same_as: float
) -> None:
    assert turbulence(altitude) == pytest.approx(turbulence(same_as * FOOT))


def covariance(tau: float) -> tuple[np.ndarray, np.ndarray]:
    """Return transition and covariance of the noise of one step, from the step itself."""
    columns = [next_second(start, tau, 0.0, 0.0) for start in ((1.0, 0.0), (0.0, 1.0))]
    noise = [next_second((0.0, 0.0), tau, *n) for n in ((1.0, 0.0), (0.0, 1.0))]
    return np.array(columns).T, np.array(noise).T @ np.array(noise)


STATIONARY = np.array([[1.0, 0.5], [0.5, 0.5]])
"""Covariance of ``dx1 = -x1 dt + sqrt(2) dW``, ``dx2 = (x1 - x2) dt`` in the long run."""


@given(TAU)
def test_a_step_of_any_length_keeps_the_variance(tau: float) -> None:
    """The long-run covariance is a fixed point of the step: no drift, whatever the step."""
    transition, noise = covariance(tau)
    after = transition @ STATIONARY @ transition.T + noise
    assert np.abs(after - STATIONARY).max() < 1e-15


@given(TAU, TAU)
def test_two_steps_are_one(first: float, second: float) -> None:
    """The noise of both is that of one step of their length: the filter is exact."""
    a, p = covariance(first)
    b, q = covariance(second)
    c, r = covariance(first + second)
    assert np.abs(b @ a - c).max() < 1e-14
    assert np.abs(b @ p @ b.T + q - r).max() < 1e-15


@pytest.mark.parametrize('lag', [0.0, 0.1, 0.5, 1.0, 2.0, 4.0])
def test_the_autocorrelation_is_that_of_the_spectrum(lag: float) -> None:
    """Against the integral of the spectrum, (1 + 3 w^2)/(1 + w^2)^2, with the time in L/V."""
    transition, _ = covariance(lag)
    out = np.array([second_gust((1.0, 0.0)), second_gust((0.0, 1.0))])
    found = out @ transition @ STATIONARY @ out
    w = np.arange(0.0, 4000.0, 1e-3)
    density = (1.0 + 3.0 * w * w) / (1.0 + w * w) ** 2 / math.pi
    assert found == pytest.approx(np.trapezoid(density * np.cos(w * lag), w), abs=5e-4)
