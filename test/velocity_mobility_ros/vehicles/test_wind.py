"""Turbulence by the standard, and the wind of one body: mean, gusts, heights, seeds."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.vehicles.quadrotor.quadrotor import next_air
from velocity_mobility_ros.vehicles.wind import (
    LEAST_AIRSPEED, WindCoefficients, WindParameters, calm, next_second, next_wind, second_gust,
    turbulence, wind_coefficients, wind_velocity
)

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


EAST, NORTH, UP = 3.0, 4.0, -0.5
GUSTY = WindParameters(wind_east=EAST, wind_north=NORTH, wind_up=UP, gust_intensity=1.5)
ALTITUDE, AIRSPEED = 40.0, 8.0
STEPS = 400_000


def blow(
    model: WindCoefficients,
    seed: int,
    altitude: float,
    airspeed: float,
    dt: float,
    out: np.ndarray,
) -> None:
    """Fill rows with the wind of a body."""
    state = calm(seed)
    for k in range(len(out)):
        state = next_wind(model, state, altitude, airspeed, dt)
        out[k, 0], out[k, 1], out[k, 2] = wind_velocity(model, state)


def gusts(dt: float, seed: int = 0, parameters: WindParameters = GUSTY) -> np.ndarray:
    """Return gusts along the wind, across it and upwards; the first minute is left out."""
    model, out = wind_coefficients(parameters), np.zeros((STEPS, 3))
    compiled(blow)(model, seed, ALTITUDE, AIRSPEED, dt, out)
    east, north, up = (out - model.mean)[round(60.0 / dt) :].T
    return np.array([0.6 * east + 0.8 * north, 0.6 * north - 0.8 * east, up])


AIR = turbulence(ALTITUDE)
TIMES = np.array([AIR.horizontal, AIR.horizontal, AIR.vertical]) / AIRSPEED
SIGMAS = 1.5 * np.array([AIR.ratio, AIR.ratio, 1.0])


def expected(lag: float) -> np.ndarray:
    """Return the autocorrelations of the three parts at a lag [s], those of the spectra."""
    x = lag / TIMES
    return np.exp(-x) * (1.0 - np.array([0.0, 0.5, 0.5]) * x)


def errors(dt: float, count: int) -> np.ndarray:
    """Return bounds of the standard error of variances and covariances over variance.

    Bartlett's formula: at most the root of 2/N times the sum of all squared correlations.
    """
    rho = np.array([expected(k * dt) for k in range(round(30.0 * TIMES.max() / dt) + 1)])
    return np.sqrt(2.0 / count * (2.0 * (rho * rho).sum(axis=0) - 1.0))


@pytest.mark.parametrize('dt', [0.05, 0.5, 10.0, 100.0])
def test_gusts_have_the_statistics_of_the_standard_whatever_the_step(dt: float) -> None:
    """Mean, variance, and correlation over time, within four standard errors."""
    found = gusts(dt)
    error = errors(dt, found.shape[1])
    means = found.mean(axis=1) / SIGMAS
    sums = 1.0 + 2.0 * sum(expected(k * dt) for k in range(1, round(30.0 * TIMES.max() / dt) + 1))
    assert (np.abs(means) < 4.0 * np.sqrt(sums / found.shape[1])).all()
    for lag in (0.0, 0.5, 2.0, 10.0, 20.0):
        steps = round(lag / dt)
        if steps * dt == pytest.approx(lag):
            pairs = found[:, steps:], found[:, : found.shape[1] - steps]
            correlation = (pairs[0] * pairs[1]).mean(axis=1) / SIGMAS**2
            assert (np.abs(correlation - expected(lag)) < 4.0 * error).all()


def test_the_three_parts_are_independent() -> None:
    """At the same time; correlations over time lengthen the standard error."""
    found = gusts(0.5)
    error = errors(0.5, found.shape[1]).max()
    assert np.abs(np.corrcoef(found) - np.eye(3)).max() < 4.0 * error


@pytest.mark.parametrize(('seed', 'gust_seed'), [(1, 0), (0, 1), (0, LARGEST_SEED)])
def test_other_seeds_give_independent_gusts(seed: int, gust_seed: int) -> None:
    """The seed of the body as well as that of all gusts."""
    parameters = WindParameters(EAST, NORTH, UP, 1.5, gust_seed)
    one, other = gusts(0.5), gusts(0.5, seed, parameters)
    error = errors(0.5, one.shape[1]).max()
    assert max(abs(np.corrcoef(x, y)[0, 1]) for x in one for y in other) < 4.0 * error


def test_the_same_seeds_give_the_same_bits_compiled_or_not() -> None:
    """A run can be repeated, and node and engine agree."""
    model = wind_coefficients(GUSTY)
    for seed, dt in ((0, 0.01), (3, 0.01), (LARGEST_SEED, 7.0)):
        plain, again, fast = (np.zeros((1000, 3)) for _ in range(3))
        blow(model, seed, ALTITUDE, AIRSPEED, dt, plain)
        blow(model, seed, ALTITUDE, AIRSPEED, dt, again)
        compiled(blow)(model, seed, ALTITUDE, AIRSPEED, dt, fast)
        assert np.array_equal(plain, again) and np.array_equal(plain, fast)
        assert np.ptp(plain, axis=0).min() > 0.1


def test_without_gusts_the_wind_is_exactly_the_mean() -> None:
    """No random number is taken."""
    model, state = wind_coefficients(WindParameters(0.1, 0.2, 0.3)), calm(3)
    for _ in range(10):
        state = next_wind(model, state, ALTITUDE, AIRSPEED, 0.01)
        assert wind_velocity(model, state) == (0.1, 0.2, 0.3)
    assert state == calm(3)


def test_gusts_that_are_switched_off_leave_nothing() -> None:
    """The intensity may change while a vehicle flies; the numbers go on."""
    model, off, state = wind_coefficients(GUSTY), wind_coefficients(WindParameters()), calm(3)
    for _ in range(10):
        state = next_wind(model, state, ALTITUDE, AIRSPEED, 0.5)
    stopped = next_wind(off, state, ALTITUDE, AIRSPEED, 0.5)
    assert wind_velocity(off, stopped) == (0.0, 0.0, 0.0)
    assert stopped.count == state.count == 30


def test_begins_calm_and_scales_with_the_intensity() -> None:
    """The same numbers, twice as strong; the first centisecond brings little."""
    weak, strong = WindParameters(gust_intensity=1.0), WindParameters(gust_intensity=2.0)
    one, other = (
        next_wind(wind_coefficients(p), calm(1), ALTITUDE, AIRSPEED, 0.01) for p in (weak, strong)
    )
    assert other.gust == pytest.approx([2.0 * x for x in one.gust])
    assert 0.0 < max(map(abs, one.gust)) < 0.5


@pytest.mark.parametrize('airspeed', [0.0, LEAST_AIRSPEED, math.nan])
def test_a_hovering_body_meets_gusts_in_a_calm(airspeed: float) -> None:
    model = wind_coefficients(WindParameters(gust_intensity=1.0))
    least = next_wind(model, calm(1), ALTITUDE, LEAST_AIRSPEED, 0.1)
    assert next_wind(model, calm(1), ALTITUDE, airspeed, 0.1) == least


def test_a_row_of_floats_holds_it_exactly() -> None:
    """As the engine stores it, counter and seed included, up to the largest."""
    state = next_wind(wind_coefficients(GUSTY), calm(LARGEST_SEED), ALTITUDE, AIRSPEED, 0.1)
    late = state._replace(count=LARGEST_SEED - 3)
    found = packing(calm(0))
    row = np.zeros(found.size)
    found.pack(late, row)
    assert found.unpack(row) == late


@pytest.mark.parametrize(('values', 'said'), [
    ({'gust_intensity': -1.0}, 'gust_intensity = -1.0 must be at least 0 and at most 20 m/s'),
    ({'wind_up': 101.0}, 'wind_up = 101.0 must be at least -100 and at most 100 m/s'),
    ({'gust_seed': -1}, 'gust_seed = -1 must be at least 0'),
])  # fmt: skip
def test_impossible_winds_are_refused(values: dict[str, float], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        WindParameters(**values)


MEANS = wind_coefficients(WindParameters(wind_east=4.0, gust_intensity=1.5))


def test_height_counts_from_the_ground_and_speed_from_the_air() -> None:
    """As the gusts want them."""
    air = next_wind(MEANS, calm(3), 30.0, 5.0, 1.0)
    gust = air.gust
    for ground, height in ((math.nan, 120.0), (100.0, 20.0)):
        found = next_air(MEANS, air, (0.0, 0.0, 120.0), (4.0, 3.0, 0.0), ground, 0.01)
        speed = math.sqrt(gust[0] ** 2 + (3.0 - gust[1]) ** 2 + gust[2] ** 2)
        assert found.count == next_wind(MEANS, air, height, speed, 0.01).count
        assert math.dist(found.gust, next_wind(MEANS, air, height, speed, 0.01).gust) < 1e-9
