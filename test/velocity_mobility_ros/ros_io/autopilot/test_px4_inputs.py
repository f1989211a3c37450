"""Topics of a PX4 whose messages do not fit are left, until they may fit again."""

import pytest
from std_msgs.msg import Header
from velocity_mobility_ros.ros_io.autopilot.px4_inputs import Px4Input, Px4Inputs
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.qos import AUTOPILOT_STREAM

pytestmark = pytest.mark.ros


def test_only_topics_without_any_message_are_left(ros):
    node = ros.add(PollingNode('reader'))
    inputs = Px4Inputs(node, {
        topic: Px4Input(Header, f'/{topic}', AUTOPILOT_STREAM) for topic in ('told', 'mute')
    })  # fmt: skip
    ros.voice(Header, '/told', AUTOPILOT_STREAM).publish(Header())
    ros.until(lambda: [topic for topic, _ in inputs.arrived()] == ['told'], 'a message')

    def readers():
        return tuple(ros.tester.count_subscribers(topic) for topic in ('/told', '/mute'))

    for fits, expected in ((True, (1, 1)), (False, (1, 0)), (False, (1, 0)), (True, (1, 1))):
        inputs.listen(fits)
        ros.until(lambda expected=expected: readers() == expected, f'{expected} readers')
