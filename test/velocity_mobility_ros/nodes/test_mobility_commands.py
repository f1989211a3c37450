"""Commands of a simulated vehicle: frames, stamps, silence, and what is no command."""

import itertools
import math
import random

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from support.ros import malformed
from support.ros.simulated_vehicle import AGILE, BODY, SimulatedVehicle
from velocity_mobility_ros.ros_io.messages import (
    odometry_to_body,
    time_to_ns,
)

pytestmark = pytest.mark.ros


@pytest.mark.parametrize(
    ('frame', 'expected'), [('map', (2.0, 0.0, 1.0)), ('base_link', (0.0, 2.0, 1.0))]
)
def test_a_twist_is_taken_in_the_frame_of_the_parameter(ros, frame, expected):
    vehicle = SimulatedVehicle(ros, cmd_vel_frame=frame, initial_yaw=math.pi / 2, **AGILE)
    vehicle.say((2.0, 0.0, 1.0))
    vehicle.reach(expected)


@pytest.mark.parametrize(
    ('frame', 'expected'),
    [('map', (2.0, 0.0, 1.0)), ('base_link', (0.0, 2.0, 1.0)), (BODY, (0.0, 2.0, 1.0))],
)
def test_a_stamped_twist_is_taken_in_the_frame_of_its_header(ros, frame, expected):
    vehicle = SimulatedVehicle(
        ros, TwistStamped, enable_stamped_cmd_vel=True, initial_yaw=math.pi / 2, **AGILE
    )
    vehicle.say_in(frame, (2.0, 0.0, 1.0))
    vehicle.reach(expected)


@pytest.mark.parametrize('frame', ['', 'odom', 'uav_2/base_link'])
def test_a_stamped_twist_in_an_unknown_frame_is_refused(ros, frame):
    vehicle = SimulatedVehicle(ros, TwistStamped, enable_stamped_cmd_vel=True, **AGILE)
    vehicle.say_in(frame, (2.0, 0.0, 0.0))
    assert vehicle.refused() == '1'
    assert vehicle.velocity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize('age_ns', [600_000_000, -600_000_000, 10**18])
def test_a_stamped_twist_from_another_time_is_refused(ros, age_ns):
    parameters = {**AGILE, 'cmd_vel_timeout': 0.3}
    vehicle = SimulatedVehicle(ros, TwistStamped, enable_stamped_cmd_vel=True, **parameters)
    vehicle.say_in('map', (2.0, 0.0, 0.0), age_ns)
    assert vehicle.refused() == '1'
    assert vehicle.velocity == (0.0, 0.0, 0.0)


def test_silence_slows_the_body_to_a_stop_within_its_limits(ros):
    vehicle = SimulatedVehicle(ros, cmd_vel_timeout=0.3, max_acc_xy=10.0, tau_xy=0.1)
    ros.until(lambda: (vehicle.say((4.0, 0.0, 0.0)), vehicle.velocity[0] > 3.9)[1], 'the speed')
    silent_since = ros.now_ns()
    vehicle.reach((0.0, 0.0, 0.0), 0.01)
    moving = [
        (time_to_ns(message.header.stamp), odometry_to_body(message)[1][0])
        for message in vehicle.odometry
    ]
    slowing = [(t, speed) for t, speed in moving if t > silent_since]
    still_fast = [t for t, speed in slowing if speed > 3.8]
    assert still_fast[-1] - silent_since == pytest.approx(0.3e9, abs=0.1e9)
    for (t0, v), (t1, w) in itertools.pairwise(slowing):
        assert v - w <= 10.0 * (t1 - t0) / 1e9 * (1 + 1e-9)
    assert sum(0.5 < speed < 3.5 for _, speed in slowing) > 15


def test_with_a_timeout_of_zero_commands_persist(ros):
    vehicle = SimulatedVehicle(ros, **AGILE)
    vehicle.say((2.0, 0.0, 0.0))
    vehicle.reach((2.0, 0.0, 0.0), 1e-3)
    ros.meanwhile(1.2)
    assert vehicle.velocity[0] == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf])
def test_a_command_that_is_no_number_is_refused_and_the_last_one_holds(ros, value):
    vehicle = SimulatedVehicle(ros, **AGILE)
    vehicle.say((2.0, 0.0, 0.0))
    vehicle.reach((2.0, 0.0, 0.0))
    vehicle.say((value, 1.0, 1.0))
    vehicle.say((1.0, 1.0, 1.0), value)
    assert vehicle.refused() in ('1', '2')
    vehicle.reach((2.0, 0.0, 0.0), 1e-6)


@pytest.mark.parametrize('stamped', [False, True])
def test_five_thousand_malformed_commands_leave_it_flying_within_its_limits(ros, stamped):
    kind = TwistStamped if stamped else Twist
    vehicle = SimulatedVehicle(ros, kind, enable_stamped_cmd_vel=stamped)
    draw = random.Random(5)
    for i in range(5000):
        if i % 100 == 0:
            messages = (
                malformed.stamped_commands(draw, ros.now_ns())
                if stamped
                else malformed.commands(draw)
            )
        vehicle.voice.publish(next(messages))
        ros.spin(0.0)
        ros.spin(0.0)
    assert int(vehicle.refused()) > 1500
    for message in vehicle.odometry:
        position, velocity, yaw = odometry_to_body(message)
        assert all(map(math.isfinite, (*position, *velocity, yaw)))
        assert math.hypot(*velocity[:2]) <= 10.0 * (1 + 1e-12)
        assert abs(velocity[2]) <= 5.0
        assert abs(message.twist.twist.angular.z) <= 1.5
    before = len(vehicle.odometry)
    ros.until(lambda: len(vehicle.odometry) > before + 20, 'further odometry')
