"""A node's health: counts, one warning per source, diagnostics once a second."""

from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.clock import ClockType
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.publisher import Publisher

from velocity_mobility_ros.core.environment.ros_environment import discovery_text
from velocity_mobility_ros.ros_io.conditions import UNHEARD, ConditionLog
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.node_diagnostics import (
    MAX_KINDS, MAX_REASON, Condition, Level, NodeDiagnostics
)
from velocity_mobility_ros.ros_io.node_time import time_to_ns

pytestmark = pytest.mark.ros


@pytest.fixture
def said(ros, monkeypatch):
    """Return the warnings that the tester's node logs."""
    lines: list[str] = []
    monkeypatch.setattr(ros.tester.get_logger(), 'warning', lines.append, raising=False)
    return lines


@pytest.fixture
def heard(ros, monkeypatch):
    """Return the statuses that nodes of the test publish, without DDS."""
    statuses: list[DiagnosticStatus] = []

    def note(_, message: Any) -> None:
        statuses.extend(getattr(message, 'status', ()))

    monkeypatch.setattr(Publisher, 'publish', note)
    return statuses


def values(status: DiagnosticStatus) -> dict[str, str]:
    return {pair.key: pair.value for pair in status.values}


def refused(status: DiagnosticStatus) -> dict[str, str]:
    found = values(status)
    return {key: found[key] for key in found if key.startswith('refused_')}


@pytest.mark.parametrize('simulated', [False, True])
def test_by_itself_it_says_that_all_is_well(ros, simulated):
    """Also while simulated time stands still, which is told."""
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    node = Node('waiting', parameter_overrides=[Parameter('use_sim_time', value=simulated)])
    health = NodeDiagnostics(ros.add(node), 'task', lambda: {'ticks': 7})
    (timer,) = node.timers
    assert timer is health._timer and timer.timer_period_ns == 10**9
    assert timer.clock.clock_type == ClockType.STEADY_TIME
    ros.until(lambda: diagnostics, 'diagnostics')
    (status,) = diagnostics.last.status
    assert status.name == 'waiting: task'
    assert (status.level == DiagnosticStatus.OK, status.message == 'ok') == (not simulated,) * 2
    assert values(status) == {'ticks': '7', 'executor': type(ros.executor).__name__}


def test_refusals_are_counted_by_source_and_logged_once_each(ros, heard, said):
    """Those since the last status are a warning with their count and the last reason."""
    health = NodeDiagnostics(ros.tester, 'task')
    for reason in ['no number'] * 349 + ['wrong frame']:
        health.refuse('/uav_1/cmd_vel', reason)
    health.refuse('odom', 'no number')
    assert said == [
        '/uav_1/cmd_vel: refused: no number (further refusals are only counted)',
        'odom: refused: no number (further refusals are only counted)',
    ]
    health.publish()
    health.publish()
    first, second = heard
    assert first.level == DiagnosticStatus.WARN
    assert first.message == (
        '350 messages refused on /uav_1/cmd_vel: wrong frame; '
        '1 message refused on /odom: no number'
    )
    assert (second.level, second.message) == (DiagnosticStatus.OK, 'ok')
    assert refused(second) == {'refused_uav_1_cmd_vel': '350', 'refused_odom': '1'}


def test_kinds_that_never_end_are_logged_so_often_only(ros, heard, said):
    """Each late message of another name is a kind; they are all counted, the others' too."""
    health = NodeDiagnostics(ros.tester, 'task')
    for number in range(3 * MAX_KINDS):
        health.refuse('states', f'uav_{number} is late', f'stamp of uav_{number}')
    health.refuse('odom', 'no number')
    assert len(said) == MAX_KINDS + 1
    health.publish()
    assert refused(heard[0]) == {'refused_states': f'{3 * MAX_KINDS}', 'refused_odom': '1'}


def test_a_reason_without_end_is_cut(ros, heard, said):
    health = NodeDiagnostics(ros.tester, 'task')
    health.refuse('states', 'f' * 1_000_000)
    health.publish()
    assert max(len(said[0]), len(heard[0].message)) < 2 * MAX_REASON


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
    ros, heard, conditions, level, message
):
    NodeDiagnostics(ros.tester, 'task', conditions=lambda: conditions).publish()
    (status,) = heard
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


def test_why_it_was_never_heard_may_change_meanwhile(ros, said):
    log = ConditionLog(ros.tester.get_logger())
    for number in range(2 * UNHEARD):
        log.update([STALE._replace(why=f'{number} elsewhere')])
    assert said == [f'never heard: 9 elsewhere ({discovery_text()})']


def test_a_condition_with_a_key_is_logged_when_it_begins_worsens_and_ends(ros, said, monkeypatch):
    for level in ('error', 'info'):
        monkeypatch.setattr(ros.tester.get_logger(), level, said.append, raising=False)
    late, broken = Condition(Level.WARN, '2 s late', 'x'), Condition(Level.ERROR, 'broken', 'x')
    log = ConditionLog(ros.tester.get_logger())
    for present in ([late], [late._replace(reason='3 s late')], [broken], [late], [], [late]):
        log.update(present)
    assert said == ['2 s late', 'broken', 'x: ok again', '2 s late']


@pytest.mark.parametrize(
    ('namespace', 'hardware', 'expected'),
    [
        (None, '', ('vehicle: motion', 'vehicle')),
        ('/fleet', '', ('fleet/vehicle: motion', 'fleet/vehicle')),
        ('/fleet/uav_3', '/fleet/uav_3', ('fleet/uav_3/vehicle: motion', 'fleet/uav_3')),
    ],
)
def test_name_and_hardware_say_who_it_is(ros, heard, namespace, hardware, expected):
    node = ros.add(Node('vehicle', namespace=namespace))
    NodeDiagnostics(node, 'motion', hardware_id=hardware).publish()
    (status,) = heard
    assert (status.name, status.hardware_id) == expected


def test_a_warning_shows_in_the_next_diagnostics_only(ros, heard, said):
    health = NodeDiagnostics(ros.tester, 'task')
    health.warn('the clock jumped')
    assert said == ['the clock jumped']
    health.publish()
    health.publish()
    assert [(message.level, message.message) for message in heard] == [
        (DiagnosticStatus.WARN, 'the clock jumped'), (DiagnosticStatus.OK, 'ok'),
    ]  # fmt: skip


def test_stamps_come_from_the_clock_it_was_given(ros):
    diagnostics = ros.listen(DiagnosticArray, '/diagnostics', COMMAND)
    NodeDiagnostics(ros.tester, 'task', now_ns=lambda: 1_500_000_000)
    ros.until(lambda: diagnostics, 'diagnostics')
    assert time_to_ns(diagnostics.last.header.stamp) == 1_500_000_000


@pytest.mark.parametrize('reason', ['100 %s %d %n', '\u2603', 'a\nb', 'x' * 10_000])
def test_whatever_was_sent_can_be_logged(ros, reason):
    health = NodeDiagnostics(ros.tester, 'task')
    health.refuse('odom', reason)
    health.warn(reason)
    health.publish()
    assert health.refused == {'odom': 1}
