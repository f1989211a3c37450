"""What the parts of a topic's name say."""

import pytest
from soliton_encirclement_ros.analysis.bag.topics.namespaces import namespace, of_px4, subject


@pytest.mark.parametrize(
    ('topic', 'whose'),
    [
        ('/odom', ''),
        ('/uav_1/odom', '/uav_1'),
        ('/fleet/uav_1/odometry/filtered', '/fleet/uav_1'),
        ('/fmu/out/vehicle_odometry', ''),
        ('/fleet/px4_2/fmu/in/trajectory_setpoint', '/fleet/uav_2'),
        ('/uav1/mavros/landing_target/pose', '/uav1'),
        ('/ap/v1/pose/filtered', ''),
        ('/husky_velocity_controller/odom', ''),
    ],
)
def test_bridges_and_contents_are_nobody(topic: str, whose: str) -> None:
    assert namespace(topic) == whose


@pytest.mark.parametrize(
    ('topic', 'about'),
    [
        ('/odom', 'odom'),
        ('/ap/v1/pose/filtered', 'pose'),
        ('/mavros/odometry/in', 'odometry'),
        ('/fmu/out/vehicle_odometry_v1', 'vehicle_odometry'),
        ('/fmu/vehicle_odometry/out', 'vehicle_odometry'),
        ('/cmd_vel_v1_raw', 'cmd_vel_v1_raw'),
        ('/out', 'out'),
    ],
)
def test_versions_and_stages_are_not_what_a_topic_is_about(topic: str, about: str) -> None:
    assert subject(topic) == about


def test_what_is_of_px4_itself() -> None:
    assert of_px4('/px4_1/fmu/out/vehicle_odometry')
    assert not of_px4('/controller/out/vehicle_odometry')
