"""Message types by name."""

from pathlib import Path

import pytest
from nav_msgs.msg import Odometry
from soliton_encirclement_ros.core.rosbag.bag_writer import BagWriter
from soliton_encirclement_ros.nodes.message_types import definition, message_class

pytestmark = pytest.mark.ros


def test_an_installed_type_is_found_and_any_other_is_not():
    assert message_class('nav_msgs/msg/Odometry') is Odometry
    assert message_class('nav_msgs/msg/Nothing') is None
    assert message_class('no_msgs/msg/Thing') is None
    assert message_class('example/action/Fly_Feedback') is None


def test_definitions_are_read_where_ros_is_installed(tmp_path: Path, monkeypatch):
    folder = tmp_path / 'share' / 'my_msgs' / 'msg'
    folder.mkdir(parents=True)
    (folder / 'Thing.msg').write_text('float64 x\n', encoding='utf-8')
    assert definition('my_msgs/msg/Thing') is None
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'/nowhere:{tmp_path}')
    assert definition('my_msgs/msg/Thing') == 'float64 x\n'


def test_an_installed_definition_says_what_the_bag_would_say_anyhow(tmp_path: Path):
    bag = BagWriter(tmp_path / 'bag')
    known = bag.types.generate_msgdef('nav_msgs/msg/Odometry', ros_version=2)
    for name in [name for name in bag.types.types if name.startswith(('nav_', 'geometry_'))]:
        del bag.types.types[name], bag.types.fielddefs[name]
        bag.types.cache.pop(name, None) if hasattr(bag.types, 'cache') else None
    assert not bag.has_type('nav_msgs/msg/Odometry')
    assert bag.learn('nav_msgs/msg/Odometry', definition)
    assert bag.types.generate_msgdef('nav_msgs/msg/Odometry', ros_version=2) == known
    bag.close()
