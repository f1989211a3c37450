"""Rules for names on a command line of which no node takes notice."""

import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from std_srvs.srv import Trigger
from velocity_mobility_ros.core.user_errors import StartupError
from velocity_mobility_ros.ros_io.live_parameters import TunableNode
from velocity_mobility_ros.ros_io.process.node_names import remapping_warnings

pytestmark = pytest.mark.ros


@pytest.mark.parametrize(
    ('rule', 'name'),
    [
        *((rule, None) for rule in ('odom:=/mavros/odom', '/uav_1/odom:=o', 'tester:cmd:=~/x',
                                    'fail:=down', '__ns:=/uav_1', 'tester:__node:=tester')),
        ('/odom:=/mavros/odom', '/odom; did you mean /uav_1/odom?'),
        ('odomm:=x', '/uav_1/odomm; did you mean /uav_1/odom?'),
        ('other:odom:=x', 'other:odom'),
    ],
)  # fmt: skip
def test_a_rule_that_changes_nothing_is_told(ros, rule, name):
    words = ['--ros-args', '-r', rule]
    node = ros.add(Node('tester', namespace='/uav_1', cli_args=words))
    node.create_publisher(Twist, 'odom', 1)
    node.create_subscription(Twist, 'cmd', print, 1)
    node.create_service(Trigger, 'fail', print)
    line = f'-r {rule} changes no name here: nothing is called {name}'
    assert remapping_warnings(words, [node]) == ([line] if name else [])


def test_two_topics_that_rules_give_one_name_are_refused_unless_they_have_one_type(ros, capfd):
    words = ['--ros-args', '-r', 'odom:=cmd_vel']
    node = ros.add(TunableNode('tester', namespace='/uav_1', cli_args=words))
    subscription = node.create_subscription(Odometry, 'odom', print, 1)
    with pytest.raises(StartupError) as caught:
        node.create_publisher(Twist, 'cmd_vel', 1)
    assert str(caught.value) == (
        'odom and cmd_vel would both be /uav_1/cmd_vel, with types nav_msgs/msg/Odometry and '
        'geometry_msgs/msg/Twist: give another name by -r odom:=...'
    )
    assert capfd.readouterr().err == ''
    node.create_publisher(Odometry, 'cmd_vel', 1)
    node.destroy_subscription(subscription)
    for one in [one for one in node.publishers if one.msg_type is Odometry]:
        node.destroy_publisher(one)
    node.create_publisher(Twist, 'cmd_vel', 1)
