"""Names of a vehicle's topics and frames."""

import pytest
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM, body_frame, names_of


@pytest.mark.parametrize(
    ('namespace', 'frame'),
    [('/uav_3', 'uav_3/base_link'), ('/', 'base_link'), ('/a/b/', 'a/b/base_link')],
)
def test_a_body_is_named_after_its_namespace(namespace, frame):
    assert body_frame(namespace) == frame


def test_other_frames_of_a_body_are_named_alike():
    assert body_frame('/fleet/uav_3', 'odom') == 'fleet/uav_3/odom'


@pytest.mark.parametrize(
    ('body', 'expected'),
    [
        ('uav_3/base_link', ('uav_3/base_link', 'base_link')),
        ('fleet/uav_3/base_link', ('fleet/uav_3/base_link', 'uav_3/base_link', 'base_link')),
        ('base_link', ('base_link',)),
        ('chassis', ('chassis', 'base_link')),
    ],
)
def test_a_body_may_be_named_without_its_fleet(body, expected):
    assert names_of(body) == expected


def test_names_are_relative_to_the_namespace():
    assert not CMD_VEL.startswith('/')
    assert not ODOM.startswith('/')
