"""Intervals in which a filter was relaxed or at stop."""

import numpy as np
from soliton_encirclement_ros.analysis.findings.alarm import Alarm
from soliton_encirclement_ros.analysis.findings.alarms import filter_alarms, intervals
from soliton_encirclement_ros.analysis.recording import Telemetry
from soliton_encirclement_ros.core.laws.filter_codes import NONE, RELAXED, SEPARATION, STOP


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
