"""The reference of the velocity loop."""

import dataclasses
import math

import pytest
from velocity_mobility_ros.core.model import next_velocity
from velocity_mobility_ros.vehicles.quadrotor import QuadrotorParameters
from velocity_mobility_ros.vehicles.quadrotor.velocity_means import velocity_means
from velocity_mobility_ros.vehicles.quadrotor.velocity_reference import followed

LAGS = {'velocity_reference_tau_xy': 0.6, 'velocity_reference_tau_z': 0.4}
OFF = {'velocity_reference_tau_xy': None, 'velocity_reference_tau_z': None}


@pytest.mark.parametrize('target', [(1.0, -0.5, 0.3), (9.0, 3.0, -3.0), (-2.0, 0.0, 3.0)])
def test_the_reference_is_the_velocity_model_with_its_lag(target) -> None:
    """The same steps, within the limits of acceleration too."""
    parameters = QuadrotorParameters(**LAGS)
    means = velocity_means(parameters)
    limits = dataclasses.replace(parameters, tau_xy=0.6, tau_z=0.4).limits
    reference = model = (0.0, 0.0, 0.0)
    for _ in range(200):
        now, reference, change = followed(means, reference, target, 0.01)
        assert now == model
        model = next_velocity(model, target, 0.01, limits)
        assert reference == pytest.approx(model, abs=1e-12)
        assert math.hypot(*change[:2]) <= parameters.max_acc_xy * (1.0 + 1e-12)
        model = reference


def test_without_a_lag_the_reference_is_the_command() -> None:
    """And nothing is fed forward."""
    means, target = velocity_means(QuadrotorParameters(**OFF)), (3.0, 1.0, -1.0)
    assert followed(means, (0.0, 0.0, 0.0), target, 0.01) == (target, target, (0.0, 0.0, 0.0))
