"""How the target chooses where to go."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.actors.target_motion import (
    constant_velocity,
    motion_rules,
    next_velocity,
    random_velocity,
)
from soliton_encirclement_ros.core.parameters.target_parameters import (
    TARGET_MOTION_NAMES,
    TargetParameters,
)

PLACE = st.tuples(st.floats(-100.0, 100.0), st.floats(-100.0, 100.0), st.just(0.0))


def stream():
    return np.random.default_rng(1)


@pytest.mark.parametrize('motion', TARGET_MOTION_NAMES)
@given(place=PLACE, speed=st.floats(0.0, 20.0), heading=st.floats(-720.0, 720.0))
def test_the_speed_is_the_one_asked_for(motion, place, speed, heading):
    parameters = TargetParameters(
        target_motion=motion, target_motion_speed_xy=speed, target_motion_heading_deg=heading
    )
    vx, vy, vz = next_velocity(motion_rules(parameters), *place[:2], stream())
    assert math.hypot(vx, vy) == pytest.approx(speed, abs=1e-9)
    assert vz == 0.0


@given(place=PLACE)
def test_from_outside_its_box_a_wanderer_turns_straight_home(place):
    x, y, _ = place
    vx, vy, _ = random_velocity(5.0, 20.0, x, y, stream())
    if max(abs(x), abs(y)) > 20.0:
        assert vx * y - vy * x == pytest.approx(0.0, abs=1e-9)
        assert vx * x + vy * y < 0.0


def test_a_standing_wanderer_draws_nothing_and_one_that_goes_straight_on_neither():
    draws = stream()
    assert random_velocity(0.0, 20.0, 0.0, 0.0, draws) == (0.0, 0.0, 0.0)
    straight_on = motion_rules(TargetParameters(target_motion='constant'))
    next_velocity(straight_on, 0.0, 0.0, draws)
    assert draws.random() == stream().random()


@pytest.mark.parametrize(
    ('heading', 'direction'), [(0.0, (1.0, 0.0)), (90.0, (0.0, 1.0)), (-135.0, (-(0.5**0.5),) * 2)]
)
def test_a_heading_is_counter_clockwise_from_east(heading, direction):
    parameters = TargetParameters(
        target_motion='constant', target_motion_heading_deg=heading, target_motion_speed_xy=5.0
    )
    for place in ((0.0, 0.0), (900.0, -900.0)):
        vx, vy, vz = next_velocity(motion_rules(parameters), *place, stream())
        assert (vx / 5.0, vy / 5.0) == pytest.approx(direction, abs=1e-12)
        assert (vx, vy, vz) == constant_velocity(5.0, heading)


def test_a_wanderer_draws_one_number_in_its_box_and_none_outside():
    draws, twin = stream(), stream()
    vx, vy, _ = random_velocity(5.0, 20.0, 20.0, -20.0, draws)
    angle = twin.random() * 2.0 * math.pi
    assert (vx, vy) == (5.0 * math.cos(angle), 5.0 * math.sin(angle))
    assert random_velocity(5.0, 20.0, 20.1, 0.0, draws) == (-5.0, 0.0, 0.0)
    assert draws.random() == twin.random()


def test_a_wanderer_at_home_without_a_box_goes_anywhere():
    assert math.hypot(*random_velocity(5.0, 0.0, 1e-13, 0.0, stream())) == pytest.approx(5.0)
