"""The nearest command, against the conditions of a minimum and a fine grid."""

import math

import numpy as np
import pytest
from soliton_encirclement_ros.safety.feasibility import Discs
from soliton_encirclement_ros.safety.projection import (
    largest_violation,
    nearest_command,
    nearest_in_discs,
)
from support.safety.draws import half_planes, stream


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


def test_no_allowed_direction_leads_nearer():
    """The condition of a minimum on a convex set, with another allowed command as direction."""
    draw = stream(30)
    for _ in range(200):
        rows, able, wanted = problem(draw, 6)
        place = half_planes(rows)
        found = nearest_command(place, 6, able, *wanted, 1.0)
        other = nearest_command(place, 6, able, *draw.uniform(-12.0, 12.0, 2), 1.0)
        if found.found and other.found:
            slope = (found.x - wanted[0]) * (other.x - found.x) + (found.y - wanted[1]) * (
                other.y - found.y
            )
            assert slope >= -1e-7


def test_an_allowed_command_is_returned_to_the_bit():
    able = Discs(1.0, 0.5, 4.0, 10.0)
    found = nearest_command(half_planes([(1.0, 0.0, -3.0, 0.0)]), 1, able, 0.1, 0.3, 1.0)
    assert found == (0.1, 0.3, True)


def test_the_order_of_half_planes_does_not_matter():
    draw = stream(31)
    for _ in range(100):
        rows, able, wanted = problem(draw, 8)
        one = nearest_command(half_planes(rows), 8, able, *wanted, 1.0)
        other = nearest_command(half_planes(rows[::-1]), 8, able, *wanted, 1.0)
        assert one.found == other.found
        if one.found:
            assert (one.x, one.y) == pytest.approx((other.x, other.y), abs=1e-7)


def test_contradicting_half_planes_have_no_command():
    rows = half_planes([(1.0, 0.0, 1.0, 0.0), (-1.0, 0.0, 0.0, 0.0)])
    assert not nearest_command(rows, 2, Discs(0.0, 0.0, 4.0, 10.0), 0.0, 0.0, 1.0).found


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
