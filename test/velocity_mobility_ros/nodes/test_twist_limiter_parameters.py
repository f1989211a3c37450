"""Wrong parameters of the twist limiter: one line each; those without effect are named."""

import math
import re
import sys

import pytest
from rclpy.exceptions import InvalidParameterValueException
from support.cli import REPOSITORY, Process
from support.ros.told import Told
from velocity_mobility_ros.core.errors import ParameterError, StartupError
from velocity_mobility_ros.core.parameters import declarations
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode
from velocity_mobility_ros.nodes.twist_limiter_parameters import (
    TwistLimiterNodeParameters,
    TwistLimitParameters,
)

pytestmark = pytest.mark.ros

CODE = (
    'import sys; from soliton_encirclement_ros.cli.executables import twist_limiter_node; '
    'sys.exit(twist_limiter_node())'
)
PROCESS = (sys.executable, '-c', CODE, '--ros-args', '-r', '__ns:=/uav_1')
LOGGER = 'uav_1.twist_limiter'


@pytest.mark.parametrize(('parameters', 'text'), [
    ({'max_acc': -1.0}, '/uav_1/twist_limiter: max_acc = -1.0 must be at least 0 m/s^2'),
    ({'max_yaw_acc': math.nan}, 'max_yaw_acc = nan must be finite, at least 0 rad/s^2'),
    ({'max_speed_xy': math.inf}, 'max_speed_xy = inf must be finite'),
    ({'max_speed_z': -5.0}, 'max_speed_z = -5.0 must be at least 0 m/s'),
    ({'max_yaw_rate': 'fast'}, "max_yaw_rate = 'fast' is a str, must be a float"),
    ({'deadband_speed': -0.1}, 'deadband_speed = -0.1 must be at least 0 m/s'),
    ({'deadband_yaw_rate': -0.1}, 'deadband_yaw_rate = -0.1 must be at least 0 rad/s'),
    ({'cmd_vel_timeout': -1.0}, 'cmd_vel_timeout = -1.0 must be at least 0 s'),
    ({'max_dt': 0.0}, 'max_dt = 0.0 must be above 0 s'),
    ({'max_velocity_error': -1.0}, 'max_velocity_error = -1.0 must be at least 0 m/s'),
    ({'max_yaw_rate_error': 1e300}, 'max_yaw_rate_error = 1e+300 must be at most 1e+12 rad/s'),
    ({'publish_period': 0.0}, 'publish_period'),
    ({'cmd_vel_frame': 'odom'}, "cmd_vel_frame = 'odom' must be one of map, base_link"),
    ({'child_frame_id': 'a b'}, "child_frame_id = 'a b' must not contain blanks"),
    ({'feedback': 'CLOSED_LOOP'}, "feedback = 'CLOSED_LOOP' must be one of open_loop, odometry"),
    ({'odom_timeout': 0.0}, 'odom_timeout = 0.0 must be above 0 s'),
    ({'max_accel': 1.0}, "unknown parameter 'max_accel'; did you mean 'max_acc'?"),
])  # fmt: skip
def test_a_wrong_parameter_stops_the_start(ros, parameters, text):
    with pytest.raises((ParameterError, InvalidParameterValueException)) as caught:
        ros.make(TwistLimiterNode, '/uav_1', **parameters)
    assert text in str(caught.value)


def test_its_own_output_is_no_input(ros):
    with pytest.raises(StartupError) as caught:
        TwistLimiterNode(namespace='/uav_1', cli_args=['--ros-args', '-r', 'cmd_vel_raw:=cmd_vel'])
    ros.refused = True
    assert str(caught.value) == (
        '/uav_1/twist_limiter: cmd_vel_raw and cmd_vel are both /uav_1/cmd_vel; remap one of '
        'them, such as -r cmd_vel_raw:=cmd_vel_nav'
    )


@pytest.mark.parametrize(('arguments', 'expected'), [
    (('-p', 'max_acc:=-1.0'), 'max_acc = -1.0 must be at least 0 m/s^2'),
    (('-r', 'cmd_vel_raw:=/uav_1/cmd_vel'), 'cmd_vel_raw and cmd_vel are both /uav_1/cmd_vel'),
])  # fmt: skip
def test_wrong_input_ends_the_process_with_2_and_one_line(domain, tmp_path, arguments, expected):
    with Process((*PROCESS, *arguments), domain, tmp_path) as process:
        assert process.end(20.0) == 2
        assert process.err.startswith('error: ')
        assert process.err.count('\n') == 1
        assert expected in process.err


@pytest.mark.parametrize(('parameters', 'line'), [
    ({'max_velocity_error': 1.0},
     "max_velocity_error = 1.0 has no effect without feedback = 'odometry'"),
    ({'odom_timeout': 1.0}, "odom_timeout = 1.0 has no effect without feedback = 'odometry'"),
    ({'cmd_vel_timeout': 0.01}, 'cmd_vel_timeout = 0.01 s is below publish_period = 0.02 s'),
    ({'max_dt': 0.01}, 'max_dt = 0.01 s is below publish_period = 0.02 s'),
    ({}, 'Twist in map from /uav_1/cmd_vel_raw (timeout 0.5 s) to /uav_1/cmd_vel at 50 Hz within '
         '3 m/s^2 and 2 rad/s^2, open loop'),
    ({'feedback': 'odometry', 'enable_stamped_cmd_vel': True}, 'near the odometry on /uav_1/odom'),
])  # fmt: skip
def test_its_log_says_what_matters_and_what_has_no_effect(ros, parameters, line):
    told = Told(ros)
    ros.make(TwistLimiterNode, '/uav_1', **parameters)
    ros.until(lambda: told.logged(LOGGER, line), line)


def test_the_page_lists_all_parameters_as_declared():
    page = (REPOSITORY / 'docs' / 'smoothing.md').read_text(encoding='utf-8')
    listed = re.findall(r'^\| `(\w+)` \| (\S+) \| (.*?) \| (.*) \|$', page, re.MULTILINE)
    found = [
        (one.name, "''" if one.default == '' else str(one.default).lower(), one.bound, one.meaning)
        for record in (TwistLimitParameters, TwistLimiterNodeParameters)
        for one in declarations(record).values()
    ]
    assert listed == found
