"""Which PX4 belongs to which bridge, by their namespaces."""

import pytest
from velocity_mobility_ros.ros_io.autopilot.px4_link import namespace_of


@pytest.mark.parametrize(('given', 'namespace', 'expected'), [
    ('auto', '/uav_3', 'px4_3'), ('auto', '/fleet/uav_12', 'px4_12'), ('auto', '/', ''),
    ('auto', '/drone', ''), ('auto', '/uav_3/bridge', ''), ('auto', '/uav_x', ''),
    ('', '/uav_3', ''), ('px4_7', '/uav_3', 'px4_7'), ('/px4_7/', '/uav_3', 'px4_7'),
    ('fleet/one', '/uav_3', 'fleet/one'),
])  # fmt: skip
def test_the_namespace_of_a_px4(given, namespace, expected):
    assert namespace_of(given, namespace) == expected
