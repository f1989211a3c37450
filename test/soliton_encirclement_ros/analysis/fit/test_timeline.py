"""Updates between samples: they fill the time, and a command cuts the one in which it arrives."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.analysis.fit.stretches import Stretch
from soliton_encirclement_ros.analysis.fit.timeline import grid, timeline

UPDATE = 0.01


def stretch(time, command_time, told):
    return Stretch('uav_1', time, np.zeros((len(time), 3)), command_time, told)


@given(st.lists(st.floats(1e-4, 0.3), min_size=2, max_size=40))
def test_samples_are_updates_and_updates_have_about_one_length(gaps):
    time = 5.0 + np.cumsum([0.0, *gaps])
    times = grid(time, UPDATE)
    assert np.isin(time, times).all()
    steps = np.diff(times)
    assert (steps > 0.0).all() and (steps < 1.51 * UPDATE).all()
    for begin, end in itertools.pairwise(time):
        inside = steps[(times[:-1] >= begin) & (times[:-1] < end)]
        assert inside.min() > min(0.66 * UPDATE, 0.99 * (end - begin))


def test_an_update_in_which_a_command_arrives_is_cut_in_two():
    time = np.array([0.0, 0.02, 0.04])
    told = np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    part = stretch(time, np.array([-1.0, 0.0]), told)
    line = timeline([part], [grid(time, UPDATE)], 0.025)
    lasting = line.dt > 1e-9
    assert line.dt[lasting] == pytest.approx([0.01, 0.01, 0.005, 0.005, 0.01])
    assert list(line.wanted[lasting, 0]) == [1.0, 1.0, 1.0, 2.0, 2.0]


@pytest.mark.parametrize('delay', [-0.1, 0.0, 0.013, 0.2])
def test_time_is_filled_and_each_sample_has_the_update_that_ends_at_it(delay):
    chance = np.random.default_rng(3)
    parts = [
        stretch(
            begin + np.cumsum(chance.uniform(0.005, 0.05, 60)),
            begin - 1.0 + 0.05 * np.arange(100),
            chance.standard_normal((100, 3)),
        )
        for begin in (1.0, 30.0)
    ]
    line = timeline(parts, [grid(part.time, UPDATE) for part in parts], delay)
    for s, part in enumerate(parts):
        own = slice(line.begin[s], line.begin[s + 1])
        ends = part.time[0] + np.cumsum(line.dt[own])
        assert ends[-1] == pytest.approx(part.time[-1])
        own_samples = line.sampled[59 * s : 59 * (s + 1)] - line.begin[s]
        assert ends[own_samples] == pytest.approx(part.time[1:])
        middle = ends - 0.5 * line.dt[own]
        lasting = line.dt[own] > 1e-9
        latest = np.searchsorted(part.command_time + delay, middle, 'right') - 1
        assert (line.wanted[own][lasting] == part.command[latest][lasting]).all()
