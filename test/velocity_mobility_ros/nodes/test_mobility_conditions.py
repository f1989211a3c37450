"""What a simulated vehicle tells people: missing commands, its pace, who else publishes."""

import time

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from support.ros.told import ERROR, OK, WARN, Told
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.ros_io.qos import COMMAND, STATE

pytestmark = pytest.mark.ros

NAME, LOGGER = 'uav_1/mobility_node: motion', 'uav_1.mobility_node'


@pytest.fixture
def told(ros):
    """Return what nodes tell, from the beginning."""
    return Told(ros)


def test_without_a_command_ever_it_says_so(ros, told):
    ros.make(MobilityNode, '/uav_1')
    text = 'no command received yet on /uav_1/cmd_vel'
    ros.until(lambda: told.shows(NAME, WARN, text), 'the status')
    assert told.statuses(NAME)[-1].hardware_id == 'uav_1'


def test_commands_that_stop_are_told_until_they_are_back(ros, told):
    ros.make(MobilityNode, '/uav_1')
    voice = ros.voice(Twist, '/uav_1/cmd_vel')

    def command() -> bool:
        voice.publish(Twist())
        ros.meanwhile(0.05)
        return told.shows(NAME, OK, 'ok')

    ros.until(command, 'the status ok')
    text = 'no command on /uav_1/cmd_vel for '
    ros.until(lambda: told.shows(NAME, WARN, text, 'stopped (cmd_vel_timeout 0.5 s)'), 'status')
    assert told.logged(LOGGER, text)
    ros.until(command, 'the status ok again')
    assert told.logged(LOGGER, '/uav_1/cmd_vel: ok again')


def test_an_update_period_that_is_too_long_is_told(ros, told):
    ros.make(MobilityNode, '/uav_1', update_rate=0.05)

    def slow() -> bool:
        time.sleep(0.3)
        return told.shows(NAME, ERROR, 'update period 0.', ' s instead of 0.05 s')

    ros.until(slow, 'the status')


def test_other_publishers_of_its_topics_are_named(ros, told):
    ros.make(MobilityNode, '/uav_1')
    ros.add(Node('driver')).create_publisher(Odometry, '/uav_1/odom', STATE)
    text = '2 publishers on /uav_1/odom: /driver, /uav_1/mobility_node'
    ros.until(lambda: told.shows(NAME, ERROR, text), 'the status')
    for name in ('agent', 'teleop'):
        ros.add(Node(name)).create_publisher(Twist, '/uav_1/cmd_vel', COMMAND)
    ros.until(lambda: told.shows(NAME, ERROR, text, 'on /uav_1/cmd_vel: /agent, /teleop'), 'both')
