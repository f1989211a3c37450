"""The whole quadrotor: the series of the reference, hover, robustness, steps, ground, wind."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from support.vehicles.quadrotor_flights import ORIGIN, command, flown, specified
from velocity_mobility_ros.core.coordinate_frames import velocity_of
from velocity_mobility_ros.vehicles.quadrotor.quadrotor import (
    QUADROTOR, QuadrotorState, rotor_rpm, states12
)
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters
from velocity_mobility_ros.vehicles.quadrotor.rigid_body import RigidBodyState
from velocity_mobility_ros.vehicles.vehicle import Command

SERIES = {
    'vx_1': command((1, 0, 0), 0, True), 'vx_5': command((5, 0, 0), 0, True),
    'vy_m3': command((0, -3, 0), 0, True), 'vz_2': command((0, 0, 2), 0, True),
    'vz_m2': command((0, 0, -2), 0, True), 'yaw_rate_1': command((0, 0, 0), 1, True),
    'circle': command((4, 0, 0), 0.8, True), 'wind_5': command((0, 0, 0), 0, True),
    'go_stop': command((5, 0, 0), 0, True), 'over_limits': command((50, 0, 9), 9, True),
}  # fmt: skip


def row(parameters: QuadrotorParameters, state: QuadrotorState) -> list[float]:
    """Return a state in the columns of the reference, without time."""
    found = states12(state)
    x, y, _, _ = state.body.attitude
    tilt = math.acos(min(1.0, 1.0 - 2.0 * (x * x + y * y)))
    return [*found[:6], found[8], *found[9:], tilt, *rotor_rpm(parameters, state)]


@pytest.mark.parametrize('name', SERIES)
def test_flights_are_those_of_the_reference(reference: Callable[[str], Any], name: str) -> None:
    """Every sample of ten series, to 1e-9."""
    (series,) = [
        one for one in reference('vehicles.json')['closed_loop_quad'] if one['name'] == name
    ]
    parameters = specified(wind_east=float(series['wind'][0]))

    def wish(now: float) -> Command:
        return command((0, 0, 0)) if name == 'go_stop' and now > 4.995 else SERIES[name]

    states = flown(parameters, wish, series['duration'])
    assert series['samples'][-1][0] == series['duration']
    for sample in series['samples']:
        found = row(parameters, states[round(sample[0] / parameters.update_rate)])
        assert found == pytest.approx(sample[1:], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize('yaw', [-3.0, -0.5, 0.7, 3.1])
def test_hover_holds_place_at_any_heading(yaw: float) -> None:
    """Up to rounding of the heading."""
    start = QUADROTOR.at_rest((1.0, 2.0, 3.0), yaw, 0)
    end = flown(QuadrotorParameters(), command((0, 0, 0)), 1.0, start)[-1]
    assert end.body.position == (1.0, 2.0, 3.0)
    assert QUADROTOR.motion(end).yaw == pytest.approx(yaw, abs=1e-15)


def test_the_limits_of_the_common_record_hold() -> None:
    """Speed, climb, descent, acceleration, for agents that rely on them; but for overshoot."""
    parameters = QuadrotorParameters(max_speed_xy=4.0, max_speed_z=1.0, max_acc_xy=3.0)
    for up in (9.0, -9.0):
        states = flown(parameters, command((30, 40, up)), 6.0)
        speeds = [state.body.velocity for state in states]
        assert max(math.hypot(x, y) for x, y, _ in speeds) < 4.0 * 1.02
        assert max(abs(z) for _, _, z in speeds) < 1.0 * 1.07
        gains = [math.dist(a[:2], b[:2]) / 0.01 for a, b in itertools.pairwise(speeds)]
        assert max(gains) < 3.0 * 1.2


BIG = st.floats(-1e300, 1e300)
PLACE = st.tuples(*[st.floats(-1e6, 1e6)] * 3)
RATES = st.tuples(*[st.floats(-100.0, 100.0)] * 3)


@settings(max_examples=60)
@given(PLACE, PLACE, RATES, st.tuples(BIG, BIG, BIG), BIG, st.floats(-3.1, 3.1))
def test_finite_in_finite_out(position, velocity, rates, wish, yaw_rate, turn) -> None:
    """Whatever the state and the command; the attitude stays a unit quaternion."""
    half = math.sin(turn / 2) / math.sqrt(3.0)
    rest = QUADROTOR.at_rest(ORIGIN, 0.0, 0)
    body = RigidBodyState(position, velocity, (half, half, half, math.cos(turn / 2)), rates)
    state = rest._replace(body=body)
    parameters = QuadrotorParameters(gust_intensity=2.0)
    for in_body in (False, True):
        end = flown(parameters, Command(wish, yaw_rate, in_body), 0.1, state)[-1]
        assert all(map(math.isfinite, states12(end)))
        assert math.hypot(*end.body.attitude) == pytest.approx(1.0, abs=1e-12)


def test_lands_and_takes_off() -> None:
    """On the ground it stands; a command upwards lifts it."""
    parameters = QuadrotorParameters(ground=0.0)
    start = QUADROTOR.at_rest((0.0, 0.0, 1.0), 0.0, 0)
    down = flown(parameters, command((0.5, 0, -1)), 5.0, start)[-1]
    assert down.body.position[2] == pytest.approx(0.0, abs=1e-9)
    assert abs(down.body.velocity[2]) < 1e-9
    up = flown(parameters, command((0, 0, 1)), 5.0, down)[-1]
    assert up.body.position[2] > 1.0


def test_gusts_move_it_and_are_those_of_its_seed() -> None:
    """Two bodies with two seeds differ, one is the same again."""
    parameters = QuadrotorParameters(wind_east=5.0, gust_intensity=1.5)
    here, there, again = (
        flown(parameters, command((0, 0, 0)), 20.0, QUADROTOR.at_rest((0.0, 0.0, 9.0), 0.0, seed))
        for seed in (1, 2, 1)
    )
    assert here == again
    assert 0.05 < math.dist(here[-1].body.velocity, there[-1].body.velocity) < 5.0


def test_the_odometry_has_the_attitude_and_the_velocity_in_the_body() -> None:
    """Tilted by the drag, the nose down: forward and up in the body make ahead in map."""
    state = flown(QuadrotorParameters(), command((8, 0, 0)), 10.0)[-1]
    found = QUADROTOR.attitude(state)
    assert found.rotation == state.body.attitude
    assert found.angular == state.body.rates
    assert found.linear[0] > 7.0
    assert found.linear[2] > 0.5
    assert QUADROTOR.motion(state).velocity == velocity_of(found)
    assert velocity_of(found) == pytest.approx(state.body.velocity)
