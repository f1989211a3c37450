"""Steps of the command: what is flown, and its figures."""

import math
from itertools import pairwise

import pytest
from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters
from velocity_mobility_ros.vehicles.step_figures import step_figures
from velocity_mobility_ros.vehicles.step_response import CommandStep, fly_steps, usual_steps

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
