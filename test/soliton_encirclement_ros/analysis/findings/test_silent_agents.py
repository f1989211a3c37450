"""Vehicles of other software that fall silent are down; this package's say so themselves."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import default_settings, find
from soliton_encirclement_ros.analysis.findings.finding_records import Findings, Outage
from soliton_encirclement_ros.analysis.flight_window import between
from soliton_encirclement_ros.analysis.recording import Member, Recording, Topic, Track
from soliton_encirclement_ros.analysis.resampling import active_spells, silent_spells
from support.recorded.recordings import recording_with

TIME = np.arange(1200) * 0.05


def circling(name: str, angle: float, radius: float = 8.0) -> Member:
    turn = 0.2 * TIME + angle
    position = radius * np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
    velocity = 0.2 * radius * np.column_stack([-np.sin(turn), np.cos(turn), 0 * turn])
    return Member(name, Track(TIME, position, velocity, 0 * turn))


def without(member: Member, begin: float, end: float) -> Member:
    """Return a member that is silent from ``begin`` on, until ``end`` [s]."""
    kept = (begin > TIME) | (end <= TIME)
    return member._replace(track=Track(*(column[kept] for column in member.track)))


def foreign(*spells: tuple[str, float, float]) -> Recording:
    """Return a flight of three around a car for 60 s, some silent for a while."""
    members = {
        name: circling(name, k * 2 * np.pi / 3)
        for k, name in enumerate(('mavic_a', 'mavic_b', 'mavic_c'))
    }
    members['car'] = circling('car', 0.0, 0.0)
    for name, begin, end in spells:
        members[name] = without(members[name], begin, end)
    return recording_with(*members.values())


def found(*spells: tuple[str, float, float], target: str | None = 'car') -> Findings:
    recording = foreign(*spells)
    return find(recording, default_settings(recording, target))


def test_who_is_silent_in_the_middle_is_down_and_comes_back() -> None:
    findings = found(('mavic_b', 25.0, 35.0))
    told = [(one.time, findings.name_of(one.agent_id), one.failed) for one in findings.events]
    assert told == [
        (pytest.approx(25.0), 'mavic_b', True), (pytest.approx(35.0), 'mavic_b', False)
    ]  # fmt: skip
    first, second, third = findings.agents
    assert second.outages == (Outage(pytest.approx(25.0), pytest.approx(35.0)),)
    assert (second.failures, second.recoveries) == (1, 1)
    assert second.time_down == pytest.approx(10.0) and second.switches is None
    assert (first.failures, first.outages, third.time_down) == (0, (), 0.0)
    assert findings.summary['failures'] == findings.summary['failures_recovered'] == 1
    assert findings.closings[0].time_to_close is None  # two of three never spread
    line = 'mavic_b: silent from 25.00 to 35.00 s: an outage, it counts as down'
    assert line in findings.problems
    assert findings.encircled
    alive = 'in all of the recording alive = 0.944: mavic_b silent'
    assert findings.why.endswith(f'alive = 1.000 >= 0.5 (3.0 of 3 agents); {alive}')


def test_who_never_comes_back_counts_in_the_share_alive() -> None:
    findings = found(('mavic_a', 40.0, 99.0), ('mavic_b', 30.0, 99.0))
    assert [one.outages for one in findings.agents[:2]] == [
        (Outage(pytest.approx(40.0), None),), (Outage(pytest.approx(30.0), None),)
    ]  # fmt: skip
    assert findings.agents[0].time_down == pytest.approx(19.95)
    assert findings.encircled is False and 'alive = 0.333 < 0.5' in findings.why
    assert findings.observer.trails['uav_1'].failed[-1]
    assert not findings.observer.trails['uav_3'].failed[-1]


def test_without_a_target_an_outage_is_an_event_all_the_same() -> None:
    findings = found(('mavic_b', 25.0, 35.0), target=None)
    assert len(findings.events) == 2 and findings.agents[1].failures == 1
    assert findings.why == 'there is no target to encircle'


@pytest.mark.parametrize(('gap', 'seen'), [(0.02, True), (10.0, False)])
def test_a_vehicle_whose_other_topics_go_on_may_only_be_out_of_sight(
    gap: float, seen: bool
) -> None:
    imu = Topic('/mavic_b/imu', 'sensor_msgs/msg/Imu', 3000, 0.0, 60.0, 50.0, gap, 25.0, 0.0, 0.0)
    recording = foreign(('mavic_b', 25.0, 35.0))._replace(topics=(imu,))
    line = (
        'mavic_b: no place from 25.00 to 35.00 s, but /mavic_b/imu goes on: it counts as down, '
        'and may have been out of sight only'
    )
    assert (line in find(recording, default_settings(recording, 'car')).problems) is seen


def test_a_landing_in_the_judged_part_is_told() -> None:
    recording = foreign()
    track = recording.members['mavic_a'].track
    track.position[:, 2] = np.where(TIME < 50.0, 5.0, np.maximum(0.0, 5.0 - 2.0 * (TIME - 50.0)))
    problems = find(recording, default_settings(recording, 'car')).problems
    assert [one for one in problems if one.startswith('mavic_a: far below the usual height')]
    problems = find(between(recording, 0.0, 50.0), default_settings(recording, 'car')).problems
    assert not [one for one in problems if 'landing' in one]


def test_a_silent_target_is_told() -> None:
    line = 'car: silent from 20.00 to 30.00 s: no target, nothing is judged'
    findings = found(('car', 20.0, 30.0))
    assert line in findings.problems and findings.events == ()


@pytest.mark.parametrize('spell', [('mavic_b', 25.0, 27.5), ('mavic_b', 0.0, 10.0)])
def test_a_short_gap_and_a_late_begin_are_none(spell: tuple[str, float, float]) -> None:
    assert found(spell).events == ()


def test_a_gap_of_all_is_the_recorders_and_no_outage() -> None:
    names = ('mavic_a', 'mavic_b', 'mavic_c', 'car')
    recording = foreign(*((name, 25.0, 35.0) for name in names))
    assert find(recording, default_settings(recording, 'car')).events == ()


def test_a_slow_sender_is_silent_after_ten_of_its_steps() -> None:
    slow = np.array([0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 28.0, 30.0])
    others = active_spells([circling('mavic_a', 0.0)])
    assert silent_spells(slow, others) == [(32.0, None)]
    late = np.append(slow[:6], [31.0, 33.0, 35.0])
    assert silent_spells(late, others)[0] == (12.0, 31.0)
