"""The nearest command within half-planes and discs, and what is left where there is none."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.safety.braking import Discs, braking_acceleration
from soliton_encirclement_ros.safety.filter_records import BASE, EXTRA, NX, NY, SOURCE, WHO
from soliton_encirclement_ros.safety.nearest_command import (
    add_half_plane, largest_violation, nearest_command, nearest_in_discs, relaxed_command
)
from support.safety.draws import half_planes, path, scratch, stream


def problem(draw, count):
    """Return half-planes, discs and a wanted command."""
    angle, speed = draw.uniform(0.0, 7.0), draw.uniform(0.0, 10.0)
    able = Discs(speed * math.cos(angle), speed * math.sin(angle), draw.uniform(0.5, 4.5), 10.0)
    rows = [(*draw.standard_normal(2), draw.uniform(-6.0, 1.5), 0.0) for _ in range(count)]
    return rows, able, draw.uniform(-12.0, 12.0, 2)


def grid(rows, able, wanted, steps=240):
    """Return the least distance to the wanted command on a grid of allowed ones, or inf."""
    sides = np.linspace(-able.reach, able.reach, steps)
    x, y = np.meshgrid(able.x + sides, able.y + sides)
    good = (np.hypot(x - able.x, y - able.y) <= able.reach) & (np.hypot(x, y) <= able.fastest)
    for nx, ny, base, _ in rows:
        good &= (nx * x + ny * y) / math.hypot(nx, ny) >= base
    return np.min(np.hypot(x - wanted[0], y - wanted[1])[good], initial=math.inf)


@pytest.mark.parametrize('count', [0, 1, 2, 5, 12])
def test_it_is_allowed_and_none_on_a_grid_is_nearer(count):
    draw, found_some, none = stream(10 + count), 0, 0
    for _ in range(60):
        rows, able, wanted = problem(draw, count)
        found = nearest_command(half_planes(rows), count, able, *wanted, 1.0)
        best = grid(rows, able, wanted)
        if not found.found:
            none += 1
            assert best == math.inf
            continue
        found_some += 1
        assert largest_violation(half_planes(rows), count, found.x, found.y)[0] < 1e-8
        assert math.hypot(found.x - able.x, found.y - able.y) <= able.reach + 1e-8
        assert math.hypot(found.x, found.y) <= able.fastest + 1e-8
        assert math.hypot(found.x - wanted[0], found.y - wanted[1]) <= best + 1e-8
    assert found_some > 5
    assert none > 5 or count < 5


def test_an_allowed_command_is_returned_to_the_bit():
    able = Discs(1.0, 0.5, 4.0, 10.0)
    found = nearest_command(half_planes([(1.0, 0.0, -3.0, 0.0)]), 1, able, 0.1, 0.3, 1.0)
    assert found == (0.1, 0.3, True)


def test_rates_above_0_are_scaled_and_others_are_not():
    rows, able = half_planes([(1.0, 0.0, 1.0, 2.0), (0.0, 1.0, 0.0, -1.0)]), Discs(0, 0, 9, 10)
    assert nearest_command(rows, 2, able, -5.0, -5.0, 1.0)[:2] == pytest.approx((3.0, -1.0))
    assert nearest_command(rows, 2, able, -5.0, -5.0, 0.25)[:2] == pytest.approx((1.5, -1.0))


def test_the_corner_of_both_discs():
    able = Discs(9.0, 0.0, 4.0, 10.0)
    x, y = nearest_in_discs(able, 20.0, 12.0)
    assert math.hypot(x, y) <= 10.0 + 1e-12
    assert math.hypot(x - 9.0, y) <= 4.0 + 1e-12
    x, y = nearest_in_discs(able, 30.0, 0.1)
    assert math.hypot(x, y) == pytest.approx(10.0)


def test_a_command_on_the_line_has_the_rate():
    draw, tau = stream(80), 0.7
    for _ in range(100):
        own, rows = path(draw, tau), scratch()
        (mx, my), rate = draw.standard_normal(2), draw.standard_normal()
        acc_0 = braking_acceleration(own, 4.0, tau)
        assert add_half_plane(rows, 3, own, tau, mx, my, *acc_0, rate, 2, 9.0) == 4
        one = rows[3]
        assert (one[SOURCE], one[WHO]) == (2, 9.0)
        assert math.hypot(one[NX], one[NY]) == pytest.approx(1.0)
        bound, t = one[BASE] + one[EXTRA], draw.standard_normal()
        cx, cy = bound * one[NX] - t * one[NY], bound * one[NY] + t * one[NX]
        ax, ay = (cx - own.vx) / tau, (cy - own.vy) / tau
        assert mx * (ax - acc_0[0]) + my * (ay - acc_0[1]) == pytest.approx(rate)


@pytest.mark.parametrize(
    ('mx', 'rate'), [(0.0, 1.0), (1e-9, 1.0), (math.nan, 1.0), (1.0, math.nan), (1.0, math.inf)]
)
def test_one_without_influence_or_broken_is_left_out(mx, rate):
    own = path(stream(81), 1.0)
    assert add_half_plane(scratch(), 2, own, 1.0, mx, 0.0, 0.0, 0.0, rate, 1, 0.0) == 2


ABLE = Discs(0.0, 0.0, 4.0, 10.0)


def relaxed(rows, wx=0.0, wy=0.0):
    return relaxed_command(half_planes(rows), len(rows), ABLE, wx, wy, 0.0, 0.0)


def test_between_two_that_are_too_near_the_vehicle_stays():
    rows = [(1.0, 0.0, 0.0, 1.0), (-1.0, 0.0, 0.0, 3.0)]
    assert not nearest_command(half_planes(rows), 2, ABLE, 1.0, 1.0, 1.0).found
    assert relaxed(rows, 1.0, 1.0) == pytest.approx((0.0, 1.0, True), abs=1e-9)


def test_a_rate_beyond_the_vehicle_is_followed_as_far_as_it_can():
    found = relaxed([(1.0, 0.0, 0.0, 8.0)])
    assert found.found
    assert found.x == pytest.approx(4.0, abs=0.02)


def test_a_rate_up_to_0_is_not_relaxed():
    rows = [(1.0, 0.0, 0.0, 8.0), (-1.0, 0.0, 0.0, -1.0)]
    assert relaxed(rows).x == pytest.approx(1.0, abs=0.02)


def test_without_any_command_it_brakes():
    rows = [(1.0, 0.0, 1.0, 0.0), (-1.0, 0.0, 1.0, 0.0)]
    assert relaxed(rows, 3.0) == (0.0, 0.0, False)
