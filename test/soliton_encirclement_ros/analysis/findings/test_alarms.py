"""Alarms: of filters, of nodes, of many members at once; and changed parameters in words."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings.alarms import (
    GAP, filter_alarms, grouped_updates, intervals, status_alarms, value_text
)
from soliton_encirclement_ros.analysis.findings.finding_records import (
    MAX_MESSAGE_LENGTH, Alarm, grouped_alarms
)
from soliton_encirclement_ros.analysis.recording import ParameterChange, StatusReport, Telemetry
from soliton_encirclement_ros.core.laws.filter_codes import NONE, RELAXED, SEPARATION, STOP
from soliton_encirclement_ros.core.run.swarm_health import OF_FAILURES


def test_one_text_of_several_members_at_about_one_time_is_one_line() -> None:
    groups = grouped_alarms([
        Alarm(5.0, 8.0, 'uav_1/agent', 'odometry lost'),
        Alarm(5.4, 9.0, 'uav_2/agent', 'odometry lost'),
        Alarm(5.5, None, 'uav_3/agent', 'clock jumped'),
        Alarm(7.5, 9.5, 'uav_3/agent', 'odometry lost'),
    ])  # fmt: skip
    assert groups == [
        Alarm(5.0, 9.0, 'uav_1/agent, uav_2/agent', 'odometry lost'),
        Alarm(5.5, None, 'uav_3/agent', 'clock jumped'),
        Alarm(7.5, 9.5, 'uav_3/agent', 'odometry lost'),
    ]


def test_the_same_of_one_member_again_is_another_one_and_one_without_an_end_has_none() -> None:
    groups = grouped_alarms([
        Alarm(5.0, 5.1, 'uav_1', 'filter RELAXED'), Alarm(5.2, 5.3, 'uav_1', 'filter RELAXED'),
        Alarm(5.3, None, 'uav_2', 'filter RELAXED'),
    ])  # fmt: skip
    assert groups == [
        Alarm(5.0, 5.1, 'uav_1', 'filter RELAXED'),
        Alarm(5.2, None, 'uav_1, uav_2', 'filter RELAXED'),
    ]


def telemetry(*reasons: float) -> Telemetry:
    """Return telemetry once a second from 0 s."""
    count = len(reasons)
    none, rest = np.zeros((count, 3)), np.zeros(count)
    values = {'filter_reason': np.array(reasons)}
    return Telemetry(np.arange(float(count)), none, none, rest != 0.0, rest, rest, values)


def test_intervals_end_behind_their_last_flag():
    assert intervals([False, True, True, False, True]) == [(1, 3), (4, 5)]
    assert intervals([]) == intervals([False]) == []


def test_begin_and_end_are_told_of_relaxed_and_stop_alone():
    found = list(filter_alarms('uav_4', telemetry(
        RELAXED, RELAXED, SEPARATION, STOP, NONE, RELAXED)))  # fmt: skip
    assert found == [
        Alarm(0.0, 2.0, 'uav_4', 'filter RELAXED'),
        Alarm(5.0, None, 'uav_4', 'filter RELAXED'),
        Alarm(3.0, 4.0, 'uav_4', 'filter STOP'),
    ]


def test_agents_without_a_filter_have_no_alarms():
    assert list(filter_alarms('uav_4', telemetry(RELAXED)._replace(values={}))) == []


NAME = 'uav_1/agent: control'
OK, WARN, ERROR, STALE = range(4)
LOST = 'odometry lost: none on /uav_1/odom for 1.2 s'
WELL = (0.0, OK, 'ok')


def alarms(*said: tuple[float, int, str], name: str = NAME, duration: float = 60.0) -> list[Alarm]:
    """Return the alarms of one node."""
    reports = [StatusReport(at, name, level, message) for at, level, message in said]
    return list(status_alarms(reports, duration))


def test_a_reason_lasts_until_the_first_status_without_it_whatever_its_numbers() -> None:
    later = LOST.replace('1.2', '2.2')
    found = alarms(WELL, (5.0, ERROR, LOST), (6.0, ERROR, later), (7.0, OK, 'ok'))
    assert found == [Alarm(5.0, 7.0, 'uav_1/agent', LOST)]
    assert alarms(WELL, (5.0, ERROR, LOST))[0].end is None


def test_numbers_of_members_are_part_of_their_names() -> None:
    found = alarms(WELL, (5.0, WARN, 'silent: uav_2'), (6.0, WARN, 'silent: uav_3'))
    assert [(one.time, one.end, one.what) for one in found] == [
        (5.0, 6.0, 'silent: uav_2'), (6.0, None, 'silent: uav_3'),
    ]  # fmt: skip


def test_what_comes_at_once_is_one_alarm_and_what_comes_later_another() -> None:
    found = alarms(
        WELL, (5.0, WARN, 'silent: uav_2; counted as stopped'),
        (8.0, ERROR, f'{LOST}; silent: uav_2; counted as stopped'), (9.0, ERROR, LOST),
    )  # fmt: skip
    assert [(one.time, one.end, one.what) for one in found] == [
        (5.0, 9.0, 'silent: uav_2; counted as stopped'), (8.0, None, LOST),
    ]  # fmt: skip


def test_one_that_comes_and_goes_every_second_is_one() -> None:
    said = [(1.0 + k, ERROR if k % 2 else OK, LOST if k % 2 else 'ok') for k in range(20)]
    (one,) = alarms(WELL, *said)
    assert (one.time, one.end) == (2.0, None)
    again = 3.0 + GAP + 0.1
    apart = alarms(WELL, (2.0, ERROR, LOST), (3.0, OK, 'ok'), (again, ERROR, LOST))
    assert [one.time for one in apart] == [2.0, again]


@pytest.mark.parametrize(
    ('level', 'end', 'told'),
    [(WARN, 50.0, False), (ERROR, 5.0, False), (STALE, 5.0, False), (STALE, 12.0, True),
     (ERROR, None, True)],
)  # fmt: skip
def test_what_stands_at_the_start_is_told_only_if_it_is_grave_and_stays(
    level: int, end: float | None, told: bool
) -> None:
    ended = [] if end is None else [(end, OK, 'ok')]
    assert bool(alarms((0.5, level, 'no odometry received yet'), *ended)) == told


def test_what_follows_from_a_failure_is_no_event_of_its_own() -> None:
    message = '; '.join(f'{words} (for 2 s)' for words in OF_FAILURES)
    assert alarms(WELL, (3.0, WARN, message)) == []
    (one,) = alarms(WELL, (3.0, WARN, f'{message}; {LOST}'))
    assert one.what == LOST


def test_changes_of_the_health_are_told_by_state() -> None:
    found = alarms(
        WELL, (3.0, WARN, 'silent: uav_2'), (4.0, WARN, 'silent: uav_2, uav_3'),
        (5.0, ERROR, '1 of 3 agents received; silent: uav_2, uav_3'), (6.0, OK, 'ok'),
        name='monitor: health',
    )  # fmt: skip
    assert found == [
        Alarm(3.0, 5.0, 'monitor', 'health DEGRADED: silent: uav_2'),
        Alarm(5.0, 6.0, 'monitor',
              'health FAILED: 1 of 3 agents received; silent: uav_2, uav_3'),
    ]  # fmt: skip


def test_text_of_anybody_is_one_line_that_is_not_endless() -> None:
    (one,) = alarms(WELL, (3.0, ERROR, 'bad\x1b[2J\nnews' + 'x' * 9999), name='driver')
    assert one.who == 'driver'
    assert one.what.isprintable() and len(one.what) <= MAX_MESSAGE_LENGTH + 3


AGENTS = [f'/uav_{k}/agent' for k in range(1, 6)]


def test_one_value_for_many_nodes_at_once_is_one_change():
    given = [ParameterChange(3.0 + 0.1 * i, node, 'k_s', 1.5, 4.0)
             for i, node in enumerate(AGENTS)]  # fmt: skip
    (found,) = grouped_updates(given)
    assert (found.time, found.text) == (3.0, 'k_s 1.5 -> 4.0')
    assert found.nodes == tuple(AGENTS)
    assert found.where == 'uav_1/agent, uav_2/agent, uav_3/agent and 2 more'


def test_other_values_other_times_and_the_same_node_again_are_others():
    first = ParameterChange(3.0, AGENTS[0], 'k_s', 1.5, 4.0)
    others = [
        first._replace(node=AGENTS[1], new=5.0),
        first._replace(node=AGENTS[1], name='k_r'),
        first._replace(time=3.5),
        first._replace(node=AGENTS[1], time=9.0),
    ]
    assert [update.nodes for update in grouped_updates([first, *others])] == [
        (AGENTS[0],), (AGENTS[1],), (AGENTS[1],), (AGENTS[0],), (AGENTS[1],),
    ]  # fmt: skip


def test_values_are_written_as_in_a_parameter_file():
    assert [*map(value_text, (None, True, 'sum', 2.5, 3))] == ['?', 'true', "'sum'", '2.5', '3']
