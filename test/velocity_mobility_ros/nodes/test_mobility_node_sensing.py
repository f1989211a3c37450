"""The simulated vehicle as a real node with an odometry that is wrong, late and missing."""

import itertools

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from support.ros.simulated_vehicle import PERIOD_NS, SimulatedVehicle, stamps
from velocity_mobility_ros.ros_io.messages import odometry_to_body, time_to_ns
from velocity_mobility_ros.ros_io.qos import STATE

pytestmark = pytest.mark.ros


def places(messages) -> dict[int, tuple]:
    """Return positions [m] by their times [ns]."""
    return {time_to_ns(one.header.stamp): odometry_to_body(one)[0] for one in messages}


def test_noise_is_between_the_odometry_and_the_ground_truth(ros):
    vehicle = SimulatedVehicle(ros, position_noise_xy=0.5, velocity_noise_xy=0.2, sensor_seed=4)
    truth = ros.listen(Odometry, '/uav_1/ground_truth', STATE)
    ros.until(lambda: len(truth) >= 150, 'the truth')
    seen, true = places(vehicle.odometry), places(truth)
    off = np.array([np.subtract(seen[at], true[at]) for at in seen.keys() & true.keys()])
    assert len(off) > 100
    assert off[:, :2].std(axis=0) == pytest.approx([0.5, 0.5], abs=0.12)
    assert (off[:, 2] == 0.0).all()


def test_a_late_odometry_has_the_time_of_its_measurement(ros):
    vehicle = SimulatedVehicle(ros, odom_latency=0.3, odom_period=0.05, cmd_vel_timeout=0.0)
    truth = ros.listen(Odometry, '/uav_1/ground_truth', STATE)
    vehicle.say((3.0, 0.0, 0.0))
    ros.until(lambda: odometry_to_body(vehicle.odometry.last)[1][0] > 1.0, 'its motion')
    seen, true = places(vehicle.odometry), places(truth)
    both = seen.keys() & true.keys()
    assert len(both) > 5 and all(seen[at] == true[at] for at in both)
    late = max(true) - max(seen)
    assert 25 * PERIOD_NS < late < 45 * PERIOD_NS
    steps = {b - a for a, b in itertools.pairwise(stamps(vehicle.odometry))}
    assert min(steps) == 5 * PERIOD_NS  # nothing is told twice


def test_a_late_command_moves_the_vehicle_late(ros):
    vehicle = SimulatedVehicle(ros, command_latency=0.5, cmd_vel_timeout=0.0)
    truth = ros.listen(Odometry, '/uav_1/ground_truth', STATE)
    ros.until(lambda: truth, 'the truth')
    said = ros.now_ns()
    vehicle.say((3.0, 0.0, 0.0))
    ros.until(lambda: odometry_to_body(truth.last)[1][0] > 0.0, 'its motion')
    first = next(one for one in truth if odometry_to_body(one)[1][0] > 0.0)
    assert 0.45 < (time_to_ns(first.header.stamp) - said) / 1e9 < 0.8


def test_in_a_dropout_nothing_is_published(ros):
    vehicle = SimulatedVehicle(ros, dropouts_per_min=120.0, dropout_time=0.4)
    ros.meanwhile(4.0)
    steps = [b - a for a, b in itertools.pairwise(stamps(vehicle.odometry))]
    assert max(steps) >= 40 * PERIOD_NS and min(steps) == PERIOD_NS


def test_a_perfect_vehicle_has_no_second_odometry(ros):
    SimulatedVehicle(ros)
    assert ros.tester.count_publishers('/uav_1/ground_truth') == 0
