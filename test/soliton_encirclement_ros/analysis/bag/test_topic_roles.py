"""Who is meant by the names of topics, by themselves and by map files."""

from pathlib import Path

import pytest

from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map, map_text
from soliton_encirclement_ros.analysis.bag.topic_names import subject
from soliton_encirclement_ros.analysis.bag.topic_roles import (
    COMMAND_TYPES, LOCAL_POSITION, ODOMETRY, POSE, POSE_COVARIANCE, POSITION_TYPES, SETPOINT,
    TWIST, TWIST_STAMPED, VEHICLE_ODOMETRY, rank, roles, unused_topics
)
from soliton_encirclement_ros.analysis.recording import Source
from soliton_encirclement_ros.core.errors import RunError


@pytest.mark.parametrize(
    ('topic', 'kind', 'member', 'role'),
    [
        ('/uav_1/odom', ODOMETRY, 'uav_1', 'odom'),
        ('/uav_1/ground_truth', ODOMETRY, 'uav_1', 'ground_truth'),
        ('/uav_1/ground_truth/odom', ODOMETRY, 'uav_1', 'ground_truth'),
        ('/fleet/uav_1/odometry/filtered', ODOMETRY, 'uav_1', 'odom'),
        ('/drone/mavros/local_position/odom', ODOMETRY, 'drone', 'odom'),
        ('/drone/mavros/local_position/pose', POSE, 'drone', 'odom'),
        ('/drone/mavros/setpoint_velocity/cmd_vel_unstamped', TWIST, 'drone', 'cmd_vel'),
        ('/odom', ODOMETRY, 'vehicle', 'odom'),
        ('/husky_velocity_controller/odom', ODOMETRY, 'vehicle', 'odom'),
        ('/fmu/out/vehicle_odometry', VEHICLE_ODOMETRY, 'vehicle', 'odom'),
        ('/px4_3/fmu/out/vehicle_local_position_v1', LOCAL_POSITION, 'uav_3', 'odom'),
        ('/px4_3/fmu/in/trajectory_setpoint', SETPOINT, 'uav_3', 'cmd_vel'),
        ('/ap/cmd_vel', TWIST_STAMPED, 'vehicle', 'cmd_vel'),
        ('/drone/mavros/global_position/local', ODOMETRY, 'drone', 'odom'),
        ('/drone/mavros/vision_pose/pose', POSE, 'drone', 'odom'),
        ('/ap/v1/pose/filtered', POSE, 'uav_1', 'odom'),
        ('/drone/ap/pose/filtered', POSE, 'drone', 'odom'),
        ('/a1/diff_drive_controller/odom', ODOMETRY, 'a1', 'odom'),
        ('/px4_2/fmu/vehicle_local_position/out', LOCAL_POSITION, 'uav_2', 'odom'),
        ('/drone/odom', POSE, 'drone', 'odom'),
        ('/drone/controller/cmd_vel', TWIST, 'drone', 'cmd_vel'),
        ('/drone/vio/pose', POSE_COVARIANCE, 'drone', 'odom'),
        ('/target/odom', ODOMETRY, 'target', 'odom'),
    ],
)
def test_usual_names(topic: str, kind: str, member: str, role: str) -> None:
    found = roles([(topic, kind)], None)[topic, kind]
    assert (found.member, found.kind) == (member, role)


def test_names_that_are_shared_are_told_in_full() -> None:
    keys = [(f'/{name}/uav_1/odom', ODOMETRY) for name in ('red', 'blue')]
    assert [role.member for role in roles(keys, None).values()] == ['red/uav_1', 'blue/uav_1']


STACKS = {
    'aerostack2': (
        '/drone0/self_localization/pose PoseStamped, /drone0/sensor_measurements/odom Odometry, '
        '/drone0/ground_truth/pose PoseStamped, /drone0/motion_reference/pose PoseStamped, '
        '/drone0/motion_reference/twist TwistStamped, '
        '/drone0/self_localization/twist TwistStamped',
        {'drone0 odom': 'self_localization/pose', 'drone0 ground_truth': 'ground_truth/pose'},
    ),
    'MRS': (
        '/uav1/estimation_manager/odom_main Odometry, /uav1/hw_api/odometry Odometry, '
        '/uav1/estimation_manager/gps_baro/odom Odometry, /uav1/mavros/local_position/odom '
        'Odometry, /uav1/hw_api/ground_truth Odometry, /uav1/mavros/setpoint_position/local '
        'PoseStamped, /uav1/control_manager/control_reference Odometry',
        {'uav1 odom': 'odom_main', 'uav1 ground_truth': 'ground_truth'},
    ),
    'motion capture beside MAVROS': (
        '/vicon/cf1/cf1 TransformStamped, /cf1/mavros/local_position/pose PoseStamped, '
        '/vrpn_mocap/cf2/pose PoseStamped, /cf2/goal_pose PoseStamped, /vicon/wand '
        'PoseStamped, /vicon/pole/pole TransformStamped',
        {'cf1 odom': 'local_position/pose', 'cf2 odom': 'cf2/pose', 'wand odom': 'vicon/wand'},
    ),
    'motion capture alone': (
        '/vicon/cf1/cf1 TransformStamped, /vicon/cf2/cf2 TransformStamped',
        {'cf1 odom': 'cf1/cf1', 'cf2 odom': 'cf2/cf2'},
    ),
    'a vehicle and a content in one part': (
        '/drone_0_visual_slam/odom Odometry, /drone_0_odom_visualization/pose PoseStamped, '
        '/uav2_odom Odometry, /uav2_cmd_vel Twist',
        {'drone_0 odom': 'visual_slam/odom', 'uav2 odom': 'uav2_odom',
         'uav2 cmd_vel': 'uav2_cmd_vel'},
    ),
    'contents before vehicles': (
        '/odom/uav_1 Odometry, /ground_truth/uav_1 Odometry, /goal/uav_1 PoseStamped, '
        '/world/field/model/x500_2/odometry Odometry',
        {'uav_1 odom': 'odom/uav_1', 'uav_1 ground_truth': 'ground_truth/uav_1',
         'x500_2 odom': 'x500_2/odometry'},
    ),
    'nodes that nobody knows': (
        '/anna/inav/odom Odometry, /anna/okvis2/odom Odometry, /anna/ring/tracker/pose '
        'PoseStamped, /bob/inav/odom Odometry',
        {'anna odom': 'anna/inav/odom', 'bob odom': 'bob/inav/odom'},
    ),
    'vehicles in a group, that see others': (
        '/site1/uav1/odom Odometry, /site1/uav2/odom Odometry, /site1/target/odom Odometry, '
        '/site1/uav1/target/odom Odometry, /site1/uav1/seen/uav2/odom Odometry, '
        '/site1/uav2/target Odometry, '
        '/site1/uav2/node3/odometry Odometry',
        {'uav1 odom': 'uav1/odom', 'uav2 odom': 'uav2/odom', 'target odom': 'site1/target/odom'},
    ),
    'an autopilot and its bridge': (
        '/uav_3/odom Odometry, /ap/v3/pose/filtered PoseStamped, /ap/v4/pose/filtered PoseStamped',
        {'uav_3 odom': 'uav_3/odom', 'uav_4 odom': 'v4/pose/filtered'},
    ),
}  # fmt: skip
"""Topics of a tool, and what is used of which member, by the end of the topic's name."""


@pytest.mark.parametrize(('topics', 'used'), STACKS.values(), ids=STACKS)
def test_a_vehicle_has_one_place(topics: str, used: dict[str, str]) -> None:
    types = {kind.rpartition('/')[2]: kind for kind in (*POSITION_TYPES, *COMMAND_TYPES)}
    pairs = [one.split() for one in topics.split(', ')]
    found = roles([(topic, types[kind]) for topic, kind in pairs], None)
    best = {}
    for (topic, _), role in sorted(found.items(), key=lambda item: item[1].order):
        if role.kind:
            best.setdefault(f'{role.member} {role.kind}', topic)
    assert best.keys() == used.keys()
    assert all(best[what].endswith(end) for what, end in used.items())
    assert unused_topics(((topic, types[kind]) for topic, kind in pairs), found) == []


def test_a_bridge_and_its_vehicle_are_one() -> None:
    keys = [('/uav_3/odom', ODOMETRY), ('/px4_3/fmu/out/vehicle_local_position', LOCAL_POSITION)]
    assert {role.member for role in roles(keys, None).values()} == {'uav_3'}


def test_the_best_topic_comes_first() -> None:
    topics = [
        ('/a/odom', ODOMETRY), ('/a/odometry/filtered', ODOMETRY),
        ('/a/odom_noisy', ODOMETRY), ('/a/fmu/out/vehicle_local_position', LOCAL_POSITION),
        ('/a/fmu/out/vehicle_odometry_v1', VEHICLE_ODOMETRY), ('/a/pose', POSE),
        ('/a/fmu/out/vehicle_local_position_groundtruth', LOCAL_POSITION),
        ('/a/fmu/in/vehicle_visual_odometry', VEHICLE_ODOMETRY),
    ]  # fmt: skip
    assert sorted(reversed(topics), key=lambda key: rank(*key)) == topics


def test_other_topics_have_no_role() -> None:
    keys = [
        ('/tf', 'tf2_msgs/msg/TFMessage'), ('/goal', POSE), ('/uav_1/cmd_vel', ODOMETRY + 'x'),
        ('/initialpose', POSE_COVARIANCE),
        ('/cf1/cmd_vel_legacy', TWIST), ('/controller/out/trajectory_setpoint', SETPOINT),
        ('/controller/out/vehicle_visual_odometry', VEHICLE_ODOMETRY),
    ]  # fmt: skip
    assert roles(keys, None) == {}


def test_what_only_its_name_keeps_out_is_told() -> None:
    keys = [('/tf', 'tf2_msgs/msg/TFMessage'), ('/goal', POSE), ('/a/odom', ODOMETRY)]
    assert unused_topics(keys, roles(keys, None)) == [
        'not used, since other names are usual: /goal (PoseStamped); a map file (--map) can name '
        'them'
    ]
    many = [(f'/goal_{k}', POSE) for k in range(1, 12)]
    (line,) = unused_topics(many, {})
    assert '/goal_6 (PoseStamped) and 3 more; a map file' in line
    assert unused_topics(keys[2:], roles(keys[2:], None)) == []


def test_versions_and_stages_are_not_what_a_topic_is_about() -> None:
    topics = ('/mavros/odometry/in', '/fmu/vehicle_odometry_v1', '/cmd_vel_v1_raw', '/out')
    assert [*map(subject, topics)] == ['odometry', 'vehicle_odometry', 'cmd_vel_v1_raw', 'out']


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
    assert naming.frames == {'uav_1': 'base_link'}


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('/**: {}', '; it looks like a parameter file of nodes, which is for: start the node'),
        ('agent: {}', "unknown key 'agent'; did you mean 'agents'?"),
        ('agents: {uav_1: {odometry: /a}}', "unknown key 'odometry'; did you mean 'odom'?"),
        ('agents: {uav_1: {odom: drone}}', "odom = 'drone' must be a topic such as /drone7"),
        ('agents: {uav_1: {odom: 7}}', 'odom = 7 must be a topic'),
        ('agents: {uav_1: {odom: /a, cmd_vel_frame: body}}', "must be 'map' or 'base_link'"),
        ('agents: {a: {odom: /x}, b: {odom: /x}}', '/x cannot be a.odom and b.odom at once'),
        ('agents: {target: {odom: /a}}', 'target is no agent'),
        ('agents: {a: {odom: "/tf:"}}', "'/tf:' must be a topic such as /drone7/odometry, or a"),
        ('agents: {a: {odom: /x;}}', "odom = '/x;' must be a topic"),
        ('agents: {no: {odom: /x}}', 'False is no name: YAML reads no, off, yes and on as truth'),
        ('agents: {a: {}, b: {odom: /x}}', 'a names no topic; write for example agents: '),
        ('agents;uav_1;/x', "a map must be a mapping, not 'agents;uav_1;/x'; write for example"),
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


def test_a_map_with_a_byte_order_mark_is_one(tmp_path: Path) -> None:
    text = '\ufeffagents: {a: {odom: "/tf:map.base_link"}}\r\n'
    assert load(tmp_path, text).topics == {'a': {'odom': '/tf:map.base_link'}}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    sources = [
        Source('on', 'odom', '/tf:a.b: c', 'tf2_msgs/msg/TFMessage', 'sensor', True),
        Source('on', 'odom', '/on/pose', POSE, 'estimate', False),
        Source('7', 'odom', '/7/goal', POSE, 'reference', False),
        Source('target', 'cmd_vel', '/target/cmd_vel', TWIST, 'command', True),
    ]
    text = map_text(sources, {'target': 'base_link'}, 'flight')
    naming = load(tmp_path, text)
    assert naming.topics == {
        'on': {'odom': '/tf:a.b: c'}, 'target': {'cmd_vel': '/target/cmd_vel'},
    }  # fmt: skip
    assert naming.frames == {'target': 'base_link'}
    assert '    # odom: /on/pose  # estimate, PoseStamped\n' in text


def test_a_map_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RunError, match='cannot read the map: No such file'):
        load_topic_map(tmp_path / 'none.yaml')
