"""A node's health: counts, one warning per source, diagnostics once a second."""

import itertools

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node
from rclpy.parameter import Parameter
from velocity_mobility_ros.core.ros_environment import discovery_text
from velocity_mobility_ros.ros_io.conditions import UNHEARD
from velocity_mobility_ros.ros_io.messages import time_to_ns
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.qos import COMMAND

pytestmark = pytest.mark.ros


@pytest.fixture
def said(ros, monkeypatch):
    """Return the warnings that the tester's node logs."""
    lines: list[str] = []
    monkeypatch.setattr(ros.tester.get_logger(), 'warning', lines.append, raising=False)
    return lines


@pytest.fixture
def diagnostics(ros):
    """Return all diagnostics heard."""
    return ros.listen(DiagnosticArray, '/diagnostics', COMMAND)


def values(status: DiagnosticStatus) -> dict[str, str]:
    return {pair.key: pair.value for pair in status.values}


def refused(status: DiagnosticStatus) -> dict[str, str]:
    found = values(status)
    return {key: found[key] for key in found if key.startswith('refused_')}


def test_once_a_second_it_says_that_all_is_well(ros, diagnostics):
    NodeDiagnostics(ros.tester, 'task', lambda: {'ticks': 7})
    ros.until(lambda: len(diagnostics) >= 3, 'three diagnostics', 5.0)
    stamps = [time_to_ns(message.header.stamp) for message in diagnostics]
    periods = [b - a for a, b in itertools.pairwise(stamps)]
    assert periods == pytest.approx([1e9] * len(periods), rel=0.2)
    (status,) = diagnostics.last.status
    assert status.name == 'tester: task'
    assert (status.level, status.message) == (DiagnosticStatus.OK, 'ok')
    assert values(status) == {'ticks': '7', 'executor': type(ros.executor).__name__}


def test_refusals_are_counted_by_source_and_logged_once_each(ros, diagnostics, said):
    health = NodeDiagnostics(ros.tester, 'task')
    for _ in range(5):
        health.refuse('odom', 'no number')
    health.refuse('cmd_vel', 'wrong frame')
    assert health.refused == {'odom': 5, 'cmd_vel': 1}
    assert said == [
        'odom: refused: no number (further refusals are only counted)',
        'cmd_vel: refused: wrong frame (further refusals are only counted)',
    ]
    health.publish()
    ros.until(lambda: diagnostics, 'diagnostics')
    assert refused(diagnostics.last.status[0]) == {'refused_odom': '5', 'refused_cmd_vel': '1'}


def test_refusals_since_the_last_status_are_a_warning_with_count_and_last_reason(
    ros, diagnostics, said
):
    health = NodeDiagnostics(ros.tester, 'task')
    for reason in ['no number'] * 349 + ['wrong frame']:
        health.refuse('/uav_1/cmd_vel', reason)
    health.publish()
    health.publish()
    ros.until(lambda: len(diagnostics) >= 2, 'two diagnostics')
    first, second = (message.status[0] for message in diagnostics[:2])
    assert first.level == DiagnosticStatus.WARN
    assert first.message == '350 messages refused on /uav_1/cmd_vel: wrong frame'
    assert (second.level, second.message) == (DiagnosticStatus.OK, 'ok')
    assert refused(second) == {'refused_uav_1_cmd_vel': '350'}


STALE = Condition(Level.STALE, 'never heard')
WARN = Condition(Level.WARN, 'slow')
ERROR = Condition(Level.ERROR, 'broken')


@pytest.mark.parametrize(
    ('conditions', 'level', 'message'),
    [
        ([], DiagnosticStatus.OK, 'ok'),
        ([WARN], DiagnosticStatus.WARN, 'slow'),
        ([WARN, STALE], DiagnosticStatus.STALE, 'never heard; slow'),
        ([STALE, WARN, ERROR], DiagnosticStatus.ERROR, 'broken; never heard; slow'),
    ],
)
def test_the_status_is_as_bad_as_the_worst_condition_and_says_all(
    ros, diagnostics, conditions, level, message
):
    NodeDiagnostics(ros.tester, 'task', conditions=lambda: conditions).publish()
    ros.until(lambda: diagnostics, 'diagnostics')
    (status,) = diagnostics.last.status
    assert (status.level, status.message) == (level, message)


@pytest.mark.parametrize(
    ('stale', 'patience'), [(STALE, UNHEARD), (STALE._replace(patience=14), 14)]
)
def test_what_never_came_is_logged_once_after_a_while_with_the_settings_of_discovery(
    ros, said, stale, patience
):
    health = NodeDiagnostics(ros.tester, 'task', conditions=lambda: [stale])
    for _ in range(patience - 1):
        health.publish()
    assert said == []
    for _ in range(5):
        health.publish()
    assert said == [f'never heard ({discovery_text()})']


@pytest.mark.parametrize(
    ('namespace', 'hardware', 'expected'),
    [
        (None, '', ('vehicle: motion', 'vehicle')),
        ('/fleet', '', ('fleet/vehicle: motion', 'fleet/vehicle')),
        ('/fleet/uav_3', '/fleet/uav_3', ('fleet/uav_3/vehicle: motion', 'fleet/uav_3')),
    ],
)
def test_name_and_hardware_say_who_it_is(ros, diagnostics, namespace, hardware, expected):
    node = ros.add(Node('vehicle', namespace=namespace))
    NodeDiagnostics(node, 'motion', hardware_id=hardware).publish()
    ros.until(lambda: diagnostics, 'diagnostics')
    (status,) = diagnostics.last.status
    assert (status.name, status.hardware_id) == expected


def test_it_goes_on_while_simulated_time_stands_still(ros, diagnostics):
    node = ros.add(Node('waiting', parameter_overrides=[Parameter('use_sim_time', value=True)]))
    NodeDiagnostics(node, 'task')
    ros.until(lambda: diagnostics, 'diagnostics', 5.0)


def test_a_warning_shows_in_the_next_diagnostics_only(ros, diagnostics, said):
    health = NodeDiagnostics(ros.tester, 'task')
    health.warn('the clock jumped')
    assert said == ['the clock jumped']
    health.publish()
    health.publish()
    ros.until(lambda: len(diagnostics) >= 2, 'two diagnostics')
    first, second = (message.status[0] for message in diagnostics[:2])
    assert (first.level, first.message) == (DiagnosticStatus.WARN, 'the clock jumped')
    assert (second.level, second.message) == (DiagnosticStatus.OK, 'ok')


def test_stamps_come_from_the_clock_it_was_given(ros, diagnostics):
    NodeDiagnostics(ros.tester, 'task', now_ns=lambda: 1_500_000_000).publish()
    ros.until(lambda: diagnostics, 'diagnostics')
    assert time_to_ns(diagnostics.last.header.stamp) == 1_500_000_000


@pytest.mark.parametrize('reason', ['100 %s %d %n', '\u2603', 'a\nb', 'x' * 10_000])
def test_whatever_was_sent_can_be_logged(ros, reason):
    health = NodeDiagnostics(ros.tester, 'task')
    health.refuse('odom', reason)
    health.warn(reason)
    health.publish()
    assert health.refused == {'odom': 1}
