"""The twist limiter as a real node: commands in, smoothed commands out, odometry, parameters."""

import math
import re
import sys

import pytest
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.exceptions import InvalidParameterValueException

from support.cli import REPOSITORY, Process
from support.ros.bodies import level_message
from support.ros.graph import set_parameters
from support.ros.limiter import NODE, PERIOD_NS, STATUS, Limiter, S
from support.ros.sent_messages import command_to_stamped, command_to_twist
from support.ros.told import STALE, WARN, Told
from velocity_mobility_ros.core import twist_smoothing as chain
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.nodes.twist_limiter_feedback import LimitTally
from velocity_mobility_ros.nodes.twist_limiter_node import (
    TwistLimiterNode, TwistLimiterNodeParameters, TwistLimitParameters
)
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = pytest.mark.ros

def test_steps_and_reversals_come_out_within_the_limits(ros):
    limiter = Limiter(ros, max_acc=3.0, max_yaw_acc=2.0)
    for wanted, yaw_rate in (
        ((6.0, 0.0, 0.0), 0.0),
        ((-6.0, 0.0, 0.0), 1.0),
        ((0.0, 0.0, 0.1), 1.5),
        ((0.0, 0.0, 0.0), -1.5),
    ):
        limiter.tick(40, wanted, yaw_rate)
    found = limiter.accelerations()
    assert len(found) == 159
    assert max(acc for acc, _ in found) == pytest.approx(3.0, rel=1e-9)
    assert max(yaw_acc for _, yaw_acc in found) == pytest.approx(2.0, rel=1e-9)
    assert 0.0 <= float(limiter.value('limited_share')) <= 1.0
    assert limiter.told.statuses(STATUS)[-1].hardware_id == 'uav_1'
    assert all(acc <= 3.0 * (1 + 1e-9) and yaw <= 2.0 * (1 + 1e-9) for acc, yaw in found)


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


@pytest.mark.parametrize(('own', 'frame', 'other'), [
    ('base_link', 'base_link', 'map'), ('base_link', 'uav_1/base_link', 'map'),
    ('map', 'map', 'base_link'), ('map', 'map', ''),
])  # fmt: skip
def test_commands_keep_the_name_of_their_frame_and_those_of_another_are_refused(
    ros, own, frame, other
):
    limiter = Limiter(ros, cmd_vel_frame=own)
    limiter.say((1.0, 0.0, 0.0), frame=frame)
    limiter.say((-9.0, 0.0, 0.0), frame=other)
    limiter.tick()
    assert limiter.velocity[0] > 0.0
    assert limiter.output.last.header.frame_id == frame
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


def test_the_diagnostics_say_how_often_it_limits():
    tally, state = LimitTally(), chain.at_rest(0)
    for factor in (1.0,) * 10 + (0.5, 0.01):
        tally.add(state._replace(limiter=state.limiter._replace(factor=factor)))
    assert tally.take() == {'limited_share': '0.167', 'smallest_factor': '0.010'}
    assert tally.take() == {'limited_share': '0.000', 'smallest_factor': '1.000'}


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


BODY = 'uav_1/base_link'
STILL = (0.0, 0.0, 0.0)


class Measured(Limiter):
    """A limiter with feedback, and a voice for the odometry."""

    def __init__(self, ros, **parameters):
        super().__init__(ros, feedback='odometry', **parameters)
        self.odometry = ros.voice(Odometry, '/uav_1/odom', STATE)

    def measure(self, velocity, yaw=0.0, yaw_rate=0.0, body=BODY, frame='map'):
        """Publish odometry until the node has it: it is subscribed best effort."""
        seen, feedback = self.node._feedback._stamp_ns, self.node._feedback

        def is_taken():
            message = level_message(self.now_ns, body, STILL, yaw, velocity, yaw_rate, frame)
            self.odometry.publish(message)
            self.ros.meanwhile(0.01)
            self.set_time(self.now_ns + PERIOD_NS)
            return feedback._stamp_ns > seen

        self.ros.until(is_taken, 'the odometry')


def test_it_starts_from_the_measured_velocity(ros):
    limiter = Measured(ros)
    limiter.measure((4.0, 0.0, 1.0))
    limiter.tick(1, (0.0, 0.0, 1.0))
    assert limiter.velocity == pytest.approx((3.94, 0.0, 1.0))


def test_in_the_frame_of_the_body_the_measured_velocity_is_levelled_and_turned(ros):
    limiter = Measured(ros, cmd_vel_frame='base_link')
    limiter.measure((0.0, 3.0, 0.5), yaw=math.pi / 2, yaw_rate=0.25)
    limiter.say((3.0, 0.0, 0.5), 0.25, frame=BODY)
    limiter.tick()
    assert limiter.velocity == pytest.approx((3.0, 0.0, 0.5))
    assert limiter.output.last.twist.angular.z == pytest.approx(0.25)


@pytest.mark.parametrize(('changes', 'line'), [
    ({'body': 'uav_2/base_link'}, "child_frame_id = 'uav_2/base_link' must be 'uav_1/base_link'"),
    ({'frame': 'odom'}, "frame_id = 'odom' must be 'map'"),
    ({'yaw_rate': math.inf}, 'twist.angular.z = inf must be finite'),
])  # fmt: skip
def test_odometry_that_does_not_fit_is_refused(ros, changes, line):
    limiter = Measured(ros)
    given = {'yaw_rate': 0.0, 'body': BODY, 'frame': 'map', **changes}

    def is_refused():
        limiter.odometry.publish(
            level_message(
                limiter.now_ns, given['body'], STILL, 0.0, (4.0, 0.0, 0.0), given['yaw_rate'],
                given['frame'],
            )
        )
        limiter.set_time(limiter.now_ns + PERIOD_NS)
        return any(line in one.message for one in limiter.told.statuses(STATUS))

    ros.until(is_refused, line)
    limiter.tick(1, (4.0, 0.0, 0.0))
    assert limiter.velocity == pytest.approx((0.06, 0.0, 0.0))


def test_without_odometry_it_works_and_says_so(ros):
    limiter = Measured(ros, odom_timeout=0.5)
    ros.until(lambda: limiter.told.shows(STATUS, STALE, 'no odometry received yet'), 'the status')
    limiter.measure((1.0, 0.0, 0.0))
    limiter.tick(1, (1.0, 0.0, 0.0))
    assert limiter.velocity == (1.0, 0.0, 0.0)
    limiter.tick(60, (5.0, 0.0, 0.0))
    assert limiter.velocity[0] == pytest.approx(4.6)
    texts = 'no odometry on /uav_1/odom for 1.', ' s: works without feedback'
    ros.until(lambda: limiter.told.shows(STATUS, WARN, *texts), 'the status')
    assert all(acc <= 3.0 * (1 + 1e-9) for acc, _ in limiter.accelerations())


CODE = (
    'import sys; from soliton_encirclement_ros.cli.executables import twist_limiter_node; '
    'sys.exit(twist_limiter_node())'
)
PROCESS = (sys.executable, '-c', CODE, '--ros-args', '-r', '__ns:=/uav_1')
LOGGER = 'uav_1.twist_limiter'


@pytest.mark.parametrize(('parameters', 'text'), [
    ({'max_acc': -1.0}, '/uav_1/twist_limiter: max_acc = -1.0 must be at least 0 m/s^2'),
    ({'max_speed_z': -5.0}, 'max_speed_z = -5.0 must be at least 0 m/s'),
    ({'deadband_speed': -0.1}, 'deadband_speed = -0.1 must be at least 0 m/s'),
    ({'deadband_yaw_rate': -0.1}, 'deadband_yaw_rate = -0.1 must be at least 0 rad/s'),
    ({'cmd_vel_timeout': -1.0}, 'cmd_vel_timeout = -1.0 must be at least 0 s'),
    ({'max_dt': 0.0}, 'max_dt = 0.0 must be above 0 s'),
    ({'max_velocity_error': -1.0}, 'max_velocity_error = -1.0 must be at least 0 m/s'),
    ({'cmd_vel_frame': 'odom'}, "cmd_vel_frame = 'odom' must be one of map, base_link"),
    ({'child_frame_id': 'a b'}, "child_frame_id = 'a b' must not contain blanks"),
    ({'feedback': 'CLOSED_LOOP'}, "feedback = 'CLOSED_LOOP' must be one of open_loop, odometry"),
    ({'odom_timeout': 0.0}, 'odom_timeout = 0.0 must be above 0 and at most 60 s'),
    ({'max_accel': 1.0}, "unknown parameter 'max_accel'; did you mean 'max_acc'?"),
])  # fmt: skip
def test_a_wrong_parameter_stops_the_start(ros, parameters, text):
    with pytest.raises((ParameterError, InvalidParameterValueException)) as caught:
        ros.make(TwistLimiterNode, '/uav_1', **parameters)
    assert text in str(caught.value)


def test_wrong_input_ends_the_process_with_2_and_one_line(domain, tmp_path):
    with Process((*PROCESS, '-r', 'cmd_vel_raw:=/uav_1/cmd_vel'), domain, tmp_path) as process:
        assert process.end() == 2
        assert process.err.startswith('error: ') and process.err.count('\n') == 1
        assert 'cmd_vel_raw and cmd_vel are both /uav_1/cmd_vel' in process.err


@pytest.mark.parametrize(('parameters', 'line'), [
    ({'max_velocity_error': 1.0},
     "max_velocity_error = 1.0 has no effect without feedback = 'odometry'"),
    ({'cmd_vel_timeout': 0.01}, 'cmd_vel_timeout = 0.01 s is below publish_period = 0.02 s'),
    ({'max_speed_xy': 0.0},
     'max_speed_xy = 0: nothing moves horizontally; for no limit give a large number'),
    ({'max_acc': 0.0}, 'max_acc = 0: no velocity changes; for no limit give a large number'),
    ({'max_dt': 0.01}, 'max_dt = 0.01 s is below publish_period = 0.02 s'),
    ({}, 'Twist in map from /uav_1/cmd_vel_raw (timeout 0.5 s) to /uav_1/cmd_vel at 50 Hz within '
         '10 m/s horizontal, 5 m/s vertical, 1.5 rad/s, 3 m/s^2 and 2 rad/s^2, open loop'),
    ({'feedback': 'odometry', 'enable_stamped_cmd_vel': True}, 'near the odometry on /uav_1/odom'),
])  # fmt: skip
def test_its_log_says_what_matters_and_what_has_no_effect(ros, parameters, line):
    told = Told(ros)
    ros.make(TwistLimiterNode, '/uav_1', **parameters)
    ros.until(lambda: told.logged(LOGGER, line), line)


def test_the_page_lists_all_parameters_as_declared():
    page = (REPOSITORY / 'docs' / 'how_to' / 'smoothing.md').read_text(encoding='utf-8')
    listed = re.findall(r'^\| `(\w+)` \| (\S+) \| (.*?) \| (.*) \|$', page, re.MULTILINE)
    found = [
        (one.name, "''" if one.default == '' else str(one.default).lower(), one.bound, one.meaning)
        for record in (TwistLimitParameters, TwistLimiterNodeParameters)
        for one in declarations(record).values()
    ]
    assert listed == found
