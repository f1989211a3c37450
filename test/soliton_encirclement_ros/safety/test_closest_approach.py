"""The least distance of two braking vehicles, and of one and a point, against fine sampling."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.safety.braking import braking_path, travelled
from soliton_encirclement_ros.safety.fixed_barriers import nearest_way, slope_after
from soliton_encirclement_ros.safety.pair_barrier import closest_approach, on_chord
from support.safety.draws import LAGS, path, stream

A = 4.0


def sampled(one, other, tau):
    """Return the least of many sampled distances."""
    least = math.hypot(one.px - other.px, one.py - other.py)
    for s in np.linspace(0.0, max(one.switch, other.switch) + 8.0 * tau, 3000):
        way, _, _ = travelled(one, s, A, tau)
        away, _, _ = travelled(other, s, A, tau)
        x = one.x + way * one.ux - other.x - away * other.ux
        y = one.y + way * one.uy - other.y - away * other.uy
        least = min(least, math.hypot(x, y))
    return least


@pytest.mark.parametrize('tau', LAGS)
def test_it_is_the_least_of_all_times(tau):
    draw, errors = stream(6), []
    for _ in range(150):
        one, other = path(draw, tau), path(draw, tau)
        found = closest_approach(one, other, A, tau)
        gap = math.hypot(found.x, found.y)
        least = sampled(one, other, tau)
        assert gap >= least - 1e-3
        errors.append(gap - least)
    assert max(errors) < 0.1
    assert np.mean(errors) < 0.004


def test_without_saturation_it_is_exact():
    draw = stream(7)
    for _ in range(100):
        one, other = (
            braking_path(*draw.uniform(-3, 3, 2), *draw.uniform(-2, 2, 2), A, 1.0)
            for _ in range(2)
        )
        found = closest_approach(one, other, A, 1.0)
        assert math.hypot(found.x, found.y) == pytest.approx(sampled(one, other, 1.0), abs=1e-4)


def test_vehicles_at_rest_have_ended():
    one, other = (braking_path(x, 0.0, 0.0, 0.0, A, 1.0) for x in (0.0, 3.0))
    found = closest_approach(one, other, A, 1.0)
    assert (found.x, found.y) == (-3.0, 0.0)


def test_a_chord_has_its_nearest_point_inside_or_at_an_end():
    assert on_chord(-1.0, 2.0, 3.0, 2.0) == (0.25, 4.0)
    assert on_chord(1.0, 2.0, 3.0, 2.0) == (0.0, 5.0)
    assert on_chord(1.0, 2.0, 1.0, 2.0) == (0.0, 5.0)


@pytest.mark.parametrize('tau', LAGS)
def test_the_slope_at_a_way_is_that_at_its_time(tau):
    draw = stream(82)
    for _ in range(200):
        own = path(draw, tau)
        if own.speed == 0.0:
            continue
        way, slope, _ = travelled(own, draw.uniform(0.0, 4.0), 4.0, tau)
        assert slope_after(own, way, 4.0, tau) == pytest.approx(slope, abs=1e-6)


def test_the_nearest_way_is_on_the_path():
    own = braking_path(0.0, 0.0, 3.0, 0.0, 4.0, 1.0)
    assert nearest_way(own, 1.5, 4.0) == 1.5
    assert nearest_way(own, -1.5, 4.0) == 0.0
    assert nearest_way(own, 50.0, 4.0) == own.length == 3.0
    rest = braking_path(0.0, 0.0, 0.0, 0.0, 4.0, 1.0)
    assert nearest_way(rest, 5.0, 5.0) == 0.0
    assert not math.isnan(slope_after(rest, 0.0, 4.0, 1.0))
