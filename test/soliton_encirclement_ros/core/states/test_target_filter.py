"""Kalman filter of the target: against a textbook one, on exact and on noisy reports."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from soliton_encirclement_ros.core.states.target_filter import (
    LONGEST_STEP, NO_ESTIMATE, TargetEstimate, TargetModel, estimated_motion, position_share,
    transition, updated_estimate
)

PERIOD = 0.05
MODEL = TargetModel(4.0, 0.5, PERIOD)
MAX_ACC = 4.0
"""Acceleration limit of the pursuer [m/s^2]."""


def after(reports, model=MODEL, ticks=None) -> TargetEstimate:
    """Return the filter after reports: rows of x, y, vx, vy, at the ticks given."""
    estimate = NO_ESTIMATE
    for k, (x, y, vx, vy) in zip(ticks or range(len(reports)), reports, strict=True):
        estimate = updated_estimate(estimate, k, (x, y, 0.0), (vx, vy, 0.0), k * PERIOD, model)
    return estimate


def wandering(ticks: int, seed: int, period: float = PERIOD) -> np.ndarray:
    """Return rows of x, y, vx, vy of a body whose acceleration jumps once a second."""
    second = round(1.0 / period)
    random = np.random.default_rng(seed)
    at, v, rows = np.zeros(2), np.zeros(2), []
    for k in range(ticks):
        if k % second == 0:
            a = random.uniform(-3.0, 3.0, 2) - 0.5 * v
        at, v = at + v * period + a * period**2 / 2.0, v + a * period
        rows.append([*at, *v])
    return np.array(rows)


def noisy(rows: np.ndarray, position: float, velocity: float, seed: int) -> np.ndarray:
    """Return rows with white noise of standard deviations [m, m/s]."""
    normal = np.random.default_rng(seed).standard_normal(rows.shape)
    return rows + normal * [position, position, velocity, velocity]


def test_it_measures_the_noise_of_the_reports_and_removes_most_of_it():
    true = wandering(4000, 2)
    reports, errors, variances = noisy(true, 2.0, 0.5, 3), [], []
    estimate = NO_ESTIMATE
    for k, (x, y, vx, vy) in enumerate(reports):
        estimate = updated_estimate(estimate, k, (x, y, 0.0), (vx, vy, 0.0), k * PERIOD, MODEL)
        found = (estimate.x, estimate.y, estimate.vx, estimate.vy)
        errors.append(np.subtract(found, true[k]))
        variances.append((estimate.noise.position, estimate.noise.velocity))
    position, velocity = np.sqrt(np.mean(np.square(errors[200:]), axis=0).reshape(2, 2).mean(1))
    assert np.sqrt(np.mean(variances[200:], axis=0)) == pytest.approx([2.0, 0.5], rel=0.15)
    assert position < 0.3 * 2.0
    assert velocity < 0.75 * 0.5


def textbook(reports, ticks, model) -> np.ndarray:
    """Return the state of one axis by matrices, with the noise known to be none."""
    rho = math.exp(-PERIOD / model.time)
    b = model.time * (1.0 - rho)
    c = model.time * (PERIOD - b)
    f = np.array([[1.0, PERIOD, c], [0.0, 1.0, b], [0.0, 0.0, rho]])
    g = np.array([c / rho, b / rho, 1.0])
    q = model.acceleration**2 * (1.0 - rho * rho) * np.outer(g, g)
    state, p = np.array([reports[0][0], reports[0][2], 0.0]), np.zeros((3, 3))
    for (x, _, vx, _), steps in zip(reports[1:], np.diff(ticks), strict=True):
        for _ in range(steps):
            state, p = f @ state, f @ p @ f.T + q
        for row, z in ((0, x), (1, vx)):
            if p[row, row] > 1e-12:
                gain = p[:, row] / p[row, row]
                state, p = state + gain * (z - state[row]), p - np.outer(gain, p[row])
    return state


def test_without_noise_it_is_the_textbook_filter_also_where_reports_are_lost():
    ticks = [0, 2, 4, 7, 9, 12, 15, 17, 20]
    reports = wandering(21, 4)[ticks]
    found, wanted = after(reports, ticks=ticks), textbook(reports, ticks, MODEL)
    assert (found.x, found.vx, found.ax) == pytest.approx(wanted, abs=1e-6)


def test_after_a_long_silence_it_begins_anew_and_keeps_the_noise_that_it_measured():
    reports = noisy(wandering(400, 5), 2.0, 0.5, 6)
    before = after(reports)
    late = before.valid + LONGEST_STEP + PERIOD
    found = updated_estimate(before, 1000, (1.0, 2.0, 0.0), (3.0, 4.0, 0.0), late, MODEL)
    assert (found.x, found.y, found.vx, found.vy, found.ax) == (1.0, 2.0, 3.0, 4.0, 0.0)
    assert found.noise.position == before.noise.position > 1.0


def test_a_report_counts_once():
    once = after(wandering(10, 7))
    assert updated_estimate(once, once.seq, (9.0, 9.0, 9.0), (9.0, 9.0, 9.0), 9.0, MODEL) is once


def test_a_measurement_that_is_sent_twice_counts_once():
    once = after(wandering(10, 7))
    off = (9.0, 9.0, 9.0)
    again = updated_estimate(once, once.seq + 1, off, off, once.valid, MODEL)
    assert again is once


def late_and_lost(rows: np.ndarray, seed: int) -> list[int]:
    """Return which report is the newest at each tick: each is 1 to 3 ticks late, 5 % are lost."""
    random = np.random.default_rng(seed)
    arrivals = [
        (k + random.integers(1, 4), k)
        for k in range(len(rows))
        if k == 0 or random.random() > 0.05
    ]
    ticks = range(3, len(rows))
    return [max(k for arrival, k in arrivals if arrival <= tick) for tick in ticks]


@pytest.mark.parametrize('seed', range(4))
def test_reports_that_come_unevenly_from_the_first_one_on_do_not_lead_it_astray(seed):
    model = TargetModel(4.0, 0.5, 0.02)
    true = wandering(600, seed, model.period)
    reports, estimate, errors = noisy(true, 0.02, 0.05, seed + 100), NO_ESTIMATE, []
    for k in late_and_lost(true, seed + 200):
        (x, y, vx, vy), valid = reports[k], k * model.period
        estimate = updated_estimate(estimate, k, (x, y, 0.0), (vx, vy, 0.0), valid, model)
        errors.append(math.dist((estimate.x, estimate.y), true[k][:2]))
    assert max(errors) < 0.1
    assert np.mean(errors) < 0.02


def test_the_prediction_forgets_the_acceleration():
    estimate = NO_ESTIMATE._replace(vx=1.0, ax=2.0)
    soon = estimated_motion(estimate, 1e-9, MODEL.time, MAX_ACC)
    late = estimated_motion(estimate, 50.0, MODEL.time, MAX_ACC)
    assert (soon.velocity[0], soon.acceleration[0]) == pytest.approx((1.0, 2.0))
    assert late.velocity[0] == pytest.approx(1.0 + 2.0 * MODEL.time)
    assert late.acceleration[0] == pytest.approx(0.0, abs=1e-12)


def test_the_position_of_a_straight_flight_is_predicted_over_the_whole_age():
    straight = after([(5.0 * k * PERIOD, 0.0, 5.0, 0.0) for k in range(200)])
    assert position_share(straight, MAX_ACC) == pytest.approx(1.0, abs=1e-6)
    reached = estimated_motion(straight, 0.6, MODEL.time, MAX_ACC).position[0] - straight.x
    assert reached == pytest.approx(3.0, rel=1e-6)


def circling(acceleration: float) -> TargetEstimate:
    """Return the filter of a target that circles at 5 m/s with an acceleration [m/s^2]."""
    rate = acceleration / 5.0
    rows = []
    for k in range(1000):
        angle = rate * k * PERIOD
        x, y = 5.0 / rate * math.sin(angle), -5.0 / rate * math.cos(angle)
        rows.append([x, y, 5.0 * math.cos(angle), 5.0 * math.sin(angle)])
    return after(rows)


@pytest.mark.parametrize('acceleration', [1.0, 2.0, 3.0])
def test_the_harder_the_target_turns_the_less_its_position_is_predicted(acceleration):
    circle = circling(acceleration)
    assert math.sqrt(circle.turning) == pytest.approx(acceleration, rel=0.1)
    assert position_share(circle, MAX_ACC) == pytest.approx(1.0 - acceleration / 4.0, abs=0.05)


def test_a_target_that_turns_harder_than_its_pursuer_is_not_predicted():
    estimate = circling(3.0)
    assert position_share(estimate, 2.0) == 0.0
    assert position_share(estimate, 0.0) == 0.0
    here = estimated_motion(estimate, 0.6, MODEL.time, 2.0).position
    assert here == (estimate.x, estimate.y, 0.0)


NUMBER = st.floats(-1e4, 1e4)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(NUMBER, NUMBER, NUMBER, NUMBER), min_size=2, max_size=40),
    st.floats(0.0, 50.0),
    st.floats(0.01, 5.0),
)
def test_whatever_is_reported_it_stays_finite_and_its_variances_positive(reports, sigma, time):
    found = after(reports, TargetModel(sigma, time, PERIOD))
    assert all(map(math.isfinite, (*found[:8], *found.covariance, *found.noise)))
    scale = max(1.0, found.covariance.pp, found.covariance.aa)
    assert min(found.covariance.pp, found.covariance.vv, found.covariance.aa) >= -1e-9 * scale


@pytest.mark.parametrize(('dt', 'expected'), [
    (-3600.0, (1.0, 0.0, 0.0)), (0.0, (1.0, 0.0, 0.0)), (3600.0, (0.0, 0.5, 1799.75)),
])  # fmt: skip
def test_an_acceleration_acts_over_any_time(dt, expected):
    """Not at all before its report."""
    assert transition(dt, 0.5) == pytest.approx(expected)
