"""Commands to a vehicle: their frames, what is refused, how old a stamp may be."""

import math

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from rclpy.serialization import serialize_message

from support.ros.sent_messages import command_to_stamped, command_to_twist
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.messages.message_conversion import StampError, check_stamp
from velocity_mobility_ros.ros_io.messages.vehicle_input import (
    VehicleCommand, VehicleCommandReader
)

pytestmark = pytest.mark.ros

BODY = 'uav_1/base_link'
NOW = 1_790_000_000_000_000_000
TIMEOUT = 0.5
VELOCITY, YAW_RATE = (1.0, -2.0, 0.5), 0.3


def plain(velocity=VELOCITY, yaw_rate=YAW_RATE):
    return serialize_message(command_to_twist(velocity, yaw_rate))


def stamped(frame='map', age=0.0):
    return serialize_message(
        command_to_stamped(VELOCITY, YAW_RATE, NOW - round(1e9 * age), frame)
    )


@pytest.mark.parametrize(('frame', 'in_body'), [('map', False), ('base_link', True)])
def test_a_twist_is_in_the_frame_of_the_parameter(frame, in_body):
    reader = VehicleCommandReader(False, frame, BODY, TIMEOUT)
    assert reader.read(plain(), NOW) == VehicleCommand(VELOCITY, YAW_RATE, in_body)


@pytest.mark.parametrize(('frame', 'in_body'), [('map', False), ('base_link', True), (BODY, True)])
def test_a_stamped_twist_names_its_frame(frame, in_body):
    reader = VehicleCommandReader(True, 'map', BODY, TIMEOUT)
    for _ in range(2):  # learnt, then known
        assert reader.read(stamped(frame), NOW) == VehicleCommand(VELOCITY, YAW_RATE, in_body)


def test_another_frame_is_refused():
    reader = VehicleCommandReader(True, 'map', BODY, TIMEOUT)
    with pytest.raises(MalformedMessageError, match='odom'):
        reader.read(stamped('odom'), NOW)


@pytest.mark.parametrize('age', [2.0, -2.0])
def test_a_stamp_that_is_far_from_the_clock_is_refused(age):
    with pytest.raises(MalformedMessageError, match='cmd_vel_timeout'):
        VehicleCommandReader(True, 'map', BODY, TIMEOUT).read(stamped(age=age), NOW)
    any_age = VehicleCommandReader(True, 'map', BODY, 0.0)
    assert any_age.read(stamped(age=age), NOW).velocity == VELOCITY


@pytest.mark.parametrize('number', [math.nan, math.inf])
def test_a_number_that_is_not_finite_is_refused(number):
    with pytest.raises(MalformedMessageError):
        VehicleCommandReader(False, 'map', BODY, TIMEOUT).read(plain(yaw_rate=number), NOW)


@pytest.mark.parametrize('kind', [Twist, TwistStamped])
def test_bytes_that_are_no_command_are_refused(kind):
    reader = VehicleCommandReader(kind is TwistStamped, 'map', BODY, TIMEOUT)
    with pytest.raises(MalformedMessageError, match='no Twist'):
        reader.read(b'\0\1\0\0\7', NOW)


@pytest.mark.parametrize('age_ns', [0, 500_000_000, -500_000_000])
def test_a_stamp_of_the_present_counts(age_ns):
    check_stamp(NOW - age_ns, NOW, 0.5, 'odom_timeout')


@pytest.mark.parametrize(
    ('stamp_ns', 'text'),
    [
        (NOW - 3_000_000_000, 'stamp is 3.000 s old, limit odom_timeout = 0.5 s; are the clocks'),
        (NOW + 3_000_000_000, 'stamp is 3.000 s in the future, limit odom_timeout = 0.5 s; are'),
        (NOW - 500_000_001, 'stamp is 0.500 s old'),
        (0, 'stamp is 0, so it was never set; limit odom_timeout = 0.5 s'),
        (-5, 's old, limit odom_timeout'),
    ],
)
def test_any_other_is_refused_with_age_limit_and_a_hint(stamp_ns, text):
    with pytest.raises(StampError) as caught:
        check_stamp(stamp_ns, NOW, 0.5, 'odom_timeout')
    assert text in str(caught.value)


def test_where_simulated_time_begins_a_stamp_of_zero_is_of_the_present():
    check_stamp(0, 100_000_000, 0.5, 'odom_timeout')
