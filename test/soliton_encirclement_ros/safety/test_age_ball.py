"""Old states: where a body is when a command takes effect, and how far it may be off."""

import math

import pytest

from soliton_encirclement_ros.safety.braking import braking_path, other_path, state_at_effect
from soliton_encirclement_ros.safety.filter_records import GHOST, FilterSettings, OwnState
from soliton_encirclement_ros.safety.pair_barrier import age_ball, ghost_radius, uncertainty
from support.safety.draws import LAGS, LIMITS, row, stream, velocity
from velocity_mobility_ros.core.velocity_model import step

A = 4.0


@pytest.mark.parametrize('tau', LAGS)
def test_no_flight_leaves_the_ball(tau):
    draw, limits, closest = stream(4), (20.0, 5.0, A, 5.0, tau, tau), 0.0
    for _ in range(400):
        v0 = velocity(draw)
        p, v, ticks = (0.0, 0.0, 0.0), (*v0, 0.0), int(draw.integers(1, 100))
        command = (*velocity(draw, 20.0), 0.0)
        for _ in range(ticks):
            if draw.random() < 0.05:
                command = (*velocity(draw, 20.0), 0.0)
            p, v = step(p, v, command, 0.01, limits)
        age = 0.01 * ticks
        expected = braking_path(age * v0[0], age * v0[1], *v0, A, tau)
        true = braking_path(p[0], p[1], v[0], v[1], A, tau)
        error = math.hypot(true.px - expected.px, true.py - expected.py)
        e = age_ball(age, math.hypot(*v0), A, tau, 0.0)
        # Euler steps lead by half a step: 0.5 a age dt.
        assert error <= e + 0.5 * A * age * 0.01 + 1e-9
        closest = max(closest, error / e)
    assert closest > 0.6


@pytest.mark.parametrize('tau', LAGS)
def test_no_failure_within_the_run_on_leaves_the_ghost(tau):
    draw, limits, run_on = stream(5), (20.0, 5.0, A, 5.0, tau, tau), 0.3
    for _ in range(300):
        v0 = velocity(draw)
        p, v, command = (0.0, 0.0, 0.0), (*v0, 0.0), (*velocity(draw, 20.0), 0.0)
        for _ in range(int(draw.integers(0, 31))):
            p, v = step(p, v, command, 0.01, limits)
        half = 0.5 * run_on
        expected = braking_path(half * v0[0], half * v0[1], *v0, A, tau)
        true = braking_path(p[0], p[1], v[0], v[1], A, tau)
        error = math.hypot(true.px - expected.px, true.py - expected.py)
        assert error <= ghost_radius(math.hypot(*v0), run_on, 0.02, A, tau)


def test_it_grows_from_the_noise_with_age():
    balls = [age_ball(0.05 * k, 5.0, A, 1.0, 0.3) for k in range(10)]
    assert balls[0] == 0.3
    assert balls == sorted(balls)
    assert age_ball(-1.0, 5.0, A, 1.0, 0.3) == 0.3


def test_a_row_counts_delay_and_clock_error_and_a_ghost_does_not_age():
    settings = FilterSettings(LIMITS, delay=0.1, clock_error=0.02, noise=0.05, run_on=0.1)
    heard = uncertainty(settings, [row(0, 0, age=0.3)], 0, 2.0, A, 1.0)
    assert heard == age_ball(0.3 + 0.1 + 0.02, 2.0, A, 1.0, 0.05)
    ghosts = [
        uncertainty(settings, [row(0, 0, age=age, kind=GHOST)], 0, 2.0, A, 1.0)
        for age in (1.0, 100.0)
    ]
    assert ghosts[0] == ghosts[1] == ghost_radius(2.0, 0.1, 0.1 + 0.05, A, 1.0)


OWN = OwnState((1.0, 2.0, 3.0), (4.0, -1.0, 0.5))
COMMAND = (-3.0, 2.0, 1.0)


def test_the_own_state_is_that_of_the_vehicle():
    found = state_at_effect(FilterSettings(LIMITS, delay=0.07), OWN, COMMAND)
    p, v = OWN
    for _ in range(7):
        p, v = step(p, v, COMMAND, 0.01, LIMITS)
    assert [*found.position, *found.velocity] == pytest.approx([*p, *v], rel=1e-14)


def test_without_delay_it_is_now():
    assert state_at_effect(FilterSettings(LIMITS), OWN, COMMAND) == OWN


def test_a_heard_body_keeps_its_velocity():
    found = other_path(FilterSettings(LIMITS, delay=0.1), [row(1, 2, 3, -4, age=0.2)], 0, 4.0, 1.0)
    assert (found.x, found.y) == pytest.approx((1.0 + 0.3 * 3.0, 2.0 - 0.3 * 4.0))
    assert (found.vx, found.vy) == (3.0, -4.0)


@pytest.mark.parametrize('age', [0.0, 0.5, 1.0, 30.0])
def test_a_silent_body_flies_on_and_brakes_and_its_stopping_point_stays(age):
    settings = FilterSettings(LIMITS, run_on=0.2)
    first = other_path(settings, [row(1 + 0.1 * 6, 2 - 0.1 * 6, 6, -6)], 0, 4.0, 1.0)
    found = other_path(settings, [row(1, 2, 6, -6, age=age, kind=GHOST)], 0, 4.0, 1.0)
    assert (found.px, found.py) == pytest.approx((first.px, first.py))
    assert found.speed <= first.speed
    if age == 30.0:
        assert found.speed < 1e-9
