"""Height band, layers and vertical limits."""

import math

import pytest

from soliton_encirclement_ros.core.laws.filter_codes import (
    BAND, LIMITS as LIMITED, NONE, RELAXED, SEPARATION
)
from soliton_encirclement_ros.safety.braking import braking_path
from soliton_encirclement_ros.safety.filter_records import GHOST, MUTUAL, FilterSettings
from soliton_encirclement_ros.safety.nearest_bodies import (
    NEVER, is_layer_apart, is_vehicle, nearness, vertical_path, vertical_room
)
from soliton_encirclement_ros.safety.vertical import band_bounds, vertical_command
from support.safety.draws import LAGS, LIMITS, path, row, stream, velocity
from velocity_mobility_ros.core.velocity_model import step

OWN = braking_path(0.0, 0.0, 0.0, 0.0, 4.0, 1.0)
BANDED = FilterSettings(LIMITS, lowest=-2.0, highest=6.0)


def command(z, vz, wanted, others=(), settings=BANDED):
    height = vertical_path(z, vz, LIMITS[3], LIMITS[5])
    return vertical_command(settings, OWN, height, wanted, list(others), 1.0)


def flown(wanted, seconds=10.0, others=(), z=0.0, settings=BANDED):
    """Return all heights of a flight."""
    p, v, heights = (0.0, 0.0, z), (0.0, 0.0, 0.0), []
    for k in range(round(seconds / 0.05)):
        found = command(p[2], v[2], wanted[k % len(wanted)], others, settings)
        for _ in range(5):
            p, v = step(p, v, (0.0, 0.0, found.value), 0.01, LIMITS)
            heights.append(p[2])
    return heights


@pytest.mark.parametrize('wanted', [5.0, -5.0])
def test_the_band_is_reached_and_not_left(wanted):
    heights = flown([wanted])
    assert max(heights) < 6.02
    assert min(heights) > -2.02
    assert max(heights[-1] - 5.9, -1.9 - heights[-1]) > 0.0


def test_random_wishes_stay_inside():
    heights = flown(list(stream(95).uniform(-9.0, 9.0, 200)), 60.0)
    assert -2.02 < min(heights) < max(heights) < 6.02


def test_inside_a_wish_is_kept_to_the_bit():
    assert command(1.0, 0.3, 0.4) == (0.4, NONE, -1)
    assert command(1.0, 0.3, 0.4, settings=FilterSettings(LIMITS)) == (0.4, NONE, -1)


def test_reasons():
    assert command(5.9, 0.0, 3.0).reason == BAND
    assert command(1.0, 0.0, 99.0)[:2] == (5.0, LIMITED)
    assert command(40.0, 5.0, 5.0).reason == RELAXED
    assert command(40.0, 5.0, 5.0).value < 0.0


def test_command_0_keeps_the_band_while_it_stops_inside():
    for z, vz in ((5.0, 0.5), (-1.5, -0.2), (6.0, 0.0)):
        low, high = band_bounds(BANDED, vertical_path(z, vz, 5.0, 1.2))
        assert low <= 0.0 <= high


def test_a_layer_counts_at_both_heights_and_stops():
    own = vertical_path(0.0, 0.0, 5.0, 1.2)
    for other, apart in (
        (row(0, 0, z=2.5), True), (row(0, 0, z=-2.5), True), (row(0, 0, z=1.9), False),
        (row(0, 0, z=2.5, vz=-1.0), False), (row(0, 0, z=2.5, vz=-4.0), False),
        (row(0, 0, z=2.5, age=0.5), False), (row(0, 0, z=math.nan), False),
        (row(0, 0, z=3.0, age=9.0, kind=GHOST), True),
    ):  # fmt: skip
        assert is_layer_apart(BANDED, own, [other], 0) is apart
    assert vertical_room(BANDED, own, [row(0, 0, z=1.0, vz=-4.0)], 0) == NEVER


def test_a_near_pair_keeps_its_layer():
    others = [row(1.0, 0.0, z=4.0, kind=GHOST, name=5)]
    heights = flown([4.0], others=others)
    assert 0.5 < max(heights) < 4.0 - 2.0
    assert command(0.5, 0.0, 4.0, others)[1:] == (SEPARATION, 5)
    far = [row(100.0, 0.0, z=3.0, kind=MUTUAL)]
    assert max(flown([4.0], others=far)) > 5.0


@pytest.mark.parametrize('tau', LAGS)
def test_the_bounds_are_those_of_all_that_are_near(tau):
    """Of any kind, height and age, by a look at every row; most are far away."""
    draw, acts = stream(81), 0
    for _ in range(500):
        own = path(draw, tau)
        height = vertical_path(0.0, draw.uniform(-2, 2), LIMITS[3], LIMITS[5])
        others = [
            row(
                *draw.uniform(-20, 20, 2), *velocity(draw), z=draw.uniform(-5, 5),
                vz=draw.uniform(-2, 2), age=draw.choice([0.0, 0.05, 2.0]),
                kind=int(draw.integers(0, 6)),
            )
            for _ in range(20)
        ]  # fmt: skip
        near = [
            other
            for other in others
            if is_vehicle([other], 0) and nearness(BANDED, own, [other], 0, LIMITS[2], tau) <= 4.0
        ]
        wanted = draw.uniform(-5, 5)
        found = vertical_command(BANDED, own, height, wanted, others, tau)
        assert found == vertical_command(BANDED, own, height, wanted, near, tau)
        acts += found.reason == SEPARATION
    assert acts > 15
