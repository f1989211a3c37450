"""The twist limiter as a real node: commands in, smoothed commands out."""

import math
import random

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from support.ros.graph import set_parameters
from support.ros.limiter import NODE, PERIOD_NS, STATUS, Limiter, S
from support.ros.told import WARN
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode
from velocity_mobility_ros.ros_io.messages import command_to_stamped, command_to_twist, time_to_ns
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

pytestmark = pytest.mark.ros


def test_steps_and_reversals_come_out_within_the_limits(ros):
    limiter = Limiter(ros, max_acc=3.0, max_yaw_acc=2.0)
    for wanted, yaw_rate in (
        ((6.0, 0.0, 0.0), 0.0),
        ((-6.0, 0.0, 0.0), 1.0),
        ((0.0, 6.0, -2.0), -1.0),
        ((0.0, 0.0, 0.0), 0.0),
        ((3.0, 3.0, 3.0), 1.4),
        ((-3.0, -3.0, -3.0), -1.4),
        ((0.0, 0.0, 0.0), 0.0),
        ((0.0, 0.0, 0.1), 1.5),
        ((0.0, 0.0, 0.0), -1.5),
    ):
        limiter.tick(40, wanted, yaw_rate)
    found = limiter.accelerations()
    assert len(found) == 359
    assert max(acc for acc, _ in found) == pytest.approx(3.0, rel=1e-9)
    assert max(yaw_acc for _, yaw_acc in found) == pytest.approx(2.0, rel=1e-9)
    assert all(acc <= 3.0 * (1 + 1e-9) and yaw <= 2.0 * (1 + 1e-9) for acc, yaw in found)


def test_a_constant_command_is_reached_exactly(ros):
    limiter = Limiter(ros)
    limiter.tick(60, (2.0, -1.0, 0.5), 0.25)
    assert limiter.velocity == (2.0, -1.0, 0.5)
    assert limiter.output.last.twist.angular.z == 0.25


def test_every_output_has_a_stamp_of_its_own_and_the_frame_of_the_command(ros):
    limiter = Limiter(ros)
    limiter.say((1.0, 0.0, 0.0))
    limiter.tick(40)
    assert limiter.stamps == [1000 * S + i * PERIOD_NS for i in range(1, 41)]
    assert {message.header.frame_id for message in limiter.output} == {'map'}


def test_before_the_first_command_it_is_silent(ros):
    limiter = Limiter(ros)
    for _ in range(10):
        limiter.set_time(limiter.now_ns + PERIOD_NS)
    assert not limiter.output
    text = 'no command received yet on /uav_1/cmd_vel_raw'
    ros.until(lambda: limiter.told.shows(STATUS, WARN, text), 'the status')


@pytest.mark.parametrize('frame', ['base_link', 'uav_1/base_link'])
def test_commands_in_the_frame_of_the_body_keep_its_name(ros, frame):
    limiter = Limiter(ros, cmd_vel_frame='base_link')
    limiter.say((1.0, 0.0, 0.0), frame='map')
    limiter.say((1.0, 0.0, 0.0), frame=frame)
    limiter.tick()
    assert limiter.output.last.header.frame_id == frame
    assert limiter.value('refused_cmd_vel_raw') == '1'


@pytest.mark.parametrize('frame', ['base_link', 'uav_1/base_link', 'odom', ''])
def test_a_command_in_another_frame_is_refused(ros, frame):
    limiter = Limiter(ros)
    limiter.tick(10, (1.0, 0.0, 0.0))
    limiter.say((-9.0, 0.0, 0.0), frame=frame)
    limiter.tick(20)
    assert limiter.velocity == (1.0, 0.0, 0.0)
    assert limiter.value('refused_cmd_vel_raw') == '1'


def test_limits_can_be_changed_in_flight(ros):
    limiter = Limiter(ros)
    limiter.tick(5, (9.0, 0.0, 0.0))
    assert set_parameters(ros, NODE, max_acc=1, max_speed_xy=0.4) == [''] * 2
    before = len(limiter.output)
    limiter.tick(40, (9.0, 0.0, 0.0))
    assert limiter.velocity == (0.4, 0.0, 0.0)
    assert max(acc for acc, _ in limiter.accelerations()[before:]) <= 1.0 + 1e-9
    (why,) = set_parameters(ros, NODE, max_acc=-1.0)
    assert why == 'max_acc = -1.0 must be at least 0 m/s^2'
    (why,) = set_parameters(ros, NODE, publish_period=0.5)
    assert why.startswith('publish_period is read-only')


def test_a_deadband_stops_small_commands_and_no_output(ros):
    limiter = Limiter(ros, deadband_speed=0.5, deadband_yaw_rate=0.2)
    limiter.tick(20, (0.3, 0.3, 0.0), 0.19)
    assert all(message.twist == Twist() for message in limiter.output)
    limiter.tick(20, (0.5, 0.0, 0.0), 0.2)
    assert limiter.velocity == (0.5, 0.0, 0.0)
    moving = [message.twist.linear.x for message in limiter.output]
    assert any(0.0 < speed < 0.5 for speed in moving)


def test_the_diagnostics_say_how_often_it_limits(ros):
    limiter = Limiter(ros)
    limiter.tick(10, (0.0, 0.0, 0.0))
    limiter.tick(2, (6.0, 0.0, 0.0))

    def shown() -> dict[str, object]:
        pairs = [pair for one in limiter.told.statuses(STATUS) for pair in one.values]
        values = [pair.value for pair in pairs if pair.key == 'limited_share']
        smallest = [pair.value for pair in pairs if pair.key == 'smallest_factor']
        return {'share': max(map(float, values), default=0.0), 'factors': set(smallest)}

    ros.until(lambda: shown()['share'] > 0.0, 'a share')
    assert shown()['share'] >= 0.166  # more if a status came in between
    assert '0.010' in shown()['factors']
    assert limiter.told.statuses(STATUS)[-1].hardware_id == 'uav_1'


@pytest.mark.parametrize('kind', [Twist, TwistStamped])
def test_a_vehicle_behind_it_follows_in_real_time(ros, kind):
    is_stamped = kind is TwistStamped
    ros.make(TwistLimiterNode, '/uav_1', enable_stamped_cmd_vel=is_stamped, max_acc=5.0)
    ros.make(
        MobilityNode, '/uav_1', enable_stamped_cmd_vel=is_stamped, tau_xy=0.1, max_acc_xy=50.0
    )
    odometry = ros.listen(Odometry, '/uav_1/odom', STATE)
    output = ros.listen(kind, '/uav_1/cmd_vel', COMMAND)
    voice = ros.voice(kind, '/uav_1/cmd_vel_raw')

    def is_fast() -> bool:
        stamped = command_to_stamped((3.0, 0.0, 0.0), 0.0, ros.now_ns())
        voice.publish(stamped if is_stamped else command_to_twist((3.0, 0.0, 0.0), 0.0))
        return bool(odometry) and odometry.last.twist.twist.linear.x > 2.99

    ros.until(is_fast, 'the speed')
    if is_stamped:
        stamps = [time_to_ns(message.header.stamp) for message in output]
        speeds = [message.twist.linear.x for message in output]
        assert stamps == sorted(set(stamps))
        for i in range(1, len(stamps)):
            dt = (stamps[i] - stamps[i - 1]) / S
            assert speeds[i] - speeds[i - 1] <= 5.0 * dt * (1 + 1e-9)
    assert len(output) > 20


def test_a_thousand_odd_commands_leave_the_output_within_its_limits(ros):
    limiter, draw = Limiter(ros), random.Random(8)
    worst = [math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324]
    for _ in range(200):
        for _ in range(5):
            parts = [draw.choice([*worst, draw.uniform(-20.0, 20.0)]) for _ in range(4)]
            limiter.voice.publish(command_to_stamped(tuple(parts[:3]), parts[3], limiter.now_ns))
        limiter.tick(1, (draw.uniform(-20.0, 20.0), 0.0, 0.0))
    assert all(acc <= 3.0 * (1 + 1e-9) for acc, _ in limiter.accelerations())
    assert int(limiter.value('refused_cmd_vel_raw')) > 500
