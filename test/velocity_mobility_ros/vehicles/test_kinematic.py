"""The kinematic vehicle: the model with a heading."""

import dataclasses
import math

import pytest
from hypothesis import given
from support.strategies import ANY_NUMBER
from velocity_mobility_ros.core.model import MobilityParameters, step
from velocity_mobility_ros.vehicles import Body

START = (1.0, -2.0, 3.0)


def test_starts_at_rest() -> None:
    """Without a command a body stays where it is."""
    body = Body(MobilityParameters(), START, 0.5)
    body.step()
    assert body.motion == (START, 0.5, (0.0, 0.0, 0.0), 0.0)


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


def test_a_command_in_the_body_frame_turns_with_the_body() -> None:
    """Forward and turn is a circle: after half a turn the velocity points the other way."""
    swift = MobilityParameters(max_acc_xy=1e4, tau_xy=None, update_rate=0.001)
    body = Body(swift, (0.0, 0.0, 0.0))
    body.command((2.0, 0.0, 0.0), 1.0, in_body=True)
    for _ in range(round(math.pi / 0.001)):
        body.step()
    assert body.motion.velocity == pytest.approx((-2.0, 0.0, 0.0), abs=0.01)
    assert body.motion.position == pytest.approx((0.0, 4.0, 0.0), abs=0.01)
