"""The operator's services of a bridge, with answers in words; and the topics of its fleet."""

from types import SimpleNamespace

import pytest
from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from rclpy.serialization import serialize_message
from std_srvs.srv import Trigger

from velocity_mobility_ros.autopilot.autopilot_requests import Intent
from velocity_mobility_ros.autopilot.engage.engage_records import Outputs, Request, State
from velocity_mobility_ros.nodes.autopilot.bridge_node import (
    REQUESTS, BridgeFleet, BridgeNode, serve
)
from velocity_mobility_ros.ros_io.endpoints import LATCHED
from velocity_mobility_ros.ros_io.polling import PollingNode

pytestmark = pytest.mark.ros


@pytest.mark.parametrize('refused', [False, True])
def test_every_request_has_a_service_but_the_end_of_the_process(ros, refused):
    asked = []

    def step(request):
        asked.append(request)
        words = f'answer to {request.value}'
        return Outputs(State.READY, words, Intent.SILENT, None, None, refused)

    serve(ros.tester, step)
    for request in REQUESTS:
        answer = ros.call(Trigger, request.value, Trigger.Request())
        assert answer.success is not refused
        assert answer.message == f'answer to {request.value}'
    assert asked == list(REQUESTS) and Request.RELEASE not in asked
    assert {request.value for request in REQUESTS} == {
        'arm_takeoff', 'engage', 'hold', 'land', 'rtl', 'disarm', 'kill', 'reset'
    }  # fmt: skip


@pytest.mark.parametrize(
    ('state', 'orders', 'may'),
    [
        (State.WAIT_LINK, False, True), (State.READY, False, True), (State.READY, True, False),
        (State.TRACK, False, False), (State.HOLD, False, False),
    ],
)  # fmt: skip
def test_the_process_of_an_idle_bridge_without_an_order_may_start_again(state, orders, may):
    bridge = BridgeNode.__new__(BridgeNode)
    bridge._bridge = SimpleNamespace(memory=SimpleNamespace(state=state))
    bridge._fleet = SimpleNamespace(member=SimpleNamespace(has_orders=orders))
    assert bridge.may_start_again is may


def test_a_damaged_report_of_another_bridge_is_refused_and_a_sound_one_heard(ros):
    node, refused = ros.add(PollingNode('bridge', namespace='/uav_1')), []
    fleet = BridgeFleet(node, '', lambda *asked: None, lambda *told: refused.append(told))
    other = DiagnosticStatus(hardware_id='/uav_2', values=[KeyValue(key='id', value='7@b')])
    data = serialize_message(other)
    voice = ros.voice(DiagnosticStatus, '/swarm/bridge_states', LATCHED)
    voice.publish(data[:-3])
    ros.until(lambda: (fleet.values(), refused)[1], 'a refusal')
    assert refused == [('/swarm/bridge_states', f'{len(data) - 3} bytes are no DiagnosticStatus')]
    voice.publish(data)
    ros.until(lambda: 'uav_2' in str(fleet.values()), 'the other bridge')
