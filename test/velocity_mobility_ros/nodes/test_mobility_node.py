"""The simulated vehicle as a real node: how it moves, and the odometry it gives."""

import itertools
import math

import pytest
from support.ros.graph import Ros, set_parameters
from support.ros.simulated_vehicle import AGILE, BODY, NODE, PERIOD_NS, SimulatedVehicle, stamps
from velocity_mobility_ros.core.model import MobilityParameters, next_velocity
from velocity_mobility_ros.ros_io.messages import (
    odometry_to_body,
    time_to_ns,
)

pytestmark = pytest.mark.ros


def test_odometry_is_fully_stamped_at_the_update_rate(ros):
    vehicle = SimulatedVehicle(ros, initial_x=1.0, initial_y=-2.0, initial_z=3.0)
    ros.until(lambda: len(vehicle.odometry) >= 50, 'fifty odometries')
    for message in vehicle.odometry:
        assert (message.header.frame_id, message.child_frame_id) == ('map', BODY)
    position = vehicle.odometry.last.pose.pose.position
    assert (position.x, position.y, position.z) == (1.0, -2.0, 3.0)
    steps = {b - a for a, b in itertools.pairwise(stamps(vehicle.odometry))}
    assert PERIOD_NS in steps
    assert all(step % PERIOD_NS == 0 for step in steps)
    assert abs(ros.now_ns() - stamps(vehicle.odometry)[-1]) < 5e9


def test_frames_can_be_named(ros):
    vehicle = SimulatedVehicle(ros, frame_id='odom', child_frame_id='chassis')
    assert vehicle.odometry.last.header.frame_id == 'odom'
    assert vehicle.odometry.last.child_frame_id == 'chassis'


@pytest.mark.parametrize(('name', 'frame'), [('odom', 'uav_1/odom'), ('start', 'uav_1/start')])
def test_odometry_can_begin_at_the_start(ros, name, frame):
    vehicle = SimulatedVehicle(
        ros, odom_frame=name, initial_x=10.0, initial_y=-4.0, initial_yaw=math.pi / 2, **AGILE
    )
    assert vehicle.odometry[0].header.frame_id == frame
    assert odometry_to_body(vehicle.odometry[0]) == ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0)
    vehicle.say((0.0, 2.0, 0.0))  # in map, which is ahead
    vehicle.reach((2.0, 0.0, 0.0))
    position, _, yaw = odometry_to_body(vehicle.odometry.last)
    assert position[0] > 0.0
    assert (position[1], yaw) == pytest.approx((0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize('command', [(3.0, -1.0, 0.5), (30.0, 40.0, -20.0)])
def test_every_step_is_the_core_law_to_the_last_bit(ros, command):
    limits = MobilityParameters()
    vehicle = SimulatedVehicle(ros, cmd_vel_timeout=0.0)
    start = len(vehicle.odometry)
    vehicle.say(command)
    ros.until(lambda: len(vehicle.odometry) >= start + 60, 'sixty updates')
    states = [odometry_to_body(message) for message in vehicle.odometry]
    times, moved, wanted = stamps(vehicle.odometry), 0, (0.0, 0.0, 0.0)
    for i, ((p, v, _), (q, w, _)) in enumerate(itertools.pairwise(states)):
        if times[i + 1] - times[i] != PERIOD_NS:
            continue
        if w != next_velocity(v, wanted, 0.01, limits.limits):
            assert wanted != command
            wanted = command
        assert w == next_velocity(v, wanted, 0.01, limits.limits)
        assert q == (p[0] + w[0] * 0.01, p[1] + w[1] * 0.01, p[2] + w[2] * 0.01)
        moved += wanted == command
    assert moved > 40


def test_speed_and_acceleration_stay_within_the_limits(ros):
    vehicle = SimulatedVehicle(
        ros, max_speed_xy=2.0, max_speed_z=0.5, max_acc_xy=8.0, max_acc_z=4.0, tau_xy=0.1,
        tau_z=0.1, cmd_vel_timeout=0.0,
    )  # fmt: skip
    vehicle.say((100.0, 100.0, -100.0))
    vehicle.reach((2.0 / math.sqrt(2.0), 2.0 / math.sqrt(2.0), -0.5), 1e-9)
    vehicle.say((-100.0, 0.0, 100.0))
    vehicle.reach((-2.0, 0.0, 0.5), 1e-3)
    velocities = [odometry_to_body(message)[1] for message in vehicle.odometry]
    for (t0, v), (t1, w) in itertools.pairwise(
        zip(stamps(vehicle.odometry), velocities, strict=True)
    ):
        dt = (t1 - t0) / 1e9
        assert math.hypot(*w[:2]) <= 2.0 * (1 + 1e-12)
        assert abs(w[2]) <= 0.5
        assert math.hypot(w[0] - v[0], w[1] - v[1]) <= 8.0 * dt * (1 + 1e-9)
        assert abs(w[2] - v[2]) <= 4.0 * dt * (1 + 1e-9)


def test_the_lag_is_first_order(ros):
    vehicle = SimulatedVehicle(ros, tau_xy=0.5, max_acc_xy=100.0, cmd_vel_timeout=0.0)
    vehicle.say((4.0, 0.0, 0.0))
    ros.until(lambda: vehicle.velocity[0] > 3.9, 'the velocity')
    speeds = [odometry_to_body(message)[1][0] for message in vehicle.odometry]
    first = next(i for i, speed in enumerate(speeds) if speed > 0.0)
    times = stamps(vehicle.odometry)
    tau_over = times[first - 1] + 500_000_000
    after_tau = next(s for s, t in zip(speeds, times, strict=False) if t >= tau_over)
    assert after_tau == pytest.approx(4.0 * (1.0 - math.exp(-1.0)), rel=0.02)


def test_the_twist_of_the_odometry_is_in_the_child_frame(ros):
    vehicle = SimulatedVehicle(ros, initial_yaw=math.pi / 2, **AGILE)
    vehicle.say((3.0, 0.0, 0.0))
    vehicle.reach((3.0, 0.0, 0.0))
    linear = vehicle.odometry.last.twist.twist.linear
    assert (linear.x, linear.y) == pytest.approx((0.0, -3.0), abs=0.05)
    q = vehicle.odometry.last.pose.pose.orientation
    half = math.sqrt(0.5)
    assert (q.x, q.y, q.z, q.w) == pytest.approx((0.0, 0.0, half, half))


@pytest.mark.parametrize(('wanted', 'expected'), [(0.5, 0.5), (9.0, 0.8), (-9.0, -0.8)])
def test_the_body_turns_within_its_yaw_rate_limit(ros, wanted, expected):
    vehicle = SimulatedVehicle(ros, max_yaw_rate=0.8, cmd_vel_timeout=0.0)
    vehicle.say((0.0, 0.0, 0.0), wanted)
    ros.until(lambda: vehicle.odometry.last.twist.twist.angular.z == expected, 'the yaw rate')
    begin = len(vehicle.odometry) - 1
    ros.until(lambda: len(vehicle.odometry) > begin + 40, 'some turning')
    first, last = vehicle.odometry[begin], vehicle.odometry.last
    elapsed = (time_to_ns(last.header.stamp) - time_to_ns(first.header.stamp)) / 1e9
    turned = odometry_to_body(last)[2] - odometry_to_body(first)[2]
    assert turned == pytest.approx(expected * elapsed, rel=1e-6)


def test_only_every_nth_update_is_published(ros):
    vehicle = SimulatedVehicle(ros, telemetry_decimation=5)
    ros.until(lambda: len(vehicle.odometry) >= 10, 'ten odometries')
    steps = {b - a for a, b in itertools.pairwise(stamps(vehicle.odometry))}
    assert steps == {5 * PERIOD_NS}
    assert set_parameters(ros, NODE, telemetry_decimation=2) == ['']
    vehicle.odometry.clear()
    ros.until(lambda: len(vehicle.odometry) >= 10, 'ten more')
    assert 2 * PERIOD_NS in {b - a for a, b in itertools.pairwise(stamps(vehicle.odometry)[1:])}


def test_a_tracked_vehicle_turns_and_drives_on_the_ground(ros: Ros) -> None:
    """A command in the map frame to the left: it points there in the end, at its height."""
    vehicle = SimulatedVehicle(ros, vehicle='tracked', initial_z=0.5, cmd_vel_timeout=0.0)
    ros.until(vehicle.voice.get_subscription_count, 'the vehicle')
    vehicle.say((0.0, 1.0, 2.0))
    vehicle.reach((0.0, 1.0, 0.0))
    assert vehicle.yaw == pytest.approx(math.pi / 2.0, abs=0.05)
    assert vehicle.odometry.last.pose.pose.position.z == 0.5
