"""Target and adversaries keep their distance, resting or flying."""

import math

import pytest
from soliton_encirclement_ros.safety.codes import ADVERSARY, KEEP_OUT, MUTUAL, TARGET
from soliton_encirclement_ros.safety.keep_out import radius_of
from soliton_encirclement_ros.safety.records import START, FilterSettings, OwnState
from support.safety.draws import LIMITS, QUICK, row
from support.safety.plain_filter import filtered_plain
from velocity_mobility_ros.core.model import step


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


def test_only_target_and_adversaries_have_one():
    settings = FilterSettings(LIMITS, target_radius=1.0, adversary_radius=2.0)
    assert [radius_of(settings, kind) for kind in (TARGET, ADVERSARY, MUTUAL)] == [1.0, 2.0, 0.0]
