"""The half-planes of pairs: command 0 always fulfils them, and they hold the distance."""

import math

import numpy as np
import pytest

from soliton_encirclement_ros.safety.braking import (
    braking_acceleration, braking_path, discs, stopping_command
)
from soliton_encirclement_ros.safety.filter_records import (
    BASE, EXTRA, GHOST, MUTUAL, NX, NY, STRANGER, FilterSettings
)
from soliton_encirclement_ros.safety.nearest_bodies import nearest_bodies, vertical_path
from soliton_encirclement_ros.safety.nearest_command import largest_violation, nearest_command
from soliton_encirclement_ros.safety.pair_barrier import (
    closest_approach, direction, pair_rows, separation_rows
)
from support.safety.draws import LAGS, path, row, scratch, stream, velocity

A, LEVEL = 4.0, vertical_path(0.0, 0.0, 5.0, 1.2)


def settings(tau, **changes):
    return FilterSettings((10.0, 5.0, A, 5.0, tau, tau), **changes)


def approach(own, others, tau):
    """Return the least distance that is left if all brake."""
    least = math.inf
    for x, y, _, vx, vy, *_ in others:
        other = braking_path(x, y, vx, vy, A, tau)
        near = closest_approach(own, other, A, tau)
        ends = math.hypot(own.px - other.px, own.py - other.py)
        least = min(least, math.hypot(near.x, near.y), ends)
    return least


def rows_of(how, own, others, rows, tau):
    """Write the half-planes of the nearest bodies; return how many there are."""
    near = nearest_bodies(how, own, LEVEL, others, rows, tau).count
    return separation_rows(how, own, others, near, rows, 0, tau)


@pytest.mark.parametrize('tau', LAGS)
@pytest.mark.parametrize('age', [0.0, 0.05, 0.3])
def test_command_0_fulfils_all_while_the_distance_is_kept(tau, age):
    """The invariant, for any number of neighbours and any age."""
    draw, seen = stream(50), 0
    while seen < 120:
        own = path(draw, tau)
        kinds = (MUTUAL, STRANGER)
        others = [
            row(*draw.uniform(-15, 15, 2), *velocity(draw), age=age, kind=kinds[k % 2])
            for k in range(int(draw.integers(1, 9)))
        ]
        ahead = [[o[0] + age * o[3], o[1] + age * o[4], *o[2:]] for o in others]
        if approach(own, ahead, tau) < 2.0:
            continue
        rows, how = scratch(), settings(tau)
        count = rows_of(how, own, others, rows, tau)
        if count == 0:
            continue
        seen += 1
        stop = stopping_command(own, A, tau)
        assert largest_violation(rows, count, *stop)[0] < 1e-9
        assert all(place[EXTRA] <= 0.0 for place in rows[:count])
        for wanted in draw.uniform(-10, 10, (5, 2)):
            assert nearest_command(rows, count, discs(own, A, tau, 10.0), *wanted, 1.0).found
    assert seen == 120


@pytest.mark.parametrize('tau', LAGS)
def test_a_row_is_the_rate_at_which_the_distance_changes(tau):
    """Against differences of the closest approach itself: m (acc - acc_0) = h'."""
    draw, d, seen = stream(51), 1e-5, 0
    how = settings(tau, gamma=0.01)
    while seen < 60:
        own, other = path(draw, tau), row(*draw.uniform(-8, 8, 2))
        if own.speed < 0.5 or not 2.0 < approach(own, [other], tau) < 6.0:
            continue
        rows = scratch()
        if pair_rows(how, own, [other], 0, rows, 0, tau) == 0:
            continue
        acc = np.array(braking_acceleration(own, A, tau)) + draw.uniform(-1, 1, 2)
        moved = braking_path(
            own.x + d * own.vx, own.y + d * own.vy,
            own.vx + d * acc[0], own.vy + d * acc[1], A, tau,
        )  # fmt: skip
        first = closest_approach(own, braking_path(*other[:2], 0.0, 0.0, A, tau), A, tau)
        if first.slope < 1e-6:
            continue
        gap = math.hypot(first.x, first.y)
        change = (approach(moved, [other], tau) - approach(own, [other], tau)) / d
        nx, ny = first.x / gap, first.y / gap
        mx = first.slope * (nx * own.ux + ny * own.uy)
        my = first.across * (-nx * own.uy + ny * own.ux)
        zero = np.array(braking_acceleration(own, A, tau))
        along = (acc - zero) @ (own.ux, own.uy)
        across = (acc - zero) @ (-own.uy, own.ux)
        assert change == pytest.approx(mx * along + my * across, abs=0.05)
        seen += 1


@pytest.mark.parametrize('kind', [MUTUAL, GHOST, STRANGER])
def test_agents_share_the_duty_and_leave_none_to_others(kind):
    own, rows = braking_path(0.0, 0.0, 2.0, 0.0, A, 1.0), scratch()
    how = settings(1.0, run_on=0.0, ghost_margin=0.0, gamma=2.0)
    count = pair_rows(how, own, [row(6.0, 0.0, kind=kind)], 0, rows, 0, 1.0)
    assert count == 1
    # h = 6 - 2 - 2 = 2; lag alone: the stopping point moves with the command
    most = -rows[0][BASE] - rows[0][EXTRA]
    assert most == pytest.approx(2.0 * 2.0 * (0.5 if kind == MUTUAL else 1.0))
    assert (rows[0][NX], rows[0][NY]) == (-1.0, 0.0)


def test_a_pair_that_is_too_near_must_part():
    own, rows = braking_path(0.0, 0.0, 0.0, 0.0, A, 1.0), scratch()
    count = pair_rows(settings(1.0, gamma=2.0), own, [row(1.5, 0.0)], 0, rows, 0, 1.0)
    found = nearest_command(rows, count, discs(own, A, 1.0, 10.0), 3.0, 0.0, 1.0)
    assert found.x == pytest.approx(-0.5 * 2.0 * 0.5)


def test_two_at_one_place_have_a_direction():
    one = braking_path(0.0, 0.0, 0.0, 0.0, A, 1.0)
    assert direction(0.0, 0.0, one, one) == (1.0, 0.0, 0.0)
    other = braking_path(0.0, -1.0, 0.0, 1.0, A, 1.0)
    assert direction(0.0, 0.0, one, other) == (0.0, 1.0, 0.0)


def test_broken_states_add_nothing():
    own = braking_path(0.0, 0.0, 2.0, 0.0, A, 1.0)
    for bad in (math.nan, math.inf):
        for others in ([row(bad, 0.0)], [row(1.0, 0.0, bad)], [row(1.0, 0.0, age=bad)]):
            rows = scratch()
            count = rows_of(settings(1.0), own, others, rows, 1.0)
            assert all(math.isfinite(v) for place in rows[:count] for v in place[:4])
