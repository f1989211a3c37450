"""Predictions over stretches: those of the planted vehicle, whatever the noise at the start."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.stretches import stretches
from support.recorded.planted import QUAD, flight, noisy, steps

SETTINGS = FitSettings()
SCALE = np.full(3, 0.05)


def planted(delay, quad=QUAD):
    return np.array([quad.tau_xy, quad.max_acc_xy, quad.max_speed_xy, quad.tau_z, quad.max_acc_z,
                     quad.max_speed_z, delay])  # fmt: skip


def course_of(*members):
    return JoinedStretches(
        [one for m in members for one in stretches(m, SETTINGS)], QUAD.update_rate
    )


@pytest.mark.parametrize(('delay', 'rate'), [(0.0, 50.0), (0.12, 20.0), (0.2, 100.0)])
def test_without_noise_the_planted_values_predict_every_sample(delay, rate):
    told = steps(np.random.default_rng(1), duration=12.0)
    joined = course_of(flight(told, rate=rate, delay=delay))
    missed = np.abs(joined.predicted(planted(delay), np.full(3, 1e-3)) - joined.measured)
    assert missed.max() < 0.05
    assert np.percentile(missed, 95) < 1e-3


def test_start_velocities_are_found_in_noise_and_among_wild_samples():
    chance = np.random.default_rng(2)
    clean = flight(steps(chance, duration=15.0))
    member = noisy(clean, chance)
    velocity = member.track.velocity.copy()
    velocity[::15] += 30.0
    joined = course_of(member._replace(track=member.track._replace(velocity=velocity)))
    begin = joined.parts[0].time[0]
    true = clean.track.velocity[np.searchsorted(clean.track.time, begin)]
    assert joined.starts(planted(0.0), SCALE)[0] == pytest.approx(true, abs=0.06)


def test_a_start_under_the_speed_limit_stays_near_what_was_measured():
    """There the samples do not depend on it."""
    chance = np.random.default_rng(3)
    told = np.tile([20.0, 0.0, 0.0], (300, 1))
    joined = course_of(noisy(flight(told, start=(8.0, 0.0, 0.0)), chance))
    assert joined.starts(planted(0.0), SCALE)[0] == pytest.approx([8.0, 0.0, 0.0], abs=0.3)


def test_members_are_joined_and_each_sample_knows_its_stretch():
    told = steps(np.random.default_rng(1), duration=30.0)
    members = [flight(told, name=f'uav_{k}') for k in (1, 2)]
    joined = course_of(*members)
    assert [part.agent for part in joined.parts] == ['uav_1', 'uav_1', 'uav_2', 'uav_2']
    assert len(joined.measured) == len(joined.time) == len(joined.stretch)
    assert list(joined.stretch[joined.first]) == [0, 1, 2, 3]
    for s, part in enumerate(joined.parts):
        assert (joined.time[joined.stretch == s] == part.time[1:]).all()


def test_one_update_at_a_time_is_the_same_as_all_in_a_row():
    told = steps(np.random.default_rng(4), duration=8.0)
    joined, values = course_of(flight(told)), planted(0.03)
    starts = joined.starts(values, SCALE)
    flown = joined.flown(values, starts)
    before = np.vstack([starts[:1], flown[:-1]])
    assert (joined.each(values, before) == flown).all()
