"""A node that raises while it starts leaves nothing behind, or the next test would hear it."""

import gc

import pytest
from soliton_encirclement_ros.nodes.recorder.recorder_node import RecorderNode
from support.ros.graph import Ros
from velocity_mobility_ros.core.errors import StartupError

pytestmark = pytest.mark.ros


@pytest.fixture
def no_collection():
    """Suspend garbage collections by themselves: when they come is chance."""
    gc.disable()
    yield
    gc.enable()


def test_a_node_that_refused_to_start_is_gone_in_the_next_test(domain, no_collection):
    ros = Ros(domain)
    with pytest.raises(StartupError, match='/proc/no'):
        ros.make(RecorderNode, run_folder='/proc/no')
    ros.close()
    assert not [one for one in gc.get_objects() if isinstance(one, RecorderNode)]
