"""The operator's services of a bridge: one for each request, with the answer in words."""

import pytest
from std_srvs.srv import Trigger

from velocity_mobility_ros.autopilot.autopilot_requests import Intent
from velocity_mobility_ros.autopilot.engage.engage_records import Outputs, Request, State
from velocity_mobility_ros.nodes.autopilot.bridge_node import REQUESTS, serve

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
    assert {one.value for one in REQUESTS} == {
        'arm_takeoff', 'engage', 'hold', 'land', 'rtl', 'disarm', 'kill', 'reset'
    }  # fmt: skip
