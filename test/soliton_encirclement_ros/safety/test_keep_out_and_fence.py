"""No flight leaves the fence or comes near target and adversaries, whatever is wanted."""

import math

import pytest

from soliton_encirclement_ros.core.fences import distance_inside, is_inside, ring_edges
from soliton_encirclement_ros.core.laws.filter_codes import FENCE, KEEP_OUT
from soliton_encirclement_ros.safety.braking import braking_path
from soliton_encirclement_ros.safety.filter_records import (
    ADVERSARY, FENCE_ROWS, MUTUAL, START, TARGET, FilterSettings, OwnState
)
from soliton_encirclement_ros.safety.fixed_barriers import fence_rows, first_crossing, radius_of
from support.safety.draws import LIMITS, QUICK, row, scratch, stream
from support.safety.plain_filter import filtered_plain
from velocity_mobility_ros.core.velocity_model import step


def flight(limits, kind, body, wish, seconds=20.0, radius=5.0):
    """Fly and return the least distance, the last position and all reasons."""
    settings = FilterSettings(limits, target_radius=radius, adversary_radius=radius)
    p, v, memory, least, reasons = (0.0,) * 3, (0.0,) * 3, START, math.inf, set()
    bx, by, wx, wy = body
    for _ in range(round(seconds / 0.05)):
        others = [row(bx, by, wx, wy, kind=kind, name=3)]
        found = filtered_plain(settings, OwnState(p, v), wish, wish, others, [], memory)
        memory, reasons = found.memory, reasons | {(found.reason, found.pusher)}
        for _ in range(5):
            p, v = step(p, v, found.command, 0.01, limits)
            bx, by = bx + 0.01 * wx, by + 0.01 * wy
            least = min(least, math.hypot(p[0] - bx, p[1] - by))
    return least, p, reasons


@pytest.mark.parametrize('limits', [LIMITS, QUICK])
@pytest.mark.parametrize('kind', [TARGET, ADVERSARY])
def test_a_body_in_the_way_is_passed(limits, kind):
    least, p, reasons = flight(limits, kind, (20.0, 0.0, 0.0, 0.0), (6.0, 0.0, 0.0))
    assert least > 4.8
    assert p[0] > 40.0
    assert (KEEP_OUT, 3) in reasons


@pytest.mark.parametrize('limits', [LIMITS, QUICK])
def test_one_that_comes_is_left(limits):
    least, _, reasons = flight(limits, TARGET, (20.0, 0.0, -3.0, 0.0), (0.0, 0.0, 0.0), 12.0)
    assert least > 4.8
    assert (KEEP_OUT, 3) in reasons


def test_without_a_radius_it_is_passed_through():
    least, _, reasons = flight(LIMITS, TARGET, (20.0, 0.0, 0.0, 0.0), (6.0, 0.0, 0.0), 20.0, 0.0)
    assert least < 0.5
    assert reasons == {(0, -1)}


def test_the_older_a_report_the_more_room_is_left():
    """A body may have moved off meanwhile, at the largest acceleration."""
    settings, rest, found = FilterSettings(LIMITS, target_radius=5.0, gamma=4.0), (0.0,) * 3, []
    for age in (0.0, 0.2):
        body = row(5.5, 0.0, kind=TARGET, age=age)
        own, wish = OwnState(rest, rest), (6.0, 0.0, 0.0)
        found.append(filtered_plain(settings, own, wish, rest, [body], [], START).command[0])
    assert found[1] == pytest.approx(found[0] - 4.0 * 0.5 * 4.0 * 0.2**2)


def test_only_target_and_adversaries_have_one():
    settings = FilterSettings(LIMITS, target_radius=1.0, adversary_radius=2.0)
    assert [radius_of(settings, kind) for kind in (TARGET, ADVERSARY, MUTUAL)] == [1.0, 2.0, 0.0]


SQUARE = [(-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)]
HOLE = [(4.0, -3.0), (9.0, -3.0), (9.0, 3.0)]
NOTCH = [(-20, -20), (20, -20), (20, 20), (5, 20), (5, -2), (-5, -2), (-5, 20), (-20, 20)]
FENCES = [ring_edges(SQUARE), ring_edges(SQUARE, HOLE), ring_edges(NOTCH)]


@pytest.mark.parametrize(('place', 'distance'), [
    ((0.0, 0.0), 5.0), ((-18.0, 5.0), 2.0), ((21.0, 21.0), -math.sqrt(2.0)), ((8.0, -1.0), -1.0),
])  # fmt: skip
def test_the_distance_to_the_fence_is_negative_outside_and_in_a_hole(place, distance):
    assert distance_inside(ring_edges(SQUARE, HOLE), *place) == pytest.approx(distance)


def fly(fence, limits, p, wishes, seconds=60.0, change=40):
    """Fly by wishes and return the least distance to the fence and the reasons."""
    settings = FilterSettings(limits)
    v, memory, least, reasons = (0.0,) * 3, START, math.inf, set()
    for k in range(round(seconds / 0.05)):
        wish = wishes[(k // change) % len(wishes)]
        found = filtered_plain(settings, OwnState(p, v), wish, wish, [], fence, memory)
        memory, reasons = found.memory, reasons | {found.reason}
        for _ in range(5):
            p, v = step(p, v, found.command, 0.01, limits)
            least = min(least, distance_inside(fence, p[0], p[1]))
    return least, reasons, p


@pytest.mark.parametrize('limits', [LIMITS, QUICK])
@pytest.mark.parametrize('fence', FENCES, ids=['square', 'hole', 'notch'])
def test_random_wishes_stay_inside(fence, limits):
    draw = stream(90)
    wishes = [(*draw.uniform(-12.0, 12.0, 2), 0.0) for _ in range(30)]
    least, reasons, _ = fly(fence, limits, (-10.0, -10.0, 0.0), wishes)
    assert least > 0.3
    assert FENCE in reasons


@pytest.mark.parametrize('limits', [LIMITS, QUICK])
def test_into_a_corner_and_against_a_hole(limits):
    least, _, p = fly(FENCES[1], limits, (-10.0, 0.0, 0.0), [(9.0, 9.0, 0.0)], 20.0)
    assert least > 0.3
    assert p[0] > 18.0
    assert p[1] > 18.0
    least, _, _ = fly(FENCES[1], limits, (-10.0, 0.0, 0.0), [(9.0, 0.0, 0.0)], 20.0)
    assert least > 0.3


def test_a_vehicle_outside_comes_back():
    _, reasons, p = fly(FENCES[0], LIMITS, (24.0, 3.0, 0.0), [(5.0, 0.0, 0.0)], 20.0)
    assert distance_inside(FENCES[0], p[0], p[1]) > 0.3
    assert FENCE in reasons


def test_without_a_fence_there_are_no_rows():
    own = braking_path(0.0, 0.0, 3.0, 0.0, 4.0, 1.0)
    assert fence_rows(FilterSettings(LIMITS), own, [], scratch(), 5, 1.0) == 5


def test_of_many_edges_the_nearest_count():
    circle = [(10 * math.cos(0.05 * k), 10 * math.sin(0.05 * k)) for k in range(126)]
    own = braking_path(8.0, 0.0, 1.0, 0.0, 4.0, 1.0)
    rows = scratch()
    count = fence_rows(FilterSettings(LIMITS), own, ring_edges(circle), rows, 0, 1.0)
    assert count == FENCE_ROWS
    least, _, _ = fly(ring_edges(circle), LIMITS, (0.0, 0.0, 0.0), [(7.0, 3.0, 0.0)], 10.0)
    assert least > 0.3


def test_inside_and_crossing():
    assert is_inside(FENCES[1], 0.0, 0.0)
    assert not is_inside(FENCES[1], 8.5, 0.0)
    assert not is_inside(FENCES[2], 0.0, 10.0)
    own = braking_path(10.0, 0.0, 10.0, 0.0, 4.0, 1.0)
    assert first_crossing(FENCES[0], own) == pytest.approx(10.0)
    back = braking_path(10.0, 10.0, -1.0, 0.0, 4.0, 1.0)
    assert first_crossing(FENCES[0], back) == back.length
