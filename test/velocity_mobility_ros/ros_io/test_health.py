"""A node's health: counts, one warning per source, diagnostics once a second."""

import itertools

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from velocity_mobility_ros.ros_io.health import Health
from velocity_mobility_ros.ros_io.messages import time_to_ns
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


def test_once_a_second_it_says_that_all_is_well(ros, diagnostics):
    Health(ros.tester, lambda: {'ticks': 7})
    ros.until(lambda: len(diagnostics) >= 3, 'three diagnostics', 5.0)
    stamps = [time_to_ns(message.header.stamp) for message in diagnostics]
    periods = [b - a for a, b in itertools.pairwise(stamps)]
    assert periods == pytest.approx([1e9] * len(periods), rel=0.2)
    (status,) = diagnostics.last.status
    assert (status.name, status.level, status.message) == ('tester', DiagnosticStatus.OK, 'ok')
    assert values(status) == {'ticks': '7'}


def test_refusals_are_counted_by_source_and_logged_once_each(ros, diagnostics, said):
    health = Health(ros.tester)
    for _ in range(5):
        health.refuse('odom', 'no number')
    health.refuse('cmd_vel', 'wrong frame')
    assert health.refused == {'odom': 5, 'cmd_vel': 1}
    assert said == [
        'odom: refused: no number (further ones are only counted)',
        'cmd_vel: refused: wrong frame (further ones are only counted)',
    ]
    health.publish()
    ros.until(lambda: diagnostics, 'diagnostics')
    assert values(diagnostics.last.status[0]) == {'refused odom': '5', 'refused cmd_vel': '1'}


def test_a_warning_shows_in_the_next_diagnostics_only(ros, diagnostics, said):
    health = Health(ros.tester)
    health.warn('the clock jumped')
    assert said == ['the clock jumped']
    health.publish()
    health.publish()
    ros.until(lambda: len(diagnostics) >= 2, 'two diagnostics')
    first, second = (message.status[0] for message in diagnostics[:2])
    assert (first.level, first.message) == (DiagnosticStatus.WARN, 'the clock jumped')
    assert (second.level, second.message) == (DiagnosticStatus.OK, 'ok')


def test_stamps_come_from_the_clock_it_was_given(ros, diagnostics):
    Health(ros.tester, now_ns=lambda: 1_500_000_000).publish()
    ros.until(lambda: diagnostics, 'diagnostics')
    assert time_to_ns(diagnostics.last.header.stamp) == 1_500_000_000


@pytest.mark.parametrize('reason', ['100 %s %d %n', '\u2603', 'a\nb', 'x' * 10_000])
def test_whatever_was_sent_can_be_logged(ros, reason):
    health = Health(ros.tester)
    health.refuse('odom', reason)
    health.warn(reason)
    health.publish()
    assert health.refused == {'odom': 1}
