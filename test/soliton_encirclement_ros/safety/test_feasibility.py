"""The discs of commands that a vehicle can follow."""

import math

import pytest
from soliton_encirclement_ros.safety.braking import braking_acceleration, braking_path
from soliton_encirclement_ros.safety.feasibility import (
    discs,
    held,
    held_command,
    saturated,
    stopping_command,
)
from support.safety.draws import LAGS, path, stream
from velocity_mobility_ros.core.model import step

A = 4.0


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
    cx, cy = held_command(able, 6.0 - tau * A, 0.0, 0.05, tau)
    _, v = step((0.0,) * 3, (6.0, 0.0, 0.0), (cx, cy, 0.0), 0.01, (10, 5, A, 5, tau, tau))
    for _ in range(4):
        _, v = step((0.0,) * 3, v, (cx, cy, 0.0), 0.01, (10, 5, A, 5, tau, tau))
    assert v[0] == pytest.approx(6.0 - 0.05 * A)
    assert held(0.05, tau, 0.5 * tau * A, A) == 1.0


def test_a_held_command_is_not_faster_than_the_vehicle():
    able = discs(braking_path(0.0, 0.0, 9.1, 0.0, A, 0.2), A, 0.2, 10.0)
    assert held_command(able, 9.9, 0.0, 0.05, 0.2) == (9.9, 0.0)


def test_a_vehicle_above_its_largest_speed_may_still_brake():
    own = braking_path(0.0, 0.0, 14.0, 0.0, A, 0.2)
    assert discs(own, A, 0.2, 10.0).fastest == pytest.approx(13.2)
