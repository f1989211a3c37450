"""The velocity model with an acceleration that builds up."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.model import MobilityParameters, Vector
from velocity_mobility_ros.vehicles import Body
from velocity_mobility_ros.vehicles.second_order import SecondOrderParameters

START = (1.0, -2.0, 3.0)
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
    velocities = flown(able, [(0.01 * k, 0.0, 0.0) for k in range(600)], 1)[1]
    assert 6.0 - velocities[-1, 0] == pytest.approx(0.7, abs=0.02)
    assert dataclasses.replace(able, tau_xy=None, acceleration_tau_xy=None).lag_xy is None


def test_halving_the_update_changes_little() -> None:
    """The lags are exact; what remains is the Euler step of the velocity model."""
    usual = SecondOrderParameters(acceleration_tau_xy=0.02)
    fine = dataclasses.replace(usual, update_rate=0.005)
    wish = [(3.0, -4.0, 1.0)]
    coarse, exact = flown(usual, wish, 100)[1], flown(fine, wish, 200)[1][::2]
    assert np.abs(coarse - exact).max() < 0.03


def test_new_limits_and_lags_hold_while_it_flies() -> None:
    """A lower top speed is reached by the lag of the acceleration."""
    able = SecondOrderParameters(tau_xy=None, acceleration_tau_xy=0.1)
    body = Body(able, START)
    body.command((10.0, 0.0, 0.0), 0.0)
    for _ in range(400):
        body.step()
    body.parameters = dataclasses.replace(able, max_speed_xy=2.0)
    for _ in range(100):
        body.step()
    assert body.motion.velocity[0] == pytest.approx(2.0, abs=1e-3)


def test_a_command_in_the_body_frame_turns_with_the_body() -> None:
    """Forward and turn is a circle."""
    swift = SecondOrderParameters(
        max_acc_xy=1e4, tau_xy=None, acceleration_tau_xy=None, update_rate=0.001
    )
    body = Body(swift, (0.0, 0.0, 0.0))
    body.command((2.0, 0.0, 0.0), 1.0, in_body=True)
    for _ in range(round(math.pi / 0.001)):
        body.step()
    assert body.motion.position == pytest.approx((0.0, 4.0, 0.0), abs=0.01)


@pytest.mark.parametrize(
    ('given', 'said'),
    [
        ({'acceleration_tau_xy': 0.0}, 'acceleration_tau_xy = 0.0 must be above 0 s'),
        ({'acceleration_tau_z': math.inf}, 'acceleration_tau_z = inf must be'),
        ({'vehicle': 'kinematic'}, "vehicle = 'kinematic' must be one of second_order"),
    ],
)
def test_refused_in_one_line(given: dict[str, object], said: str) -> None:
    """Name, value and bound."""
    with pytest.raises(ParameterError) as refused:
        SecondOrderParameters(**given)
    assert said in str(refused.value)
    assert '\n' not in str(refused.value)
