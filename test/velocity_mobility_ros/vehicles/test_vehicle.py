"""The contract of a vehicle, over the whole family; when it is updated, steps that it flies."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from support.vehicles.integrator import INTEGRATOR, NAME, integrator, registered
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import VEHICLE_NAMES, MobilityParameters
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters
from velocity_mobility_ros.vehicles.simulated_body import Body
from velocity_mobility_ros.vehicles.step_response import (
    CommandStep, fly_steps, step_figures, usual_steps
)
from velocity_mobility_ros.vehicles.vehicle import (
    VEHICLES, UpdateClock, Vehicle, due_updates, parameters_of, try_vehicle
)

__all__ = ['integrator']

FAMILY = pytest.mark.parametrize('kind', [*VEHICLES.values(), INTEGRATOR], ids=[*VEHICLES, NAME])
START = (0.0, 0.0, 5.0)


def body_of(kind: Vehicle) -> Body:
    """Return a body of some type at rest."""
    with registered():
        return Body(kind.parameters(), START)


@FAMILY
def test_time_passes_only_in_step(kind: Vehicle) -> None:
    """A command alone moves nothing."""
    body = body_of(kind)
    body.command((3.0, 0.0, 0.0), 0.2)
    assert body.motion == (START, 0.0, (0.0, 0.0, 0.0), 0.0)


@FAMILY
def test_starts_where_it_is_put(kind: Vehicle) -> None:
    """Position and heading, at rest."""
    assert kind.motion(kind.at_rest(START, 0.5, 0)) == (START, 0.5, (0.0, 0.0, 0.0), 0.0)


@FAMILY
def test_goes_where_it_is_told(kind: Vehicle) -> None:
    """After ten seconds of one command within its limits the body moves by it."""
    body = body_of(kind)
    able = body.parameters
    share = min(1.0, able.max_speed_xy / 4.0)
    wish = (3.0 * share, -2.0 * share, min(0.5, able.max_speed_z))
    body.command(wish, 0.0)
    for _ in range(1001):
        body.step()
    assert body.motion.velocity == pytest.approx(wish, abs=0.05)


@FAMILY
def test_a_command_in_the_body_frame_turns_with_the_body(kind: Vehicle) -> None:
    """Ahead of a nose that points to the north, and from there a turn to the west."""
    with registered():
        body = Body(kind.parameters(), START, math.pi / 2.0)
    body.command((2.0, 0.0, 0.0), 0.0, in_body=True)
    for _ in range(1001):
        body.step()
    assert body.motion.velocity == pytest.approx((0.0, 2.0, 0.0), abs=0.05)
    body.command((2.0, 0.0, 0.0), 0.3, in_body=True)
    for _ in range(round(math.pi / 2.0 / 0.3 / body.parameters.update_rate)):
        body.step()
    assert body.motion.velocity == pytest.approx((-2.0, 0.0, 0.0), abs=0.8)


@pytest.mark.parametrize('kind', list(VEHICLES.values()), ids=list(VEHICLES))
def test_stays_finite_and_within_speed(kind: Vehicle) -> None:
    """Neither a huge nor an undefined command breaks the limits."""
    body = body_of(kind)
    for wish in ((1e9, -1e9, 1e9), (math.nan, math.inf, -math.inf), (0.0, 0.0, 0.0)):
        body.command(wish, wish[0])
        for _ in range(300):
            body.step()
            vx, vy, vz = body.motion.velocity
            assert math.hypot(vx, vy) <= body.parameters.max_speed_xy * 1.001
            assert abs(vz) <= body.parameters.max_speed_z * 1.001
    assert all(math.isfinite(x) for x in body.motion.position)


@FAMILY
def test_all_have_the_parameters_that_agents_count_with(kind: Vehicle) -> None:
    """The record says which vehicle it is for."""
    parameters = kind.parameters()
    assert isinstance(parameters, MobilityParameters)
    assert parameters.vehicle in (*VEHICLE_NAMES, NAME)


def test_the_names_are_those_of_the_vehicles() -> None:
    """Records are declared with the names, before there are vehicles."""
    assert tuple(VEHICLES) == VEHICLE_NAMES
    assert [parameters_of(name) for name in VEHICLES] == [
        vehicle.parameters for vehicle in VEHICLES.values()
    ]


@pytest.mark.parametrize('name', ['rocket', None, 3, ['kinematic']])
def test_an_unknown_one_is_refused_by_the_record_of_all(name: object) -> None:
    """In the words of every other choice."""
    assert parameters_of(name) is MobilityParameters
    with pytest.raises(ParameterError, match=r'vehicle = .* must be .*one of kinematic'):
        MobilityParameters(vehicle=name)


def test_one_that_is_added_has_its_own_record(integrator: str) -> None:
    """Nothing but its entry is needed."""
    assert parameters_of(integrator) is INTEGRATOR.parameters


@pytest.mark.parametrize(('change', 'error'), [
    ({'parameters': dict}, "parameters = <class 'dict'> must be a class that extends Mobility"),
    ({'step': lambda *given: (1.0, 2.0)}, 'step returns .*, must return a State'),
    ({'motion': lambda state: state.height}, 'AttributeError: .*height'),
])  # fmt: skip
def test_one_of_a_user_is_tried_when_it_is_loaded(change: dict, error: str) -> None:
    """In one line that begins with its name."""
    try_vehicle(INTEGRATOR, 'mine')
    with pytest.raises(ParameterError, match=f'^mine: {error}'):
        try_vehicle(INTEGRATOR._replace(**change), 'mine')


MS = 1_000_000
PERIOD = 10 * MS
BEGIN = UpdateClock(5 * MS, 0)


@given(st.lists(st.integers(0, 990 * MS), min_size=1, max_size=30), st.integers(MS, 100 * MS))
def test_updates_follow_the_clock_without_drift(steps: list[int], period: int) -> None:
    """Whenever one looks, as many were made as whole periods have passed."""
    clock, now = BEGIN, BEGIN.start_ns
    for step in steps:
        now += step
        clock, count, dropped = due_updates(clock, now, period)
        assert count >= 0 and not dropped
        assert clock == UpdateClock(BEGIN.start_ns, (now - BEGIN.start_ns) // period)


@pytest.mark.parametrize('now', [BEGIN.start_ns - 1, BEGIN.start_ns + 1011 * MS])
def test_after_a_jump_or_a_longer_stall_one_update_is_made(now: int) -> None:
    """The lost time is dropped, and the count begins again."""
    clock, count, dropped = due_updates(BEGIN, now, PERIOD)
    assert (count, dropped) == (1, True)
    assert clock == UpdateClock(now - PERIOD, 1)
    assert due_updates(clock, now + PERIOD - 1, PERIOD).count == 0
    assert due_updates(clock, now + PERIOD, PERIOD).count == 1


def test_a_second_is_made_up_for() -> None:
    """No more and no less."""
    assert due_updates(BEGIN, BEGIN.start_ns + 1000 * MS, PERIOD)[1:] == (100, False)


def test_updates_may_be_farther_apart_than_that() -> None:
    """Two of them are due at most, however long a period is."""
    now, period = BEGIN.start_ns, 3000 * MS
    clock = BEGIN
    for _ in range(5):
        now += period
        clock, count, dropped = due_updates(clock, now, period)
        assert (count, dropped) == (1, False)
    assert due_updates(clock, now + 2 * period, period)[1:] == (2, False)
    assert due_updates(clock, now + 3 * period, period).dropped


FORWARD = CommandStep('forward', (2.0, 0.0, 0.0), 0.0, 8.0)
STOP = CommandStep('stop', (0.0, 0.0, 0.0), 0.0, 8.0)


def figures_of(parameters, *steps):
    return list(step_figures(steps, fly_steps(parameters, steps)))


def test_a_first_order_lag_has_the_figures_of_one():
    tau = 0.7
    vehicle = MobilityParameters(tau_xy=tau, max_acc_xy=100.0, update_rate=0.001)
    for one in figures_of(vehicle, FORWARD, STOP):
        assert one.lag == pytest.approx(tau, abs=0.002)
        assert one.rise == pytest.approx(tau * math.log(9.0), abs=0.003)
        assert one.t90 == pytest.approx(tau * math.log(10.0), abs=0.002)
        assert (one.overshoot, one.tilt, one.height) == (0.0, 0.0, 0.0)


def test_what_is_not_reached_is_not_a_number():
    (one,) = figures_of(MobilityParameters(max_speed_xy=1.5), FORWARD)
    assert math.isfinite(one.lag) and math.isnan(one.t90) and math.isnan(one.rise)


def test_a_quadrotor_tilts_and_overshoots():
    figures = dict(zip(('up', 'go'), figures_of(
        QuadrotorParameters(), CommandStep('up', (0.0, 0.0, 2.0), 0.0, 3.0),
        CommandStep('go', (5.0, 0.0, 2.0), 0.0, 4.0),
    ), strict=True))  # fmt: skip
    assert figures['up'].tilt < 0.01 < 0.4 < figures['go'].tilt < 0.65
    assert math.isnan(figures['up'].height)
    assert 0.0 <= figures['up'].overshoot < 0.1


def test_the_usual_steps_stay_within_the_limits_and_change_the_command():
    on_ground = MobilityParameters(max_speed_xy=1.0, max_speed_z=0.0, max_yaw_rate=0.5)
    for vehicle in (MobilityParameters(), on_ground):
        steps = usual_steps(vehicle)
        for step in steps:
            assert math.hypot(*step.velocity[:2]) <= vehicle.max_speed_xy
            assert abs(step.velocity[2]) <= vehicle.max_speed_z
            assert abs(step.yaw_rate) <= vehicle.max_yaw_rate
        assert all(one[1:3] != other[1:3] for one, other in pairwise(steps))
    fixed = MobilityParameters(max_speed_xy=0.0, max_speed_z=0.0, max_yaw_rate=0.0)
    assert usual_steps(fixed) == []
