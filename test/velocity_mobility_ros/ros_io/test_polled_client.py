"""Answers of services wait until they are asked for, and no executor takes them."""

import pytest
from rclpy.node import Node
from std_srvs.srv import SetBool
from velocity_mobility_ros.ros_io.polled_client import PolledClient
from velocity_mobility_ros.ros_io.polling import PollingNode

pytestmark = pytest.mark.ros


class Caller:
    """A client and its service."""

    def __init__(self, ros):
        self.ros, self.answers, self.requests = ros, [], []
        self.node = ros.add(PollingNode('caller'))
        self.client = PolledClient(self.node, SetBool, 'switch')
        self.server = ros.add(Node('server'))

    def serve(self):
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


def test_it_knows_whether_somebody_serves(ros):
    caller = Caller(ros)
    assert not caller.client.is_ready and caller.client.name == '/switch'
    caller.serve()


def test_an_answer_comes_when_it_is_asked_for(ros):
    caller = Caller(ros)
    caller.serve()
    caller.call(True)
    ros.until(lambda: caller.requests, 'the request')
    ros.meanwhile(0.2)
    assert caller.answers == []  # the executor has not taken it
    ros.until(caller.poll, 'the answer')
    assert caller.answers == ['True']
    ros.meanwhile(0.1)
    assert caller.poll() == ['True']


def test_of_two_calls_the_answer_to_the_second_counts(ros):
    caller = Caller(ros)
    caller.serve()
    caller.call(True)
    caller.call(False)
    ros.until(lambda: len(caller.requests) == 2, 'both requests')
    ros.until(caller.poll, 'an answer')
    ros.meanwhile(0.2)
    assert caller.poll() == ['False']


def test_without_a_service_nothing_comes(ros):
    caller = Caller(ros)
    caller.call(True)
    ros.meanwhile(0.2)
    assert caller.poll() == []
