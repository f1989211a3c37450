"""Commands of two types: Twist and TwistStamped. Both ends say so, by name."""

import pytest
from geometry_msgs.msg import TwistStamped
from rclpy.node import Node

from soliton_encirclement_ros.nodes.actors.safety_node import SafetyNode
from soliton_encirclement_ros.nodes.world.world_node import WorldNode
from support.ros.graph import Ros
from support.ros.told import ERROR, Told
from velocity_mobility_ros.nodes.mobility_node import MobilityNode
from velocity_mobility_ros.nodes.trajectory_node import TrajectoryNode
from velocity_mobility_ros.nodes.twist_limiter_node import TwistLimiterNode
from velocity_mobility_ros.ros_io.endpoints import COMMAND

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

TOPIC, RAW = '/uav_1/cmd_vel', '/uav_1/cmd_vel_raw'
STAMPED = 'geometry_msgs/msg/TwistStamped'
HERE = 'set enable_stamped_cmd_vel to true here, or the other type there'


@pytest.mark.parametrize(
    ('kind', 'topic', 'task'),
    [
        (MobilityNode, TOPIC, 'uav_1/mobility_node: motion'),
        (TwistLimiterNode, RAW, 'uav_1/twist_limiter: smoothing'),
        (SafetyNode, RAW, 'uav_1/safety: control'),
        (WorldNode, TOPIC, 'world: simulation'),
    ],
)
def test_who_is_sent_the_other_type_says_by_whom(
    ros: Ros, kind: type[Node], topic: str, task: str
) -> None:
    """It hears nothing of it."""
    told = Told(ros)
    namespace, more = ('/', {'lockstep': False}) if kind is WorldNode else ('/uav_1', {})
    node = ros.make(kind, namespace, **more)
    ros.tester.create_publisher(TwistStamped, topic, COMMAND)
    text = f'/tester sends {STAMPED} on {topic}, we take geometry_msgs/msg/Twist: {HERE}'
    ros.until(lambda: told.shows(task, ERROR, text), 'the status')
    logger = node.get_fully_qualified_name().strip('/').replace('/', '.')
    ros.until(lambda: told.logged(logger, text), 'the line')


@pytest.mark.parametrize(
    ('kind', 'task'),
    [(TwistLimiterNode, 'twist_limiter: smoothing'), (TrajectoryNode, 'trajectory_node: path')],
)
def test_who_sends_the_other_type_says_to_whom(ros: Ros, kind: type[Node], task: str) -> None:
    told = Told(ros)
    ros.make(kind, '/uav_1')
    ros.listen(TwistStamped, TOPIC, COMMAND)
    text = f'/tester takes {STAMPED} on {TOPIC} and hears nothing of our geometry_msgs/msg/Twist'
    ros.until(lambda: told.shows(f'uav_1/{task}', ERROR, text), 'the status')
