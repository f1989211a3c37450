"""Who reads a topic: by name, not by number."""

from rclpy.node import Node
from std_msgs.msg import Float64
from velocity_mobility_ros.ros_io.qos import COMMAND
from velocity_mobility_ros.ros_io.readers import is_read_by

TOPIC = '/told'


def reader(ros, name, namespace=None):
    node = ros.add(Node(name, namespace=namespace))
    node.create_subscription(Float64, TOPIC, lambda message: None, COMMAND)
    return node


def test_readers_count_by_their_names(ros):
    told = ros.tester.create_publisher(Float64, TOPIC, COMMAND)
    assert is_read_by(ros.tester, told, '/recorder', 0)
    reader(ros, 'viewer')
    reader(ros, 'second_viewer')
    ros.until(lambda: told.get_subscription_count() == 2, 'both viewers')
    ros.meanwhile(0.3, lambda: None)
    assert not is_read_by(ros.tester, told, '/recorder', 1)
    assert is_read_by(ros.tester, told, '/viewer', 1)
    reader(ros, 'recorder')
    ros.until(lambda: is_read_by(ros.tester, told, '/recorder', 1), 'the recorder')
    assert not is_read_by(ros.tester, told, '/recorder', 2)


def test_a_reader_of_another_namespace_is_another(ros):
    told = ros.tester.create_publisher(Float64, TOPIC, COMMAND)
    reader(ros, 'recorder', '/fleet')
    ros.until(lambda: is_read_by(ros.tester, told, '/fleet/recorder', 1), 'the recorder')
    assert not is_read_by(ros.tester, told, '/recorder', 1)
    assert not is_read_by(ros.tester, told, '/fleet_2/recorder', 1)
