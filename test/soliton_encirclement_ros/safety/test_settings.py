"""The filter's numbers follow the parameters and the vehicle."""

import math
from dataclasses import replace

import numpy as np
import pytest

from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, SwarmParameters, command_limits
)
from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from soliton_encirclement_ros.safety.braking import braking_path
from soliton_encirclement_ros.safety.filter_records import filter_settings
from soliton_encirclement_ros.safety.pair_barrier import ghost_radius
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.simulated_body import Body
from velocity_mobility_ros.vehicles.vehicle import parameters_of

ROTORS = ['x500', 'iris', 'hummingbird', 'crazyflie_2']


def vehicle(name):
    """Return the parameters of an included vehicle."""
    values = read_vehicle(find_vehicle(name)).mobility
    return parameters_of(values.get('vehicle'))(**values)


def settings_of(body):
    """Return the settings of an agent with a vehicle."""
    return filter_settings(SafetyParameters(), command_limits(body), SwarmParameters())


def test_a_vehicle_that_answers_at_once_runs_on_as_the_parameter_says():
    settings = settings_of(MobilityParameters())
    assert settings.run_on == SwarmParameters().control_period
    safety = SafetyParameters(silent_flight_time=0.3, clock_error=0.02, position_noise=0.4)
    known = filter_settings(safety, CommandLimits(), SwarmParameters())
    assert (known.run_on, known.clock_error, known.noise) == (0.3, 0.02, 0.4)
    assert settings.layer == settings.distance
    assert settings.limits == MobilityParameters().limits


@pytest.mark.parametrize('name', ROTORS)
def test_one_with_rotors_runs_on_for_longer_and_its_height_does_not_count(name):
    """Its own state is predicted until it answers."""
    body = vehicle(name)
    assert 0.05 < body.response_delay < 0.6
    settings = settings_of(body)
    assert settings.run_on == SwarmParameters().control_period + body.response_delay
    assert math.isinf(settings.layer)
    assert settings.delay == body.response_delay
    late = replace(body, command_latency=0.2)
    assert settings_of(late).delay == pytest.approx(body.response_delay + 0.2)
    assert settings_of(MobilityParameters()).delay == 0.0


def test_the_rate_is_bounded_by_the_period():
    swift = SafetyParameters(separation_rate=1000.0)
    settings = filter_settings(swift, CommandLimits(), SwarmParameters(control_period=0.1))
    assert settings.gamma == 10.0


@pytest.mark.parametrize('name', ['default', 'x500', 'iris', 'hummingbird', 'crazyflie_2'])
def test_a_vehicle_that_fails_stops_within_its_ball(name):
    """Rotors, too: what the integral of their velocity loop holds does not carry them out."""
    body, draw = vehicle(name), np.random.default_rng(3)
    settings = settings_of(body)
    for _ in range(6):
        flown = Body(body, (0.0, 0.0, 50.0))
        for _ in range(3):
            angle, speed = draw.uniform(0.0, 2.0 * math.pi), draw.uniform(0.0, body.max_speed_xy)
            flown.command((speed * math.cos(angle), speed * math.sin(angle), 0.0), 0.0)
            fly(flown, draw.uniform(0.1, 1.5))
        last = flown.motion
        fly(flown, SwarmParameters().control_period)
        flown.command((0.0, 0.0, 0.0), 0.0)
        fly(flown, 10.0)
        (x, y, _), (vx, vy, _) = last.position, last.velocity
        a, tau = body.max_acc_xy, body.tau_xy
        half = 0.5 * settings.run_on
        path = braking_path(x + half * vx, y + half * vy, vx, vy, a, tau)
        away = math.hypot(flown.motion.position[0] - path.px, flown.motion.position[1] - path.py)
        margin = settings.ghost_margin
        radius = ghost_radius(math.hypot(vx, vy), settings.run_on, margin, a, tau)
        assert away <= radius


def fly(body, seconds):
    """Fly for some time."""
    for _ in range(round(100 * seconds)):
        body.step()
