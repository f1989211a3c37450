"""What holds for any polyline with the robust rules; machine code gives the same bits."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.polyline.runs import Flight, at, fly, line
from velocity_mobility_ros.core.trajectory.polyline import first_shortfall, needed_time, polyline
from velocity_mobility_ros.core.trajectory.polyline_follower import follow_step
from velocity_mobility_ros.core.trajectory.polyline_records import FollowSettings, SpeedLimits

LIMITS = st.builds(
    SpeedLimits,
    st.floats(3.0, 15.0),
    st.floats(1.0, 8.0),
    st.floats(2.0, 12.0),
    st.floats(1.0, 8.0),
    st.floats(2.0, 12.0),
)
STEP = st.sampled_from((1.0 / 30.0, 0.05, 0.1))
PLACE = st.tuples(st.floats(-20.0, 20.0), st.floats(-20.0, 20.0), st.floats(-10.0, 10.0))
NONE = math.nan
FEW = settings(max_examples=40)


@st.composite
def flights(draw: st.DrawFn, timed: str = 'any') -> tuple[FollowSettings, np.ndarray, float]:
    """Draw settings, vertices, and a speed at the start; ``timed``: any, last or none.

    Every timed leg has as much time as the pre-check wants, or more.
    """
    limits, dt = draw(LIMITS), draw(STEP)
    speed = limits.max_speed
    how = FollowSettings(limits, draw(st.one_of(st.just(NONE), st.floats(1.0, speed))), dt)
    places = draw(st.lists(PLACE, min_size=2, max_size=5))
    vertices = np.array([[*place, NONE] for place in places])
    length = time = 0.0
    for i in range(1, len(places)):
        length += math.dist(places[i - 1], places[i])
        is_timed = draw(st.booleans()) if timed == 'any' else i == len(places) - 1
        if is_timed and timed != 'none':
            spare = draw(st.floats(0.0, 1.0))
            time += needed_time(length, how) * (1.0 + spare)
            time = math.ceil(time / dt) * dt
            vertices[i, 3], length = time, 0.0
    return how, vertices, draw(st.floats(0.0, speed))


def flown(how: FollowSettings, vertices: np.ndarray, speed: float = 0.0) -> Flight:
    return fly(
        vertices, at(vertices[0, :3], vertices, speed=speed), how, 6000, compiled(follow_step)
    )


def check_limits(how: FollowSettings, flight: Flight) -> None:
    """Check jerk, acceleration and speed of a flight that began within them."""
    limits, dt = how.limits, how.dt
    for before, after in itertools.pairwise(flight.states):
        change = after.acceleration - before.acceleration
        assert change <= limits.acceleration_rate * dt + 1e-7
        assert change >= -limits.deceleration_rate * dt - 1e-7
        assert -limits.max_deceleration - 1e-7 <= after.acceleration
        assert after.acceleration <= limits.max_acceleration + 1e-7
        assert -1e-9 <= after.speed <= limits.max_speed + 1e-9


@FEW
@given(flights())
def test_every_flight_ends_at_the_end_within_all_limits(drawn):
    how, vertices, speed = drawn
    flight = flown(how, vertices, speed)
    assert flight.end == 'FINISHED'
    assert math.dist(flight.states[-1].position, vertices[-1, :3]) <= 0.1
    check_limits(how, flight)


@FEW
@given(flights('last'))
def test_a_body_is_there_in_time_where_the_check_allows(drawn):
    """A body at rest that has the time that the pre-check wants is there within half a step.

    A last segment that is shorter than what the body may stop short costs a step more.
    """
    how, vertices, _ = drawn
    assume(math.dist(vertices[-2, :3], vertices[-1, :3]) > 0.5)
    assert first_shortfall(polyline(vertices), how, 0.0) is None
    flight = flown(how, vertices)
    assert flight.end == 'FINISHED'
    assert abs(flight.states[-1].time - vertices[-1, 3]) <= how.dt / 2.0 + 1e-9
    assert abs(flight.states[-1].progress.lateness) <= how.dt / 2.0 + 1e-9


@FEW
@given(flights('none'))
def test_the_cruise_speed_holds(drawn):
    """Without times no body is faster than its cruise speed, or than at the start."""
    how, vertices, speed = drawn
    cruise = how.limits.max_speed if math.isnan(how.cruise_speed) else how.cruise_speed
    for state in flown(how, vertices, speed).states:
        assert state.speed <= max(cruise, speed) + 1e-9


def test_a_vertex_given_twice_does_not_stop_the_body():
    how = FollowSettings(SpeedLimits(3.0, 1.0, 2.0, 1.0, 2.0), dt=1.0 / 30.0)
    vertices = line((0, 0, 0), (1, 0, 1), (1, 0, 1))
    flight = fly(vertices, at((0, 0, 0), vertices), how, 300)
    assert flight.end == 'FINISHED'


ROUND_TRIP = line((0, 0, 0), (5, 0, 0, 3.0), (5, 5, 2), (0, 0, 0, 4.0), (0, 0, 0))
SHORT = line((0, 0, 0), (2, 0, 0))


@pytest.fixture(scope='module')
def step() -> Any:
    """Return the compiled step."""
    return compiled(follow_step)


def same(step: Any, vertices: np.ndarray, state: Any, how: FollowSettings, steps: int) -> None:
    plain = fly(vertices, state, how, steps)
    fast = fly(vertices, state, how, steps, step)
    assert fast.end == plain.end
    for one, other in zip(plain.states, fast.states, strict=True):
        assert repr(one) == repr(plain_numbers(other))


def plain_numbers(state: Any) -> Any:
    """Return a state with its flag as Python has it."""
    return state._replace(progress=state.progress._replace(closed=bool(state.progress.closed)))


@pytest.mark.parametrize('cuts_corners', [False, True])
@pytest.mark.parametrize('strict', [False, True])
@pytest.mark.parametrize('original', [False, True])
def test_modes_are_equal_to_the_bit(step, original, strict, cuts_corners):
    how = FollowSettings(
        cruise_speed=4.0, original=original, strict=strict, cuts_corners=cuts_corners
    )
    same(step, SHORT, at((0, 0, 0), SHORT, speed=5.0), how, 200)
    start = at((0, 0, 0), ROUND_TRIP, base_time=0.0, closed=True)
    same(step, ROUND_TRIP, start, how, 150)
    same(step, SHORT, at((0, math.nan, 0), SHORT), how, 2)


