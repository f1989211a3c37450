"""Names of a vehicle's topics and frames."""

import pytest
from velocity_mobility_ros.ros_io.topics import CMD_VEL, ODOM, body_frame


@pytest.mark.parametrize(
    ('namespace', 'frame'),
    [('/uav_3', 'uav_3/base_link'), ('/', 'base_link'), ('/a/b/', 'a/b/base_link')],
)
def test_a_body_is_named_after_its_namespace(namespace, frame):
    assert body_frame(namespace) == frame


def test_names_are_relative_to_the_namespace():
    assert not CMD_VEL.startswith('/')
    assert not ODOM.startswith('/')
