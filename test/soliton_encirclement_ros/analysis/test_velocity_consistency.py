"""Velocities in another frame than positions are found, and nothing else is."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.velocity_consistency import velocity_inconsistencies
from support.recorded.planted import flight, noisy, steps


@pytest.fixture
def member():
    chance = np.random.default_rng(1)
    return noisy(flight(steps(chance, duration=20.0)), chance)


def test_velocities_in_another_frame_are_found(member):
    assert velocity_inconsistencies([member]) == []
    turned = member.track.velocity[:, [1, 0, 2]] * [-1.0, 1.0, 1.0]
    (line,) = velocity_inconsistencies(
        [member._replace(track=member.track._replace(velocity=turned))]
    )
    assert line.startswith('uav_1: displacement in 1 s differs from its velocity by')


def test_gaps_and_undefined_samples_are_no_disagreement(member):
    track = member.track
    velocity = track.velocity.copy()
    velocity[100:140] = np.nan
    kept = (track.time < 5.0) | (track.time > 8.0)
    holed = type(track)(*(column[kept] for column in track._replace(velocity=velocity)))
    assert (
        velocity_inconsistencies([member._replace(track=holed), member._replace(track=None)]) == []
    )


def test_a_position_that_jumps_once_is_no_disagreement(member):
    position = member.track.position.copy()
    position[400:] += 500.0
    assert (
        velocity_inconsistencies([member._replace(track=member.track._replace(position=position))])
        == []
    )
