"""Every row of the table of cases of the last vertex (f) and of any other (m), by its name."""

import math

import numpy as np
import pytest

from support.polyline.runs import at, fly, line, name_of
from velocity_mobility_ros.core.trajectory.polyline_follower import follow_step
from velocity_mobility_ros.core.trajectory.polyline_records import FollowSettings

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


def test_a_segment_without_length_is_stopped_on_and_returned_to():
    vertices = line((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    flight = fly(vertices, at((0.0, 0.0, 0.0), vertices, speed=2.0), LENIENT)
    assert flight.end == 'FINISHED'
    assert max(state.position[0] for state in flight.states) > 0.3
    assert math.dist(flight.states[-1].position, (0.0, 0.0, 0.0)) <= 0.1


AS_TESTED = FollowSettings(cruise_speed=5.0, cuts_corners=True)
ALL_RULES = pytest.mark.parametrize(
    'settings',
    [ORIGINAL, STRICT, LENIENT, AS_TESTED],
    ids=['original', 'strict', 'lenient', 'cuts_corners'],
)

MIDDLE_UNTIMED = line((0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (10.0, 40.0, 0.0))
MIDDLE_TIMED = line((0.0, 0.0, 0.0), (10.0, 0.0, 0.0, 4.0), (10.0, 40.0, 0.0))


@ALL_RULES
def test_m3_reached_and_untimed_is_passed(settings):
    found = follow_step(MIDDLE_UNTIMED, at((9.95, 0.0, 0.0), MIDDLE_UNTIMED, speed=3.0), settings)
    assert name_of(found.code) == 'MOVED'
    assert found.state.progress.left == 2
    assert found.state.position[1] > 0.0


@ALL_RULES
@pytest.mark.parametrize('time', [3.98, 4.0, 4.03])
def test_m4_reached_and_due_is_passed(settings, time):
    state = at((9.95, 0.0, 0.0), MIDDLE_TIMED, speed=3.0, time=time)
    found = follow_step(MIDDLE_TIMED, state, settings)
    assert name_of(found.code) == 'MOVED'
    assert found.state.progress.left == 2
    assert found.state.progress.lateness == pytest.approx(time - 4.0)


@ALL_RULES
def test_m5_due_and_not_reached_is_an_error_or_late(settings):
    """The original plans first, and its controller may fail before."""
    state = at((9.3, 0.0, 0.0), MIDDLE_TIMED, speed=3.0, time=4.0)
    found = follow_step(MIDDLE_TIMED, state, settings)
    if settings.strict:
        assert name_of(found.code) == 'TIMED_WAYPOINT_NOT_REACHED'
        assert (found.vertex, found.state) == (1, state)
    else:
        assert name_of(found.code) == 'MOVED'
        assert found.state.position[0] > 9.3


def test_a_late_vertex_loses_its_time_and_its_lateness_is_reported():
    flight = fly(MIDDLE_TIMED, at((5.0, 0.0, 0.0), MIDDLE_TIMED, speed=3.0, time=4.0), LENIENT)
    assert flight.end == 'FINISHED'
    missed = [state for state in flight.states if state.progress.waived]
    assert missed[0].progress.lateness == pytest.approx(0.1)
    passed = next(state for state in flight.states if state.progress.passed)
    assert flight.states[-1].progress.lateness == pytest.approx(passed.time - 0.05 - 4.0)
    assert flight.states[-1].progress.due == 4.0


@pytest.mark.parametrize('original', [True, False])
def test_a_missed_arrival_time_has_one_step_of_grace(original):
    settings = FollowSettings(cruise_speed=5.0, original=original, strict=True)
    for time, code in ((4.04, 'TIMED_WAYPOINT_NOT_REACHED'), (4.06, 'ARRIVAL_TIME_MISSED')):
        state = at((9.0, 0.0, 0.0), MIDDLE_TIMED, speed=2.0, time=time)
        found = follow_step(MIDDLE_TIMED, state, settings)
        assert (name_of(found.code), found.vertex) == (code, 1)


@ALL_RULES
def test_several_vertices_are_passed_in_one_step(settings):
    vertices = line((0, 0, 0), (0.02, 0, 0), (0.04, 0, 0), (0.06, 0, 0), (40, 0, 0))
    found = follow_step(vertices, at((0.0, 0.0, 0.0), vertices, speed=4.0), settings)
    assert name_of(found.code) == 'MOVED'
    assert found.state.progress.left == 2
    assert found.state.position[0] == pytest.approx(0.2, abs=0.01)


def test_the_robust_rules_stay_on_the_polyline():
    vertices = line((0, 0, 0), (10, 0, 0), (10, 10, 0), (0, 10, 5))
    flight = fly(vertices, at((0.0, 0.0, 0.0), vertices), LENIENT)
    cut = fly(vertices, at((0.0, 0.0, 0.0), vertices), AS_TESTED)
    assert max(off(state.position, vertices) for state in flight.states[:-40]) < 1e-9
    assert max(off(state.position, vertices) for state in cut.states) > 0.02


def off(position, vertices) -> float:
    """Return the distance of a point from a polyline."""
    p, found = np.array(position), math.inf
    for a, b in zip(vertices[:-1, :3], vertices[1:, :3], strict=True):
        share = min(max(float((p - a) @ (b - a) / ((b - a) @ (b - a))), 0.0), 1.0)
        found = min(found, float(np.linalg.norm(p - a - share * (b - a))))
    return found


def test_relative_times_count_from_the_last_timed_vertex():
    vertices = line((0, 0, 0), (10, 0, 0, 5.0), (20, 0, 0), (40, 0, 0, 8.0))
    start = at((0.0, 0.0, 0.0), vertices, time=100.0, base_time=100.0)
    flight = fly(vertices, start, LENIENT)
    assert flight.end == 'FINISHED'
    assert flight.states[-1].progress.base_time == pytest.approx(105.0)
    assert flight.states[-1].time == pytest.approx(113.0, abs=0.025)


def test_a_closed_polyline_goes_round_and_round():
    vertices = line((0, 0, 0), (10, 0, 0), (10, 10, 0), (0, 10, 0))
    flight = fly(vertices, at((0.0, 0.0, 0.0), vertices, closed=True), LENIENT, 700)
    assert flight.end == 'MOVED'
    assert {state.progress.left for state in flight.states} == {4}
    assert flight.states[-1].progress.passed > 8


@pytest.mark.parametrize('cuts_corners', [True, False])
def test_a_closed_polyline_at_one_place_is_no_endless_loop(cuts_corners):
    vertices = line((1, 1, 0), (1, 1, 0), (1, 1, 0))
    settings = FollowSettings(cruise_speed=5.0, cuts_corners=cuts_corners)
    found = follow_step(vertices, at((1.0, 1.0, 0.0), vertices, closed=True), settings)
    assert name_of(found.code) in ('ENDLESS_ADVANCE', 'MOVED')
    if cuts_corners:
        assert name_of(found.code) == 'ENDLESS_ADVANCE'
