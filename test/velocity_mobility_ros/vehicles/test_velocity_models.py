"""The velocity model: with a heading, with an acceleration that builds up, in closed form."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.velocity_model import (
    Limits, MobilityParameters, Vector, held_command, step
)
from velocity_mobility_ros.vehicles.second_order import SecondOrderParameters
from velocity_mobility_ros.vehicles.simulated_body import Body

START = (1.0, -2.0, 3.0)


def test_moves_by_the_model() -> None:
    """Step by step the numbers are those of the law; the command holds until replaced."""
    able = MobilityParameters()
    body = Body(able, START)
    body.command((4.0, 3.0, -1.0), 0.0)
    p, v = START, (0.0, 0.0, 0.0)
    for _ in range(200):
        body.step()
        p, v = step(p, v, (4.0, 3.0, -1.0), able.update_rate, able.limits)
    assert (body.motion.position, body.motion.velocity) == (p, v)


@given(ANY_NUMBER)
def test_yaw_rate_is_limited_for_any_input(wanted: float) -> None:
    """The yaw rate has its own limit; an undefined one is zero."""
    body = Body(MobilityParameters(max_yaw_rate=1.5), START)
    body.command((0.0, 0.0, 0.0), wanted)
    for _ in range(3):
        body.step()
    assert abs(body.motion.yaw_rate) <= 1.5
    assert -math.pi <= body.motion.yaw < math.pi


def test_turns_on_the_spot() -> None:
    """A yaw rate turns the body and moves it nowhere; the heading wraps."""
    body = Body(MobilityParameters(), START, 3.0)
    body.command((0.0, 0.0, 0.0), 1.0)
    for _ in range(100):
        body.step()
    assert body.motion.position == START
    assert body.motion.yaw == pytest.approx(4.0 - 2.0 * math.pi)


def test_new_limits_hold_from_the_next_step() -> None:
    """Parameters may be replaced between steps, also while moving."""
    able = MobilityParameters(tau_xy=None)
    body = Body(able, START)
    body.command((10.0, 0.0, 0.0), 0.0)
    for _ in range(300):
        body.step()
    assert body.motion.velocity[0] == pytest.approx(10.0)
    body.parameters = dataclasses.replace(able, max_speed_xy=2.0)
    body.step()
    assert body.motion.velocity[0] == pytest.approx(2.0)


SPEED = st.floats(-30.0, 30.0)


def flown(
    parameters: MobilityParameters, wishes: list[Vector], updates: int = 50
) -> tuple[np.ndarray, np.ndarray]:
    """Return positions and velocities after every update, with commands for so many each."""
    body, places, velocities = Body(parameters, START), [START], [(0.0, 0.0, 0.0)]
    for wish in wishes:
        body.command(wish, 0.0)
        for _ in range(updates):
            body.step()
            places.append(body.motion.position)
            velocities.append(body.motion.velocity)
    return np.array(places), np.array(velocities)


@given(st.lists(st.tuples(SPEED, SPEED, SPEED), min_size=1, max_size=4))
def test_without_its_lags_it_is_the_velocity_model(wishes: list[Vector]) -> None:
    """To the last bit."""
    alone = SecondOrderParameters(acceleration_tau_xy=None, acceleration_tau_z=None)
    for found, wanted in zip(
        flown(alone, wishes), flown(MobilityParameters(), wishes), strict=True
    ):
        assert (found == wanted).all()


@given(
    st.lists(st.tuples(SPEED, SPEED, SPEED), min_size=1, max_size=6),
    st.sampled_from([0.001, 0.05, 0.3, 2.0]),
    st.sampled_from([None, 0.05, 0.6]),
)
def test_limits_hold(wishes: list[Vector], lag: float, tau: float | None) -> None:
    """Speed and acceleration are means of those of the velocity model."""
    able = SecondOrderParameters(
        acceleration_tau_xy=lag, acceleration_tau_z=lag, tau_xy=tau, tau_z=tau,
        max_speed_xy=6.0, max_speed_z=2.0, max_acc_xy=3.0, max_acc_z=1.5,
    )  # fmt: skip
    velocities = flown(able, wishes, 30)[1]
    rises = np.diff(velocities, axis=0) / able.update_rate
    for rows, xy, z in ((velocities, 6.0, 2.0), (rises, 3.0, 1.5)):
        assert np.hypot(rows[:, 0], rows[:, 1]).max() <= xy * (1.0 + 1e-9)
        assert np.abs(rows[:, 2]).max() <= z * (1.0 + 1e-9)


def test_a_small_step_is_that_of_three_lags() -> None:
    """Transfer function ``1 / ((tau s + 1) (T s + 1)^2)``, T half the lag of the acceleration."""
    tau, half = 0.4, 0.1
    able = SecondOrderParameters(
        tau_xy=tau, acceleration_tau_xy=2.0 * half, max_acc_xy=1e3, update_rate=0.001
    )
    velocities = flown(able, [(1.0, 0.0, 0.0)], 2000)[1][:, 0]
    times = 0.001 * np.arange(len(velocities))
    gap = tau - half
    slow = tau * tau / (gap * gap) * np.exp(-times / tau)
    fast = (half / gap * times / half + half * (2.0 * tau - half) / (gap * gap)) * np.exp(
        -times / half
    )
    assert velocities == pytest.approx(1.0 - slow + fast, abs=2e-3)


def test_it_is_late_by_both_lags() -> None:
    """Behind a command that grows steadily, as those who plan with the vehicle expect."""
    able = SecondOrderParameters(tau_xy=0.5, acceleration_tau_xy=0.2, tau_z=None)
    assert (able.lag_xy, able.lag_z) == (pytest.approx(0.7), 0.05)
    velocities = flown(able, [(0.01 * k, 0.0, 0.005 * k) for k in range(600)], 1)[1]
    assert 6.0 - velocities[-1, 0] == pytest.approx(0.7, abs=0.02)
    assert 3.0 - velocities[-1, 2] == pytest.approx(0.025, abs=0.01)
    assert dataclasses.replace(able, tau_xy=None, acceleration_tau_xy=None).lag_xy is None


LIMITS: Limits = (10.0, 5.0, 4.0, 5.0, 1.0, 1.2)
VELOCITY = st.tuples(st.floats(-14.0, 14.0), st.floats(-14.0, 14.0), st.floats(-7.0, 7.0))
LAG = st.one_of(st.just(math.nan), st.floats(0.001, 3.0))
ABLE = st.tuples(
    st.just(10.0), st.just(5.0), st.floats(0.0, 50.0), st.floats(0.0, 50.0), LAG, LAG
)  # fmt: skip


def stepped(v: Vector, c: Vector, dt: float, count: int, limits: Limits) -> tuple[Vector, Vector]:
    """Return position and velocity after some steps from the origin."""
    p = (0.0, 0.0, 0.0)
    for _ in range(count):
        p, v = step(p, v, c, dt, limits)
    return p, v


def flat(motion: tuple[Vector, Vector]) -> list[float]:
    """Return position and velocity as one list."""
    return [*motion[0], *motion[1]]


@given(VELOCITY, VELOCITY, st.sampled_from([0.01, 0.05]), st.integers(0, 60), ABLE)
def test_it_is_the_model(v, c, dt, count, limits):
    found = held_command((0.0, 0.0, 0.0), v, c, dt, count, limits)
    assert flat(found) == pytest.approx(flat(stepped(v, c, dt, count, limits)), abs=1e-9)


def test_what_is_not_finite_is_as_in_the_model():
    v, c = (math.nan, 0.0, 0.0), (1.0, math.inf, 0.0)
    found = held_command((0.0, 0.0, 0.0), v, c, 0.01, 5, LIMITS)
    assert flat(found) == pytest.approx(flat(stepped(v, c, 0.01, 5, LIMITS)), nan_ok=True)
