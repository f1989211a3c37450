"""Alarms of many members at once."""

from soliton_encirclement_ros.analysis.findings.alarm import Alarm, grouped_alarms


def test_one_text_of_several_members_at_about_one_time_is_one_line() -> None:
    found = grouped_alarms([
        Alarm(5.0, 8.0, 'uav_1/agent', 'odometry lost'),
        Alarm(5.4, 9.0, 'uav_2/agent', 'odometry lost'),
        Alarm(5.5, None, 'uav_3/agent', 'clock jumped'),
        Alarm(7.5, 9.5, 'uav_3/agent', 'odometry lost'),
    ])  # fmt: skip
    assert found == [
        Alarm(5.0, 9.0, 'uav_1/agent, uav_2/agent', 'odometry lost'),
        Alarm(5.5, None, 'uav_3/agent', 'clock jumped'),
        Alarm(7.5, 9.5, 'uav_3/agent', 'odometry lost'),
    ]


def test_the_same_of_one_member_again_is_another_one_and_one_without_an_end_has_none() -> None:
    found = grouped_alarms([
        Alarm(5.0, 5.1, 'uav_1', 'filter RELAXED'), Alarm(5.2, 5.3, 'uav_1', 'filter RELAXED'),
        Alarm(5.3, None, 'uav_2', 'filter RELAXED'),
    ])  # fmt: skip
    assert found == [
        Alarm(5.0, 5.1, 'uav_1', 'filter RELAXED'),
        Alarm(5.2, None, 'uav_1, uav_2', 'filter RELAXED'),
    ]
