"""Two names, one body; velocities in another frame than positions."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.bag.position_checks import (
    MOST, duplicate_tracks, velocity_inconsistencies
)
from soliton_encirclement_ros.analysis.recording import Member, Track
from soliton_encirclement_ros.analysis.resampling import silences
from support.recorded.planted import flight, noisy, steps

TIME = np.arange(100) / 10.0


def member(name: str, offset: float = 0.0, speed: float = 1.0, begin: float = 0.0) -> Member:
    time = TIME + begin
    position = np.column_stack([speed * time, 0.0 * time + offset, 0.0 * time])
    return Member(name, Track(time, position, np.zeros_like(position), 0.0 * time))


def lines(*members: Member) -> list[str]:
    return list(duplicate_tracks({one.name: one for one in members}))


def test_one_body_under_two_names_is_reported() -> None:
    (line,) = lines(member('uav_1'), member('ekf', 0.25), member('uav_2', 3.0))
    assert line.startswith('uav_1 and ekf stay within 0.25 m of each other: if they are one body')
    assert '--map' in line


def test_many_in_one_place_are_one_line() -> None:
    (line,) = lines(*(member(f'uav_{k}', 0.1 * k) for k in range(1, 5)))
    assert line.startswith('uav_1, uav_2, uav_3 and uav_4 stay within 0.30 m of each other: ')


def test_two_bodies_under_four_names_are_two_lines() -> None:
    found = lines(member('a'), member('b', 5.0), member('a2', 0.1), member('b2', 5.1))
    assert [line.split(' stay ')[0] for line in found] == ['a and a2', 'b and b2']


@pytest.mark.parametrize(
    'other',
    [
        member('uav_2', 0.75),
        member('uav_2', begin=20.0),
        member('uav_2', speed=1.2),
        Member('uav_2'),
    ],
)
def test_others_are_not(other: Member) -> None:
    assert lines(member('uav_1'), other) == []


def test_who_stands_is_not() -> None:
    assert lines(member('uav_1', speed=0.1), member('uav_2', speed=0.1)) == []


def test_a_topic_without_a_sample_left_is_no_silence() -> None:
    none = Track(np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))
    assert silences([Member('uav_1', none), member('uav_2')]) == []


def test_nobody_is_looked_for_among_very_many() -> None:
    assert lines(*(member(f'uav_{k}') for k in range(MOST + 1))) == []


@pytest.fixture
def flown():
    chance = np.random.default_rng(1)
    return noisy(flight(steps(chance, duration=20.0)), chance)


def test_velocities_in_another_frame_are_found(flown):
    assert velocity_inconsistencies([flown]) == []
    turned = flown.track.velocity[:, [1, 0, 2]] * [-1.0, 1.0, 1.0]
    (line,) = velocity_inconsistencies(
        [flown._replace(track=flown.track._replace(velocity=turned))]
    )
    assert line.startswith('uav_1: displacement in 1 s differs from its velocity by')


def test_gaps_and_undefined_samples_are_no_disagreement(flown):
    track = flown.track
    velocity = track.velocity.copy()
    velocity[100:140] = np.nan
    kept = (track.time < 5.0) | (track.time > 8.0)
    holed = type(track)(*(column[kept] for column in track._replace(velocity=velocity)))
    assert (
        velocity_inconsistencies([flown._replace(track=holed), flown._replace(track=None)]) == []
    )


def test_a_position_that_jumps_once_is_no_disagreement(flown):
    position = flown.track.position.copy()
    position[400:] += 500.0
    assert (
        velocity_inconsistencies([flown._replace(track=flown.track._replace(position=position))])
        == []
    )
