"""Every row of the table of cases of the last vertex, by its name."""

import math

import pytest
from support.polyline.runs import at, fly, line, name_of
from velocity_mobility_ros.core.polyline.follow_step import follow_step
from velocity_mobility_ros.core.polyline.records import FollowSettings

ORIGINAL = FollowSettings(cruise_speed=5.0, original=True, strict=True)
STRICT = FollowSettings(cruise_speed=5.0, strict=True)
LENIENT = FollowSettings(cruise_speed=5.0)
RULES = pytest.mark.parametrize(
    'settings', [ORIGINAL, STRICT, LENIENT], ids=['original', 'strict', 'lenient']
)

UNTIMED = line((0.0, 0.0, 0.0), (10.0, 0.0, 0.0))
TIMED = line((0.0, 0.0, 0.0), (10.0, 0.0, 0.0, 4.0))


@RULES
def test_f1_at_rest_near_and_untimed_is_finished(settings):
    state = at((9.92, 0.0, 0.0), UNTIMED)
    found = follow_step(UNTIMED, state, settings)
    assert (name_of(found.code), found.state) == ('FINISHED', state)


@RULES
@pytest.mark.parametrize('time', [3.98, 4.0, 4.03, 9.0])
def test_f2_at_rest_near_and_due_within_half_a_step_is_finished(settings, time):
    state = at((9.92, 0.0, 0.0), TIMED, time=time)
    found = follow_step(TIMED, state, settings)
    assert name_of(found.code) == 'FINISHED'
    assert found.state.position == state.position
    assert found.state.progress.lateness == pytest.approx(time - 4.0)


@RULES
@pytest.mark.parametrize('time', [0.0, 3.0, 3.97])
def test_f3_at_rest_near_and_due_later_waits(settings, time):
    state = at((9.92, 0.0, 0.0), TIMED, time=time)
    found = follow_step(TIMED, state, settings)
    assert name_of(found.code) == 'MOVED'
    assert (found.state.position, found.state.speed) == (state.position, 0.0)
    assert found.state.time == time + 0.05


@RULES
@pytest.mark.parametrize('vertices', [UNTIMED, TIMED], ids=['untimed', 'timed'])
def test_f4_at_rest_far_and_nearer_to_the_end_is_immobile(settings, vertices):
    state = at((9.0, 0.0, 0.0), vertices)
    found = follow_step(vertices, state, settings)
    if settings.strict:
        assert name_of(found.code) == 'IMMOBILE_SHORT_OF_FINAL'
        assert (found.vertex, found.state) == (1, state)
    else:
        assert name_of(found.code) == 'MOVED'
        assert found.state.speed > 0.0


@RULES
@pytest.mark.parametrize('vertices', [UNTIMED, TIMED], ids=['untimed', 'timed'])
def test_f4_at_rest_far_and_nearer_to_the_start_moves(settings, vertices):
    found = follow_step(vertices, at((1.0, 0.0, 0.0), vertices), settings)
    assert name_of(found.code) == 'MOVED'
    assert found.state.speed == pytest.approx(settings.limits.acceleration_rate * 0.05 * 0.05)


@RULES
@pytest.mark.parametrize('vertices', [UNTIMED, TIMED], ids=['untimed', 'timed'])
def test_f5_moving_and_near_brakes_along_the_heading(settings, vertices):
    state = at((9.95, 0.03, 0.0), vertices, speed=0.2, acceleration=-0.6)
    found = follow_step(vertices, state, settings)
    assert name_of(found.code) == 'MOVED'
    x, y, _ = found.state.position
    assert x > 9.95 and y == 0.03
    assert found.state.speed < 0.2


@RULES
@pytest.mark.parametrize('vertices', [UNTIMED, TIMED], ids=['untimed', 'timed'])
def test_f6_moving_and_far_moves_towards_the_end(settings, vertices):
    state = at((5.0, 1.0, 0.0), vertices, speed=1.0)
    found = follow_step(vertices, state, settings)
    assert name_of(found.code) == 'MOVED'
    x, y, _ = found.state.position
    assert x > 5.0 and (y - 1.0) / (x - 5.0) == pytest.approx(-0.2)


def test_past_the_end_the_body_stops_before_it_returns():
    """Started too close to stop it overshoots; its heading turns only once it is at rest."""
    vertices = line((0.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    flight = fly(vertices, at((0.0, 0.0, 0.0), vertices, speed=5.0), LENIENT)
    assert flight.end == 'FINISHED'
    xs = [state.position[0] for state in flight.states]
    furthest = xs.index(max(xs))
    assert xs[furthest] > 3.0
    assert xs[: furthest + 1] == sorted(xs[: furthest + 1])
    assert xs[furthest + 1 :] == sorted(xs[furthest + 1 :], reverse=True)
    assert flight.states[furthest].speed < 1e-9
    assert abs(xs[-1] - 2.0) <= 0.1
    turned = [state.attitude[2] for state in flight.states]
    assert all(abs(turn) < 1e-9 for turn in turned[:furthest])
    assert abs(turned[-1]) == pytest.approx(1.0)
    rate = LENIENT.limits.acceleration_rate * (1.0 + 1e-9)
    for before, after in zip(flight.states, flight.states[1:], strict=False):
        assert abs(after.acceleration - before.acceleration) <= rate * 0.05 + 1e-9


def test_past_the_end_strict_rules_say_that_it_stands_short():
    vertices = line((0.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    flight = fly(vertices, at((0.0, 0.0, 0.0), vertices, speed=5.0), STRICT)
    assert flight.end == 'IMMOBILE_SHORT_OF_FINAL'
    assert flight.states[-1].position[0] > 3.0


def test_a_segment_without_length_is_stopped_on_and_returned_to():
    vertices = line((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    flight = fly(vertices, at((0.0, 0.0, 0.0), vertices, speed=2.0), LENIENT)
    assert flight.end == 'FINISHED'
    assert max(state.position[0] for state in flight.states) > 0.3
    assert math.dist(flight.states[-1].position, (0.0, 0.0, 0.0)) <= 0.1
