"""The filter looks at the eight nearest vehicles, and at no body of another kind."""

import math

import pytest

from soliton_encirclement_ros.safety.braking import braking_distance, braking_path, state_at_effect
from soliton_encirclement_ros.safety.filter import filtered
from soliton_encirclement_ros.safety.filter_records import (
    ADVERSARY, EMPTY, GHOST, INDEX, KEY, MUTUAL, NEAREST, START, STRANGER, TARGET, FilterSettings,
    OwnState
)
from soliton_encirclement_ros.safety.nearest_bodies import (
    far_bound, is_far, is_layer_apart, is_vehicle, nearest_bodies, nearness, reach_of, span_bound,
    span_of, vertical_path
)
from soliton_encirclement_ros.safety.pair_barrier import closest_approach
from soliton_encirclement_ros.safety.vertical import vertical_command
from support.safety.draws import LAGS, LIMITS, path, row, scratch, stream, velocity

OWN = braking_path(0.0, 0.0, 3.0, 0.0, 4.0, 1.0)
SETTINGS = FilterSettings(LIMITS, gamma=2.0)


def test_only_vehicles_count():
    kinds = (EMPTY, MUTUAL, TARGET, GHOST, ADVERSARY, STRANGER)
    others, rows = [row(4, 4, kind=kind) for kind in kinds], scratch()
    level = vertical_path(0.0, 0.0, 5.0, 1.2)
    count = nearest_bodies(SETTINGS, OWN, level, others, rows, 1.0).count
    assert sorted(int(rows[k][INDEX]) for k in range(count)) == [1, 3, 5]


def test_without_saturation_nearness_is_the_closest_approach():
    draw = stream(70)
    for _ in range(200):
        others = [row(*draw.uniform(-9, 9, 2), *velocity(draw, 3.9))]
        key = nearness(SETTINGS, OWN, others, 0, 4.0, 1.0)
        other = braking_path(*others[0][:2], *others[0][3:5], 4.0, 1.0)
        near = closest_approach(OWN, other, 4.0, 1.0)
        assert key == pytest.approx(math.hypot(near.x, near.y), abs=1e-9)


def test_the_error_of_a_state_makes_it_nearer():
    fresh, old = (nearness(SETTINGS, OWN, [row(9, 0, age=t)], 0, 4.0, 1.0) for t in (0.0, 0.2))
    assert old < fresh - 0.5


def every_one(settings, own, level, others, tau):
    """Return the nearest ones by looking at every row."""
    keys = {
        i: nearness(settings, own, others, i, 4.0, tau)
        for i in range(len(others))
        if is_vehicle(others, i) and not is_layer_apart(settings, level, others, i)
    }
    reach = reach_of(settings, own)
    near = sorted((i for i in keys if keys[i] < reach), key=keys.__getitem__)
    return [(i, keys[i]) for i in near[:NEAREST]]


@pytest.mark.parametrize('tau', LAGS)
@pytest.mark.parametrize('layer', [2.0, math.inf])
def test_the_choice_is_that_among_all(tau, layer):
    """Of all kinds, ages, heights and speeds, with twins, however many are far away."""
    draw, chosen = stream(72), 0
    for _ in range(300):
        settings = SETTINGS._replace(
            layer=layer, gamma=draw.uniform(1.0, 8.0), delay=draw.choice([0.0, 0.05]),
            clock_error=draw.choice([0.0, 0.02]), noise=draw.choice([0.0, 0.3]),
            run_on=draw.uniform(0.0, 0.5), ghost_margin=draw.choice([0.0, 0.1]),
        )  # fmt: skip
        own, space = path(draw, tau), draw.choice([15.0, 40.0, 150.0])
        level = vertical_path(0.0, draw.uniform(-3, 3), 5.0, tau)
        others = [any_row(draw, space) for _ in range(int(draw.integers(0, 60)))]
        others += [list(others[int(k)]) for k in draw.integers(0, 60, 9) if k < len(others)]
        expected = every_one(settings, own, level, others, tau)
        spans = span_bound(settings, 4.0, tau)
        for bodies in (others, [[*other, span_of(spans, other)] for other in others]):
            rows = scratch()
            count = nearest_bodies(settings, own, level, bodies, rows, tau).count
            assert [(int(rows[k][INDEX]), rows[k][KEY]) for k in range(count)] == expected
        chosen += count
    assert chosen > 600


@pytest.mark.parametrize('tau', LAGS)
def test_whether_a_near_body_is_above_or_below_is_told(tau):
    """The filter looks for layers only then: the vertical command is that of all rows."""
    draw, seen = stream(74), [0, 0]
    for _ in range(400):
        own = OwnState((0.0, 0.0, 0.0), (*velocity(draw), draw.uniform(-2, 2)))
        others = [
            any_row(draw, draw.choice([10.0, 60.0])) for _ in range(int(draw.integers(0, 6)))
        ]
        wanted = (0.0, 0.0, draw.uniform(-4, 4))
        settings = SETTINGS._replace(limits=(*LIMITS[:4], tau, tau))
        got = filtered(settings, own, wanted, (0.0, 0.0, 0.0), others, [], scratch(), START)
        at = state_at_effect(settings, own, (0.0, 0.0, 0.0))
        (x, y, z), (vx, vy, vz) = at.position, at.velocity
        flat = braking_path(x, y, vx, vy, 4.0, tau)
        level = vertical_path(z, vz, 5.0, tau)
        assert got.command[2] == vertical_command(settings, flat, level, wanted[2], others, tau)[0]
        seen[nearest_bodies(settings, flat, level, others, scratch(), tau).some_above] += 1
    assert min(seen) > 50


def any_row(draw, space):
    """Return a body of any kind; some are faster than any vehicle, some very old."""
    return row(
        *draw.uniform(-space, space, 2), *velocity(draw, draw.choice([3.0, 10.0, 40.0])),
        z=draw.choice([0.0, draw.uniform(-4, 4)]), vz=draw.uniform(-3, 3),
        age=draw.choice([-0.01, 0.0, 0.05, draw.uniform(0, 9)]), kind=int(draw.integers(0, 6)),
    )  # fmt: skip


@pytest.mark.parametrize('tau', LAGS)
def test_one_that_just_matters_is_not_called_far(tau):
    """At the edge of the reach the bound is exact: head-on, beyond the lag, just seen."""
    draw = stream(73)
    settings = SETTINGS._replace(ghost_margin=0.0)
    for _ in range(500):
        own, speed = braking_path(0.0, 0.0, 0.0, 0.0, 4.0, tau), draw.uniform(4.0 * tau, 30.0)
        reach = reach_of(settings, own)
        x = reach + braking_distance(speed, 4.0, tau)
        bound = far_bound(settings, own, 4.0, tau)
        assert not is_far(bound, reach, own, row(x, 0.0, -speed, 0.0))
        assert is_far(bound, reach, own, row(x + 1e-5, 0.0, -speed, 0.0))
