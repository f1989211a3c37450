"""Message packages that are not part of ROS: loaded, or missed in words."""

import pytest
from std_msgs.msg import Bool
from std_srvs.srv import Trigger
from velocity_mobility_ros.core.errors import StartupError
from velocity_mobility_ros.ros_io.autopilot.message_packages import load

pytestmark = pytest.mark.ros


def test_classes_by_topic_or_service():
    assert load({'switch': ('std_msgs', 'Bool')}, 'msg') == {'switch': Bool}
    assert load({'check': ('std_srvs', 'Trigger')}, 'srv') == {'check': Trigger}


@pytest.mark.parametrize(('kinds', 'part', 'words'), [
    ({'a': ('nowhere_msgs', 'Bool')}, 'msg', 'nowhere_msgs is not installed'),
    ({'a': ('std_msgs', 'Nothing')}, 'msg', 'std_msgs has no msg/Nothing; install a newer one'),
])  # fmt: skip
def test_what_is_missing_is_told(kinds, part, words):
    with pytest.raises(StartupError, match=words):
        load(kinds, part)
