"""A body whose odometry is late or wrong, and whose commands are late."""

import numpy as np
import pytest
from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.vehicles import VEHICLES, Body, Instruments, parameters_of
from velocity_mobility_ros.vehicles.sensor import sensor_means

START = (1.0, 2.0, 3.0)
EAST = (4.0, 0.0, 0.0)
EVERY_VEHICLE = pytest.mark.parametrize('name', VEHICLES)


def body_of(parameters: MobilityParameters, period: float = 0.05, seed: int = 3) -> Body:
    """Return a body with the sensor and the command link of its parameters."""
    means = sensor_means(parameters, parameters.update_rate, period)
    return Body(parameters, START, instruments=Instruments(means, seed))


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
