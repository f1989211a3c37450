"""Braking distance, stopping point and the commands that a vehicle can follow."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as some

from soliton_encirclement_ros.safety.braking import (
    braked_speed, braking_acceleration, braking_distance, braking_path, braking_slope, discs,
    saturated, sensitivity, stopping_command, sustain_factor, sustained_command, travelled,
    usable_lag
)
from support.safety.draws import LAGS, path, stream, velocity
from velocity_mobility_ros.core.velocity_model import step

A = 4.0


def flown(vx, vy, a, tau, dt, seconds):
    """Return position and velocity after flying with command 0."""
    p, v = (0.0, 0.0, 0.0), (vx, vy, 0.0)
    for _ in range(round(seconds / dt)):
        p, v = step(p, v, (0.0, 0.0, 0.0), dt, (20.0, 5.0, a, 5.0, tau, tau))
    return p, v


@given(speed=some.floats(0.0, 12.0), tau=some.sampled_from(LAGS), a=some.floats(1.0, 8.0))
def test_the_vehicle_stops_within_the_braking_distance(speed, tau, a):
    dt = 0.01
    (x, _, _), (vx, _, _) = flown(speed, 0.0, a, tau, dt, speed / a + 20.0 * tau)
    way = braking_distance(speed, a, tau)
    assert abs(vx) < 1e-6
    # Euler steps with the new velocity: at most one step of the first speed shorter.
    assert way - 1.01 * speed * dt - 1e-6 <= x <= way + 1e-9


@pytest.mark.parametrize('tau', LAGS)
def test_the_slope_is_the_derivative_and_both_are_continuous(tau):
    for speed in (*np.linspace(0.01, 12.0, 60), tau * A):
        d = 1e-6
        found = (braking_distance(speed + d, A, tau) - braking_distance(speed - d, A, tau)) / 2 / d
        assert found == pytest.approx(braking_slope(speed, A, tau), abs=1e-5)


@pytest.mark.parametrize('tau', LAGS)
def test_the_stopping_point_moves_by_the_jacobian(tau):
    draw, d = stream(1), 1e-6
    for _ in range(200):
        v = np.array(velocity(draw))
        if 0.0 < np.hypot(*v) < 0.01:
            continue
        found = braking_path(0.0, 0.0, *v, A, tau)
        for k in range(2):
            e = np.eye(2)[k] * d
            ahead = braking_path(0.0, 0.0, *(v + e), A, tau)
            behind = braking_path(0.0, 0.0, *(v - e), A, tau)
            numeric = ((ahead.px - behind.px) / 2 / d, (ahead.py - behind.py) / 2 / d)
            exact = sensitivity(found, found.slope, found.across, *np.eye(2)[k])
            assert exact == pytest.approx(numeric, abs=2e-5)


@pytest.mark.parametrize('tau', LAGS)
def test_command_0_leaves_the_stopping_point(tau):
    draw = stream(2)
    for _ in range(200):
        path = braking_path(0.0, 0.0, *velocity(draw), A, tau)
        acc = braking_acceleration(path, A, tau)
        jx, _ = sensitivity(path, path.slope, path.across, 1.0, 0.0)
        moved = (
            path.vx
            + jx * acc[0]
            + sensitivity(path, path.slope, path.across, 1.0, 0.0)[1] * acc[1]
        )
        assert moved == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize('tau', LAGS)
def test_the_way_after_a_time_is_that_of_the_vehicle(tau):
    draw = stream(3)
    for _ in range(20):
        path = braking_path(0.0, 0.0, *velocity(draw), A, tau)
        s = draw.uniform(0.0, 4.0)
        way, slope, across = travelled(path, s, A, tau)
        (x, y, _), v = flown(path.vx, path.vy, A, tau, 1e-3, s)
        assert math.hypot(x, y) == pytest.approx(way, abs=0.02)
        assert math.hypot(*v) == pytest.approx(braked_speed(path, s, A, tau), abs=0.02)
        faster = braking_path(0.0, 0.0, path.vx + 1e-6 * path.ux, path.vy + 1e-6 * path.uy, A, tau)
        change = (travelled(faster, s, A, tau)[0] - way) / 1e-6
        if path.speed > 0.0:
            assert change == pytest.approx(slope, abs=1e-4)
            assert across == pytest.approx(way / path.speed)


def test_a_vehicle_at_rest_has_no_way_but_derivatives():
    path = braking_path(1.0, 2.0, 0.0, 0.0, A, 1.0)
    assert (path.px, path.py, path.length) == (1.0, 2.0, 0.0)
    assert travelled(path, 0.0, A, 1.0) == (0.0, 0.0, 0.0)
    _, slope, across = travelled(path, 1.0, A, 1.0)
    assert slope == across == pytest.approx(1.0 - math.exp(-1.0))


def test_a_vehicle_without_lag_has_that_of_a_period():
    assert usable_lag(math.nan, 0.05) == 0.05
    assert usable_lag(0.7, 0.05) == 0.7


@pytest.mark.parametrize('tau', LAGS)
def test_braking_is_inside(tau):
    draw = stream(40)
    for _ in range(200):
        own = path(draw, tau)
        able = discs(own, A, tau, 10.0)
        cx, cy = stopping_command(own, A, tau)
        assert math.hypot(cx - own.vx, cy - own.vy) <= able.reach + 1e-9
        assert math.hypot(cx, cy) <= able.fastest + 1e-9
        acc = braking_acceleration(own, A, tau)
        assert ((cx - own.vx) / tau, (cy - own.vy) / tau) == pytest.approx(acc, abs=1e-9)


def test_a_saturating_command_acts_like_its_nearest_in_the_disc():
    able = discs(braking_path(0.0, 0.0, 3.0, 0.0, A, 0.2), A, 0.2, 10.0)
    assert saturated(able, 9.0, 0.0) == pytest.approx((3.8, 0.0))
    assert saturated(able, 3.1, 0.2) == pytest.approx((3.1, 0.2))


@pytest.mark.parametrize('tau', LAGS)
def test_a_held_command_keeps_the_acceleration_for_a_period(tau):
    own = braking_path(0.0, 0.0, 6.0, 0.0, A, tau)
    able = discs(own, A, tau, 10.0)
    cx, cy = sustained_command(able, 6.0 - tau * A, 0.0, 0.05, tau)
    _, v = step((0.0,) * 3, (6.0, 0.0, 0.0), (cx, cy, 0.0), 0.01, (10, 5, A, 5, tau, tau))
    for _ in range(4):
        _, v = step((0.0,) * 3, v, (cx, cy, 0.0), 0.01, (10, 5, A, 5, tau, tau))
    assert v[0] == pytest.approx(6.0 - 0.05 * A)
    assert sustain_factor(0.05, tau, 0.5 * tau * A, A) == 1.0


def test_a_held_command_is_not_faster_than_the_vehicle():
    able = discs(braking_path(0.0, 0.0, 9.1, 0.0, A, 0.2), A, 0.2, 10.0)
    assert sustained_command(able, 9.9, 0.0, 0.05, 0.2) == (9.9, 0.0)


def test_a_vehicle_above_its_largest_speed_may_still_brake():
    own = braking_path(0.0, 0.0, 14.0, 0.0, A, 0.2)
    assert discs(own, A, 0.2, 10.0).fastest == pytest.approx(13.2)
