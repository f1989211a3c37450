"""The way past silent bodies."""

import math

import pytest

from soliton_encirclement_ros.core.laws.filter_codes import NOBODY
from soliton_encirclement_ros.safety.braking import braking_path
from soliton_encirclement_ros.safety.filter_records import (
    GHOST, INDEX, START, Detour, FilterSettings, OwnState
)
from soliton_encirclement_ros.safety.pair_barrier import ghost_radius
from soliton_encirclement_ros.safety.passing import passage
from support.safety.draws import LIMITS, row, scratch, stream
from support.safety.plain_filter import filtered_plain
from velocity_mobility_ros.core.velocity_model import step

HOW = FilterSettings(LIMITS)
ERROR = ghost_radius(0.0, HOW.run_on, HOW.ghost_margin, 4.0, 1.0)
RADIUS = HOW.distance + ERROR + HOW.detour.clearance
"""Distance [m] at which a body is passed that stood still in its last message."""


def past(wx, wy, *bodies, own=(0.0, 0.0, 0.0, 0.0), how=HOW, side=0.0):
    """Return the way past bodies, from rest in the origin."""
    rows = scratch()
    for k in range(len(bodies)):
        rows[k][INDEX] = k
    return passage(
        how, braking_path(*own, 4.0, 1.0), list(bodies), rows, len(bodies), wx, wy, 1.0, side
    )


def dead(x, y, name=7):
    return row(x, y, kind=GHOST, name=name, age=10.0)


def miss(found, x, y):
    """Return how far [m] a direction from the origin passes a place."""
    return abs(found.x * y - found.y * x) / math.hypot(found.x, found.y)


@pytest.mark.parametrize(
    'body',
    [
        dead(-4.0, 0.5),
        dead(4.0, 4.0),
        dead(4.0, -4.0),
        dead(90.0, 0.0),
        row(4.0, 0.0),
    ],
    ids=['behind', 'left', 'right', 'far ahead', 'an agent that makes room'],
)
def test_a_wish_that_nobody_silent_is_in_the_way_of_stays_as_it_is(body):
    assert past(8.0, 0.0, body) == (8.0, 0.0, NOBODY, 0.0)


@pytest.mark.parametrize(('y', 'turned'), [(1.0, -1), (-1.0, 1), (0.0, -1)])
def test_it_is_turned_onto_the_nearer_tangent_and_keeps_its_speed(y, turned):
    found = past(8.0, 0.0, dead(6.0, y, name=4))
    assert math.hypot(found.x, found.y) == pytest.approx(8.0)
    assert found.y * turned > 0.0 and found.who == 4
    assert RADIUS - 1e-6 <= miss(found, 6.0, y) < RADIUS + 1e-3


def test_one_behind_another_is_passed_on_the_same_side():
    found = past(8.0, 0.0, dead(6.0, 0.5, name=1), dead(8.0, -3.0, name=2))
    assert found.who == 1
    assert min(miss(found, 6.0, 0.5), miss(found, 8.0, -3.0)) > RADIUS - 1e-6
    alone = past(8.0, 0.0, dead(6.0, 0.5))
    assert miss(alone, 8.0, -3.0) < RADIUS


def test_inside_the_ball_it_goes_no_nearer():
    found = past(8.0, 0.0, dead(2.2, 0.3))
    assert (2.2 * found.x + 0.3 * found.y) / 8.0 == pytest.approx(0.0, abs=1e-9)


def test_without_a_way_the_wish_stays():
    ring = [dead(3.0 * math.cos(k * 0.6), 3.0 * math.sin(k * 0.6), name=k) for k in range(8)]
    assert past(8.0, 0.0, *ring) == (8.0, 0.0, NOBODY, 0.0)


def test_no_turned_wish_leads_into_a_ball():
    draw, seen = stream(60), 0
    while seen < 300:
        bodies = [dead(*draw.uniform(-12, 12, 2), name=k) for k in range(int(draw.integers(1, 5)))]
        if min(math.hypot(*one[:2]) for one in bodies) < RADIUS + 0.2:
            continue
        found = past(8.0, 0.0, *bodies)
        if found.who == NOBODY:
            continue
        seen += 1
        # ``ahead`` bounds what is looked at: an own way of 16 m.
        for x, y, *_ in bodies:
            if found.x * x + found.y * y > 0.0 and math.hypot(x, y) < 16.0:
                assert miss(found, x, y) > RADIUS - 1e-5


@pytest.mark.parametrize('wall', [(-1.5, 1.5), (-7.5, -4.5, -1.5, 1.5, 4.5)], ids=len)
def test_a_wall_of_dead_bodies_is_passed(wall):
    with_it, without = (
        arrival(HOW._replace(detour=detour), [dead(15.0, y) for y in wall])
        for detour in (Detour(), Detour(slide=-1.0))
    )
    assert with_it < without


def arrival(how, bodies):
    """Fly from rest at bodies, to a goal behind them; return when it is reached [s]."""
    goal, memory, previous = (25.0, 0.0), START, (0.0, 0.0, 0.0)
    position, velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for tick in range(800):
        wish = (goal[0] - position[0], goal[1] - position[1])
        slow = max(1.0, math.hypot(*wish) / 8.0)
        own, wanted = OwnState(position, velocity), (wish[0] / slow, wish[1] / slow, 0.0)
        found = filtered_plain(how, own, wanted, previous, bodies, [], memory)
        memory, previous = found.memory, found.command
        position, velocity = step(position, velocity, previous, how.period, LIMITS)
        assert min(math.dist(position[:2], one[:2]) for one in bodies) > 1.95
        if math.dist(position[:2], goal) < 0.5:
            return tick * how.period
    return math.inf
