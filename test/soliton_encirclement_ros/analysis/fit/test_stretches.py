"""Stretches: only where it is known what a vehicle was told, without gaps, not too short."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.stretches import after, stretches, until
from soliton_encirclement_ros.analysis.recording import Commands, Member, Track
from support.recorded.planted import flight, steps

SETTINGS = FitSettings()
LONG = FitSettings(longest_stretch=1000.0)


@pytest.fixture(scope='module')
def member():
    return flight(steps(np.random.default_rng(1), duration=30.0))


def without(member, kind, begin, end):
    """Return a member without what came between two times."""
    part = getattr(member, kind)
    kept = (part.time < begin) | (part.time >= end)
    return member._replace(**{kind: type(part)(*(column[kept] for column in part))})


def spans(found):
    return [(round(float(one.time[0]), 2), round(float(one.time[-1]), 2)) for one in found]


def test_it_begins_when_the_longest_delay_is_known_and_ends_with_the_commands(member):
    (found,) = stretches(member, LONG)
    assert spans([found]) == [(0.5, 30.0)]
    assert found.agent == 'uav_1' and found.command_time[0] == 0.0


def test_long_stretches_are_cut_into_equal_pieces(member):
    found = stretches(member, SETTINGS)
    assert len(found) == 2
    assert found[0].length == pytest.approx(found[1].length, abs=0.05)
    assert found[1].command_time[0] <= found[1].time[0] - SETTINGS.longest_delay


def test_a_silence_of_the_commands_is_left_out(member):
    found = stretches(without(member, 'commands', 10.0, 14.0), LONG)
    assert spans(found) == [(0.5, 10.34), (14.5, 30.0)]


def test_rare_commands_are_no_silence(member):
    sparse = member.commands.time % 2.0 < 0.01
    commands = Commands(*(column[sparse] for column in member.commands))
    (found,) = stretches(member._replace(commands=commands), LONG)
    assert (found.time[0], found.time[-1]) == pytest.approx((0.5, 29.9), abs=0.03)


def test_a_gap_in_the_odometry_ends_a_stretch_and_a_short_one_does_not(member):
    assert spans(stretches(without(member, 'track', 10.0, 12.0), LONG)) == [
        (0.5, 9.98), (12.0, 30.0)
    ]  # fmt: skip
    assert len(stretches(without(member, 'track', 10.0, 10.5), LONG)) == 1


def test_undefined_and_doubled_samples_are_left_out(member):
    track = member.track
    velocity = track.velocity.copy()
    velocity[::3] = np.nan
    track = track._replace(velocity=velocity)
    doubled = Track(*(np.repeat(column, 2, axis=0) for column in track))
    (found,) = stretches(member._replace(track=doubled), LONG)
    assert np.isfinite(found.velocity).all() and (np.diff(found.time) > 0.0).all()
    assert len(found.time) == pytest.approx(2.0 / 3.0 * 1476, abs=2)


def test_undefined_commands_count_as_lost(member):
    told = member.commands.velocity.copy()
    told[(member.commands.time > 10.0) & (member.commands.time < 14.0)] = np.inf
    commands = member.commands._replace(velocity=told)
    found = stretches(member._replace(commands=commands), LONG)
    assert spans(found) == [(0.5, 10.4), (14.5, 30.0)]


@pytest.mark.parametrize(
    'member',
    [
        Member('uav_1'),
        flight(np.zeros((30, 3)))._replace(commands=None),
        flight(np.zeros((30, 3)))._replace(track=None),
        flight(np.zeros((25, 3))),
    ],
    ids=['nothing', 'no commands', 'no track', 'too short'],
)
def test_where_there_is_too_little_there_is_none(member):
    assert stretches(member, SETTINGS) == []


def test_before_and_after_a_moment_there_is_every_sample_once(member):
    (whole,) = stretches(member, LONG)
    parts = until(whole, 20.0), after(whole, 20.0)
    assert (np.concatenate([part.time for part in parts]) == whole.time).all()
    assert until(whole, 1.0) is None and after(whole, 29.9) is None
