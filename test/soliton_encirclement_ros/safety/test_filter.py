"""The filter as a whole: wishes that are fine pass to the bit, all others have a reason."""

import math

import pytest

from soliton_encirclement_ros.core.fences import ring_edges
from soliton_encirclement_ros.core.laws.filter_codes import (
    BAND, FENCE, KEEP_OUT, LIMITS as LIMITED, NOBODY, NONE, REASONS, RELAXED, SEPARATION, STOP
)
from soliton_encirclement_ros.safety.filter import RESULT, filter_into
from soliton_encirclement_ros.safety.filter_records import (
    GHOST, START, STILL, TARGET, FilterMemory, FilterSettings, OwnState
)
from support.safety.draws import LAGS, LIMITS, row, scratch, stream, velocity
from support.safety.plain_filter import filtered_plain
from velocity_mobility_ros.core.velocity_model import command_velocity

REST = OwnState(STILL, STILL)
SETTINGS = FilterSettings(LIMITS, target_radius=5.0, lowest=-5.0, highest=5.0)
FENCE_20 = ring_edges([(-20, -20), (20, -20), (20, 20), (-20, 20)])


def run(wanted, others=(), own=REST, fence=(), settings=SETTINGS, memory=START, previous=STILL):
    return filtered_plain(settings, own, wanted, previous, list(others), list(fence), memory)


def test_a_wish_that_is_fine_passes_to_the_bit():
    wanted = (0.1 + 0.2, -1.7, 0.3)
    found = run(wanted, [row(30, 0)], fence=FENCE_20)
    assert found == (wanted, NONE, NOBODY, START)


def test_a_saturating_wish_passes_too():
    """It asks for more than the largest acceleration; the vehicle limits it by itself."""
    assert run((9.0, 0.0, 0.0)).command == (9.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ('wanted', 'others', 'own', 'reason', 'pusher'),
    [
        ((8.0, 0.0, 0.0), [row(9, 9), row(3, 0, name=4)], REST, SEPARATION, 4),
        ((8.0, 0.0, 0.0), [row(3, 0, kind=GHOST, name=6)], REST, SEPARATION, 6),
        ((8.0, 0.0, 0.0), [row(5, 0, kind=TARGET, name=5)], REST, KEEP_OUT, 5),
        ((8.0, 0.0, 0.0), [], OwnState((19.0, 0.0, 0.0), STILL), FENCE, NOBODY),
        ((0.0, 0.0, 4.0), [], OwnState((0.0, 0.0, 4.9), STILL), BAND, NOBODY),
        ((30.0, 0.0, 0.0), [], REST, LIMITED, NOBODY),
        ((0.0, 0.0, 30.0), [], REST, LIMITED, NOBODY),
        ((1.0, 1.0, 0.0), [row(1, 0, name=1), row(-1, 0, name=2)], REST, RELAXED, 1),
    ],
)
def test_reasons(wanted, others, own, reason, pusher):
    found = run(wanted, others, own, FENCE_20)
    assert (REASONS[found.reason], found.pusher) == (REASONS[reason], pusher)
    assert found.command != wanted


@pytest.mark.parametrize('bad', [math.nan, math.inf])
@pytest.mark.parametrize('where', ['wanted', 'previous', 'position', 'velocity'])
def test_a_broken_input_stops(bad, where):
    broken = (0.0, bad, 0.0)
    own = {'position': OwnState(broken, STILL), 'velocity': OwnState(STILL, broken)}
    found = run(
        broken if where == 'wanted' else (1.0, 0.0, 0.0),
        own=own.get(where, REST),
        previous=broken if where == 'previous' else STILL,
    )
    assert found == (STILL, STOP, NOBODY, START)


@pytest.mark.parametrize('k', [2, 3])
def test_a_vehicle_that_cannot_brake_stops(k):
    limits = tuple(0.0 if i == k else value for i, value in enumerate(LIMITS))
    found = run((1.0, 0.0, 0.0), settings=FilterSettings(limits))
    assert found.reason == STOP


@pytest.mark.parametrize('tau', [*LAGS, math.nan])
def test_every_scene_has_a_finite_command_within_the_limits(tau):
    draw, reasons = stream(100), set()
    settings = FilterSettings((10.0, 5.0, 4.0, 5.0, tau, tau), target_radius=4.0, highest=9.0)
    for _ in range(300):
        others = [
            row(*draw.uniform(-9, 9, 2), *velocity(draw), z=draw.uniform(-4, 4),
                age=draw.uniform(0, 2), kind=int(draw.integers(0, 6)))
            for _ in range(12)
        ]  # fmt: skip
        own = OwnState((*draw.uniform(-9, 9, 2), 0.0), (*velocity(draw), 1.0))
        wanted = (*draw.uniform(-15, 15, 2), draw.uniform(-9, 9))
        memory = FilterMemory(draw.uniform(0, 6), float(draw.integers(-1, 2)))
        found = run(wanted, others, own, FENCE_20, settings, memory)
        assert all(map(math.isfinite, found.command))
        assert math.hypot(*found.command[:2]) <= 10.0 * (1 + 1e-12)
        assert abs(found.command[2]) <= 5.0
        assert found.reason != STOP
        reasons.add(found.reason)
    assert {SEPARATION, KEEP_OUT, RELAXED} <= reasons


def test_a_vehicle_above_its_largest_speed_is_asked_for_no_more_than_that():
    """Somebody is ahead, so the filter acts; the vehicle cannot be that slow within a period."""
    fast = OwnState(STILL, (16.0, 0.0, 0.0))
    found = run((10.0, 0.0, 0.0), [row(20, 0)], fast)
    assert found.reason in (SEPARATION, RELAXED)
    assert math.hypot(*found.command) <= 10.0 * (1 + 1e-12)


def test_the_row_of_results_is_the_record():
    others, wanted = [row(3, 0, name=4)], (8.0, 0.0, 0.0)
    expected = run(wanted, others, memory=FilterMemory(0.4, 1.0))
    result = [0.0] * (RESULT - 2) + [0.4, 1.0]
    reason = filter_into(SETTINGS, REST, wanted, STILL, others, [], scratch(), result)
    assert reason == expected.reason
    assert result == [*expected.command, expected.pusher, *expected.memory]


def test_a_wish_at_full_speed_passes_to_the_bit():
    """Laws end at the largest speed, up to rounding; that is no change and has no reason."""
    for k in range(2000):
        wish = command_velocity(20.0 * math.cos(k), 20.0 * math.sin(k), 0.0, 10.0, 5.0)
        found = run(wish)
        assert (found.command, found.reason) == (wish, NONE)
    assert run((10.0 + 1e-6, 0.0, 0.0)).reason == LIMITED
