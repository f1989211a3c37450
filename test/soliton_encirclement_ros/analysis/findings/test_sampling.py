"""Recordings of other software are judged by where bodies were, not by what was last heard."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import Findings, default_settings, find
from soliton_encirclement_ros.analysis.findings.finding_records import Point
from soliton_encirclement_ros.analysis.recording import Member
from support.recorded.recordings import body, recording_with

CENTRE = 0.0, 0.0, 0.0


def times(step: float, length: float, *silent: tuple[float, float], late: float = 0.0):
    """Return times of messages, without those in intervals [s]."""
    time = np.arange(late, length, step)
    kept = [(time < begin - 1e-9) | (time >= end - 1e-9) for begin, end in silent]
    return time[np.all(kept, axis=0)] if kept else time


def in_line(name: str, ahead: float, time: np.ndarray, speed: float = 12.0) -> Member:
    way = np.array([ahead, 0.0, 20.0]) + np.outer(time * speed, (1.0, 0.0, 0.0))
    return body(name, time, way, (speed, 0.0, 0.0))


RADIUS, RATE = 0.5, 2.5


def on_ring(k: int, time: np.ndarray, of: int = 6) -> Member:
    turn = RATE * time + 2.0 * np.pi * k / of
    place = RADIUS * np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])
    speed = RADIUS * RATE * np.column_stack([-np.sin(turn), np.cos(turn), 0.0 * turn])
    return body(f'cf_{k + 1}', time, place, speed)


def found(*members: Member, target: str | Point | None = None) -> Findings:
    recording = recording_with(*members)
    return find(recording, default_settings(recording, target))


def rates(findings: Findings) -> list[float]:
    return [findings.summary[f'near_misses_below_{d}m_per_min'] for d in ('2', '1', '0.5')]


@pytest.mark.parametrize('silent', [(10.0, 11.0), (10.0, 10.6), (10.0, 10.2)])
def test_a_convoy_keeps_its_distance_over_a_dropout(silent) -> None:
    whole = times(0.1, 20.0)
    findings = found(in_line('a', 0.0, whole), in_line('b', 4.0, times(0.1, 20.0, silent)))
    assert findings.min_separation.distance == pytest.approx(4.0)
    assert [one.separation for one in findings.agents] == pytest.approx([4.0, 4.0])
    assert rates(findings) == [0.0] * 3 and findings.collisions == ()
    assert np.nanmin(findings.series['min_separation']) == pytest.approx(4.0)


@pytest.mark.parametrize('end', [5.05, 5.2, 5.6, 7.5])
def test_a_ring_has_no_collision_while_one_of_it_is_not_heard(end: float) -> None:
    whole = times(0.01, 10.0)
    members = [on_ring(k, times(0.01, 10.0, (5.0, end)) if k == 2 else whole) for k in range(6)]
    findings = found(*members, target=CENTRE)
    assert findings.min_separation.distance == pytest.approx(0.5, abs=0.02)
    assert findings.collisions == () and findings.encircled
    # Neighbours are 0.5 m apart, all others less than 1 m or 2 m.
    assert findings.summary['near_misses_below_2m_per_min'] == pytest.approx(
        15 / 9.95 * 60.0, rel=0.01
    )


def test_near_misses_are_below_the_smallest_separation_of_no_pair() -> None:
    whole = times(0.1, 20.0)
    passing = np.abs(whole - 10.0)[:, None] * (0.0, 1.0, 0.0) + (1.5, 0.0, 0.0)
    silent = times(0.1, 20.0, (9.0, 9.8))
    kept = np.isin(whole, silent)
    findings = found(
        body('a', whole, (0.0, 0.0, 0.0)), body('b', silent, passing[kept], (0.0, 1.0, 0.0))
    )
    assert findings.min_separation.distance == pytest.approx(1.5)
    assert rates(findings) == [pytest.approx(60.0 / 19.9), 0.0, 0.0]


def test_places_between_messages_are_those_of_the_time_of_a_sample() -> None:
    """Slow senders that take turns are where they were, not where they were last heard."""
    first, second = times(0.5, 20.0), times(0.5, 20.0, late=0.25)
    findings = found(in_line('a', 0.0, first), in_line('b', 4.0, second))
    assert findings.min_separation.distance == pytest.approx(4.0)


def test_samples_count_once_all_are_heard_that_begin_together() -> None:
    target = body('boat', times(0.05, 10.0), CENTRE)
    members = [on_ring(k, times(0.05, 10.0, late=0.01 * (k + 1)), of=3) for k in range(3)]
    findings = found(target, *members, target='boat')
    assert set(findings.series['alive']) == {3.0}
    assert findings.series['rho'].max() < 0.01
    assert np.isfinite(findings.series['min_separation']).all()


def test_after_a_pause_samples_count_once_all_are_heard_again() -> None:
    pause = 10.0, 60.0
    target = body('boat', times(0.05, 70.0, pause), CENTRE)
    members = [on_ring(k, times(0.05, 70.0, pause, late=0.01 * (k + 1)), of=3) for k in range(3)]
    findings = found(target, *members, target='boat')
    assert set(findings.series['alive']) == {3.0}


def test_who_comes_later_is_not_waited_for() -> None:
    target = body('boat', times(0.05, 20.0), CENTRE)
    members = [on_ring(k, times(0.05, 20.0, late=5.0 * (k == 2)), of=3) for k in range(3)]
    alive = found(target, *members, target='boat').series['alive']
    assert alive[0] == 2.0 and alive[-1] == 3.0


def test_one_message_of_each_is_a_sample() -> None:
    findings = found(body('a', [1.0], CENTRE), body('b', [1.0], (3.0, 0.0, 0.0)))
    assert findings.series['time'].tolist() == [1.0]
    assert findings.min_separation.distance == pytest.approx(3.0)
