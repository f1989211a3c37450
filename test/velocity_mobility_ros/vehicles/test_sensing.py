"""Errors of an odometry, measurement by measurement, and a body that has them; late commands."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from velocity_mobility_ros.core.coordinate_frames import Attitude, velocity_of
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.odometry_sensor import (
    AT_REST, NO_ERROR, MeasurementErrors, SensorCoefficients, is_due, misread_attitude,
    misread_place, misread_velocity, read_sensor, sensor_coefficients
)
from velocity_mobility_ros.vehicles.simulated_body import Body, Instruments
from velocity_mobility_ros.vehicles.vehicle import VEHICLES, parameters_of

MANY = 20_000
PERIOD = 0.05


def means_of(**sensing: float) -> SensorCoefficients:
    """Return the numbers of a sensor that measures every 0.05 s of updates of 0.01 s."""
    return sensor_coefficients(MobilityParameters(**sensing), 0.01, PERIOD)


def measured(sensor: SensorCoefficients, count: int = MANY, seed: int = 5) -> list[MeasurementErrors]:
    """Return so many measurements."""
    state, found = AT_REST, []
    for k in range(1, count + 1):
        state, reading = read_sensor(sensor, state, seed, k * sensor.period)
        found.append(reading)
    return found


def test_noise_has_its_deviation_on_every_axis_and_is_white():
    found = measured(means_of(position_noise_xy=0.3, position_noise_z=0.2,
                              velocity_noise_xy=0.1, velocity_noise_z=0.05))  # fmt: skip
    errors = np.array([[*one.position, *one.velocity] for one in found])
    assert errors.std(axis=0) == pytest.approx([0.3, 0.3, 0.2, 0.1, 0.1, 0.05], rel=0.02)
    assert np.abs(errors.mean(axis=0)).max() < 0.01
    among = np.corrcoef(np.hstack([errors[1:], errors[:-1]]).T)
    assert np.abs(among - np.eye(12)).max() < 0.03


def test_drift_wanders_with_its_deviation_and_correlation_time():
    found = measured(means_of(position_drift_xy=0.5, position_drift_z=1.0, drift_time=2.0))
    drift = np.array([one.position for one in found])
    assert drift.std(axis=0) == pytest.approx([0.5, 0.5, 1.0], rel=0.1)
    assert all(one.velocity == NO_ERROR for one in found)
    for lag in (10, 40):  # 0.5 s and 2 s
        kept = np.mean(drift[lag:] * drift[:-lag], axis=0) / np.mean(drift**2, axis=0)
        assert kept == pytest.approx(math.exp(-lag * PERIOD / 2.0), abs=0.06)


def test_the_first_measurement_drifts_as_much_as_any_other():
    sensor = means_of(position_drift_xy=0.5, drift_time=600.0)
    first = [measured(sensor, 1, seed)[0].position[0] for seed in range(2000)]
    assert np.std(first) == pytest.approx(0.5, rel=0.05)


def test_dropouts_come_as_often_as_asked_and_last_as_long():
    found = measured(means_of(dropouts_per_min=6.0, dropout_time=0.5), 40 * MANY // 10)
    there = np.array([one.is_there for one in found])
    begins = np.flatnonzero(there[:-1] & ~there[1:])
    lasted = [int(np.argmax(there[i + 1 :])) for i in begins[:-1]]
    assert min(lasted) == 10 and np.median(lasted) == 10  # times 0.05 s
    seen_min = there.sum() * PERIOD / 60.0
    assert len(begins) / seen_min == pytest.approx(6.0, rel=0.1)


def test_errors_depend_on_seed_and_count_alone():
    sensor = means_of(position_noise_xy=0.3, position_drift_xy=0.5)
    assert measured(sensor, 50) == measured(sensor, 50)
    assert measured(sensor, 50) != measured(sensor, 50, seed=6)


@pytest.mark.parametrize(
    ('sensing', 'due'),
    [
        ({}, [5, 10, 15, 20]),
        ({'odom_latency': 0.02}, [3, 8, 13, 18]),
        ({'odom_latency': 0.05}, [5, 10, 15, 20]),
        ({'odom_latency': 0.07}, [3, 8, 13, 18]),
        ({'odom_period': 0.1}, [10, 20]),
        ({'odom_period': 0.1, 'odom_latency': 0.07}, [10, 20]),
        ({'odom_period': 0.001}, [*range(1, 21)]),
    ],
)
def test_measurements_arrive_just_when_commands_are_computed_unless_their_rate_is_given(
    sensing, due
):
    sensor = means_of(**sensing)
    assert [update for update in range(1, 21) if is_due(sensor, update)] == due


@given(st.tuples(*[st.floats(-1.0, 1.0)] * 4), st.tuples(*[st.floats(-9.0, 9.0)] * 3))
def test_a_misread_attitude_has_the_misread_velocity(rotation, velocity):
    size = math.hypot(*rotation)
    if size < 0.1:
        return
    unit = tuple(part / size for part in rotation)
    reading = MeasurementErrors(True, (1.0, 2.0, 3.0), (0.5, -0.25, 0.125))
    before = Attitude(unit, velocity, (0.1, 0.2, 0.3))
    after = misread_attitude(before, reading)
    assert (after.rotation, after.angular) == (before.rotation, before.angular)
    expected = misread_velocity(velocity_of(before), reading)
    assert velocity_of(after) == pytest.approx(expected, abs=1e-9)
    assert misread_place((1.0, 1.0, 1.0), reading) == (2.0, 3.0, 4.0)


@pytest.mark.parametrize(
    ('sensing', 'text'),
    [
        ({'drift_time': 0.0}, 'drift_time = 0.0 must be above 0 s'),
        ({'odom_latency': 11.0}, 'odom_latency = 11.0 must be at least 0 and at most 10 s'),
        ({'odom_period': 0.0}, 'odom_period = 0.0 must be above 0 s'),
    ],
)
def test_values_that_cannot_be_are_refused_in_one_line(sensing, text):
    with pytest.raises(ParameterError) as raised:
        MobilityParameters(**sensing)
    assert text in str(raised.value) and '\n' not in str(raised.value)


START = (1.0, 2.0, 3.0)
EAST = (4.0, 0.0, 0.0)
EVERY_VEHICLE = pytest.mark.parametrize('name', VEHICLES)


def body_of(parameters: MobilityParameters, period: float = 0.05, seed: int = 3) -> Body:
    """Return a body with the sensor and the command link of its parameters."""
    sensor = sensor_coefficients(parameters, parameters.update_rate, period)
    return Body(parameters, START, instruments=Instruments(sensor, seed))


def flown(body: Body, updates: int, every: int = 5) -> list[tuple]:
    """Command a body eastwards from its start on; return what it measures and the truth."""
    seen = []
    for update in range(updates):
        if update % every == 0:
            body.command(EAST, 0.0)
        body.step()
        seen.append((body.measured, body.motion))
    return seen


@EVERY_VEHICLE
def test_perfect_instruments_change_nothing(name):
    parameters = parameters_of(name)()
    one, other = body_of(parameters, parameters.update_rate), Body(parameters, START)
    for (measured, true), (seen, motion) in zip(flown(one, 60), flown(other, 60), strict=True):
        assert true == motion and measured.age == 0.0
        assert measured.motion == seen.motion and measured.attitude == seen.attitude


@pytest.mark.parametrize('latency', [0.0, 0.01, 0.04, 0.2])
def test_a_command_takes_effect_after_its_latency(latency):
    body = body_of(MobilityParameters(command_latency=latency, update_rate=0.01))
    moved = [true.velocity != (0.0, 0.0, 0.0) for _, true in flown(body, 60)]
    assert moved.index(True) == round(latency / 0.01)


def test_commands_arrive_in_their_order_and_the_last_one_of_an_update_counts():
    body = body_of(MobilityParameters(command_latency=0.03, update_rate=0.01, tau_xy=None))
    body.command(EAST, 0.0)
    body.command((0.0, 4.0, 0.0), 0.0)
    for _ in range(3):
        body.step()
    assert body.motion.velocity == (0.0, 0.0, 0.0)
    assert body.desired.velocity == (0.0, 4.0, 0.0)
    body.command((0.0, 0.0, 0.0), 0.0)
    body.step()
    assert body.motion.velocity[0] == 0.0 and body.motion.velocity[1] > 0.0
    for _ in range(60):
        body.step()
    assert body.motion.velocity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ('sensing', 'ages'),
    [
        ({}, [1, 2, 3, 4, 0]),
        ({'odom_latency': 0.02}, [3, 4, 5, 6, 2]),
        ({'odom_period': 0.01}, [0]),
        ({'odom_period': 0.01, 'odom_latency': 0.04}, [4]),
        ({'odom_period': 0.03, 'odom_latency': 0.02}, [2, 3, 4]),
    ],
)
def test_a_measurement_is_the_truth_of_its_time(sensing, ages):
    parameters = MobilityParameters(update_rate=0.01, **sensing)
    seen, true = [], [body_of(parameters).motion]
    for measured, motion in flown(body_of(parameters), 120):
        true.append(motion)
        seen.append(measured)
    found = [round(one.age / 0.01) for one in seen]
    assert set(found[30:]) == set(ages)
    for update, one in enumerate(seen, start=1):
        assert one.motion == true[update - round(one.age / 0.01)]


def test_before_the_first_measurement_arrives_it_knows_where_it_started():
    body = body_of(MobilityParameters(odom_latency=0.5, update_rate=0.01))
    seen = flown(body, 20)
    assert all(one.motion.position == START for one, _ in seen)
    assert [one.age for one, _ in seen] == pytest.approx([0.01 * k for k in range(1, 21)])


def test_in_a_dropout_the_last_measurement_grows_old():
    parameters = MobilityParameters(dropouts_per_min=60.0, dropout_time=0.3, update_rate=0.01)
    ages = np.array([one.age for one, _ in flown(body_of(parameters), 3000)])
    assert 0.29 < ages.max() < 0.8
    assert 0.1 < np.mean(ages > 0.05) < 0.6


@EVERY_VEHICLE
def test_noise_is_added_to_what_the_odometry_tells(name):
    noise = {'position_noise_xy': 0.3, 'velocity_noise_xy': 0.1, 'velocity_noise_z': 0.1}
    parameters = parameters_of(name)(odom_period=0.01, **noise)
    off, moved, twist = [], [], []
    for measured, motion in flown(body_of(parameters), 600):
        off.append(np.subtract(measured.motion.position, motion.position))
        moved.append(np.subtract(measured.motion.velocity, motion.velocity))
        if measured.attitude is not None:
            twist.append(measured.attitude.linear)
        assert measured.motion.yaw == motion.yaw
    assert np.std(off, axis=0) == pytest.approx([0.3, 0.3, 0.0], abs=0.03)
    assert np.std(moved, axis=0) == pytest.approx([0.1, 0.1, 0.1], abs=0.01)
    assert bool(twist) == (VEHICLES[name].attitude is not None)
