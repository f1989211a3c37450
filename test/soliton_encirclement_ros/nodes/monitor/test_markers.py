"""Markers: one per agent in a small swarm, two lists in a large one."""

import pytest
from soliton_encirclement_ros.nodes.monitor.markers import (
    MOST_SINGLE,
    Scene,
    SeenAgent,
    swarm_markers,
)
from visualization_msgs.msg import Marker

pytestmark = pytest.mark.ros

HERE = (0.0, 0.0, 0.0)


def drawn(count):
    """Return the markers of so many agents, every third of which is down, by namespace."""
    agents = {k: SeenAgent((float(k), 0.0, 1.0), k % 3 == 0) for k in range(1, count + 1)}
    found: dict[str, list[Marker]] = {}
    for marker in swarm_markers(5_000_000_001, Scene(agents, HERE, None), 20.0).markers:
        assert (marker.header.stamp.sec, marker.header.stamp.nanosec) == (5, 1)
        assert marker.header.frame_id == 'map'
        assert marker.pose.orientation.w == 1.0
        found.setdefault(marker.ns, []).append(marker)
    return found


def test_a_small_swarm_has_a_body_and_a_label_each():
    found = drawn(MOST_SINGLE)
    assert [len(found[name]) for name in ('agents', 'labels', 'target', 'ring')] == [
        MOST_SINGLE, MOST_SINGLE, 1, 1,
    ]  # fmt: skip
    assert found['agents'][2].color.r > found['agents'][1].color.r
    assert found['labels'][4].text == 'uav_5'


def test_a_large_swarm_has_two_lists_and_no_labels():
    found = drawn(1000)
    assert sorted(found) == ['agents', 'ring', 'target']
    up, down = found['agents']
    assert {up.type, down.type} == {Marker.SPHERE_LIST}
    assert (len(up.points), len(down.points)) == (667, 333)
    assert [point.x for point in down.points[:2]] == [3.0, 6.0]
    assert up.color.b > up.color.r
    assert down.color.r > down.color.b
    assert up.id != down.id


def test_what_is_not_known_is_not_drawn():
    assert swarm_markers(0, Scene({}, None, None), 20.0).markers == []
