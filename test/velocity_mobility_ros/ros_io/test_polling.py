"""Messages and answers wait until they are asked for, and no executor takes them; readers."""

import pytest
from rclpy.node import Node
from rclpy.serialization import deserialize_message, serialize_message
from std_msgs.msg import Float64, Header
from std_srvs.srv import SetBool, Trigger

from velocity_mobility_ros.ros_io.endpoints import COMMAND, LOCKSTEP, POLLED_INPUT, is_read_by
from velocity_mobility_ros.ros_io.polling import PolledClient, PollingNode, received

pytestmark = pytest.mark.ros


@pytest.fixture
def node(ros):
    """Return a node that spins."""
    return ros.add(PollingNode('reader'))


def test_messages_wait_until_they_are_asked_for(ros, node):
    take, found = node.poll(Header, 'news', LOCKSTEP), []
    assert list(take()) == []
    voice = ros.voice(Header, '/news', LOCKSTEP)
    for k in range(100):
        voice.publish(Header(frame_id=str(k)))

    def have_come() -> bool:
        found.extend(deserialize_message(data, Header).frame_id for data in take())
        return len(found) >= 100

    ros.until(have_come, 'a hundred messages')
    assert found == [str(k) for k in range(100)]
    assert list(take()) == []


def test_damaged_messages_are_left_out_where_objects_are_asked_for(ros, node):
    subscription, found = node.hidden(Header, 'news', LOCKSTEP), []
    voice, sound = ros.voice(Header, '/news', LOCKSTEP), serialize_message(Header(frame_id='map'))
    for data in (sound, sound[:-4], sound[:8], sound):
        voice.publish(data)

    def have_come() -> bool:
        found.extend(received(subscription, Header))
        return len(found) >= 2

    ros.until(have_come, 'both sound messages')
    assert found == [Header(frame_id='map')] * 2


def test_no_executor_sees_them(ros, node):
    before = list(node.subscriptions)
    node.poll(Header, 'news', POLLED_INPUT)
    assert list(node.subscriptions) == before
    node.create_subscription(Header, 'other', print, 10)
    assert [one.topic_name for one in node.subscriptions if one not in before] == ['/other']


def test_they_go_with_their_node(ros, node):
    node.poll(Header, 'news', POLLED_INPUT)
    ros.until(lambda: ros.tester.count_subscribers('/news') == 1, 'the subscription')
    ros.remove(node)
    ros.until(lambda: ros.tester.count_subscribers('/news') == 0, 'its end')


class Caller:
    """A client and its service."""

    def __init__(self, ros, node):
        self.ros, self.answers, self.requests, self.node = ros, [], [], node
        self.client = PolledClient(node, SetBool, 'switch')
        assert not self.client.is_ready and self.client.name == '/switch'
        self.server = ros.add(Node('server'))
        self.server.create_service(SetBool, 'switch', self._answer)
        self.ros.until(lambda: self.client.is_ready, 'the service')

    def _answer(self, request, response):
        self.requests.append(request.data)
        response.success, response.message = True, str(request.data)
        return response

    def call(self, data):
        self.client.call({'data': data}, lambda response: self.answers.append(response.message))

    def poll(self):
        self.client.poll()
        return self.answers


def test_an_answer_comes_when_it_is_asked_for_and_once(ros, node):
    """The executor takes a later answer of the same node, and not this one."""
    caller = Caller(ros, node)
    caller.call(True)
    ros.until(lambda: caller.requests, 'the request')
    caller.server.create_service(Trigger, 'later', lambda _, response: response)
    usual = node.create_client(Trigger, 'later')
    ros.until(usual.service_is_ready, 'the other service')
    ros.until(usual.call_async(Trigger.Request()).done, 'a later answer')
    assert caller.answers == []
    assert ros.until(caller.poll, 'the answer') == ['True']
    assert caller.poll() == ['True']


def test_of_two_calls_the_answer_to_the_second_counts(ros, node):
    """The first answer comes before it, and is passed over."""
    caller = Caller(ros, node)
    caller.call(True)
    caller.call(False)
    assert ros.until(caller.poll, 'an answer') == ['False']
    assert caller.requests == [True, False]


def reader(ros, name, namespace=None):
    node = ros.add(Node(name, namespace=namespace))
    node.create_subscription(Float64, '/told', lambda message: None, COMMAND)


def test_readers_count_by_their_names(ros):
    told = ros.tester.create_publisher(Float64, '/told', COMMAND)
    assert is_read_by(ros.tester, told, '/recorder', 0)
    reader(ros, 'viewer')
    reader(ros, 'second_viewer')
    for name in ('/viewer', '/second_viewer'):
        ros.until(lambda name=name: is_read_by(ros.tester, told, name, 1), name)
    assert not is_read_by(ros.tester, told, '/recorder', 1)
    reader(ros, 'recorder', '/fleet')
    ros.until(lambda: is_read_by(ros.tester, told, '/fleet/recorder', 1), 'another recorder')
    assert not is_read_by(ros.tester, told, '/recorder', 1)
    reader(ros, 'recorder')
    ros.until(lambda: is_read_by(ros.tester, told, '/recorder', 1), 'the recorder')
    assert not is_read_by(ros.tester, told, '/recorder', 2)
