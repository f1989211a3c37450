"""Map files: what they may say, and the one line for what they may not."""

from pathlib import Path

import pytest
from soliton_encirclement_ros.analysis.bag import load_topic_map
from soliton_encirclement_ros.core.errors import RunError

FULL = """
agents:
  uav_1: {odom: /drone7/odometry, cmd_vel: /drone7/cmd, cmd_vel_frame: base_link}
  uav_2: {odom: /drone8/odometry, telemetry: /drone8/inner}
target: {odom: /car/odom}
"""


def load(folder: Path, text: str) -> object:
    path = folder / 'map.yaml'
    path.write_text(text, encoding='utf-8')
    return load_topic_map(path)


def test_every_member_has_its_topics(tmp_path: Path) -> None:
    naming = load(tmp_path, FULL)
    assert naming.topics == {
        'uav_1': {'odom': '/drone7/odometry', 'cmd_vel': '/drone7/cmd'},
        'uav_2': {'odom': '/drone8/odometry', 'telemetry': '/drone8/inner'},
        'target': {'odom': '/car/odom'},
    }
    assert naming.frames == {'uav_1': 'base_link', 'uav_2': 'map', 'target': 'map'}


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('agent: {}', "unknown key 'agent'; did you mean 'agents'?"),
        ('agents: {uav_1: {odometry: /a}}', "unknown key 'odometry'; did you mean 'odom'?"),
        ('agents: {uav_1: {odom: drone}}', "odom = 'drone' must be a topic such as /drone7"),
        ('agents: {uav_1: {odom: 7}}', 'odom = 7 must be a topic'),
        ('agents: {uav_1: {odom: /a, cmd_vel_frame: body}}', "must be 'map' or 'base_link'"),
        ('agents: {a: {odom: /x}, b: {odom: /x}}', '/x cannot be a.odom and b.odom at once'),
        ('agents: {target: {odom: /a}}', 'target is no agent'),
        ('agents: [uav_1]', 'agents must be a mapping'),
        ('{}', 'names no topic'),
        ('', 'is empty; write for example agents: '),
        ('[1]', 'a map must be a mapping, not [1]'),
        ('agents: {uav_1: {odom: /a, odom: /b}}', "duplicate key 'odom'"),
        ('agents: {', 'not valid YAML'),
    ],
)
def test_a_mistake_is_named_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RunError) as refused:
        load(tmp_path, text)
    assert message in str(refused.value) and '\n' not in str(refused.value)


def test_a_map_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RunError, match='cannot read the map: No such file'):
        load_topic_map(tmp_path / 'none.yaml')
