"""Every k-th tick is kept, whatever lumps the ticks come in."""

import numpy as np
import pytest
from soliton_encirclement_ros.sim.chunk import Chunk
from soliton_encirclement_ros.sim.decimation import Decimation
from support.chunks import fly_in_chunks, lively


def numbered(first, last):
    """Return a chunk whose times are the numbers of its ticks."""
    ticks = np.arange(first, last + 1, dtype=float)
    rows = np.repeat(ticks[:, None], 3, axis=1)
    pairs = np.repeat(rows[:, None], 2, axis=1)
    return Chunk(ticks, pairs, rows, rows, rows, ticks, ticks, pairs, pairs, pairs)


@pytest.mark.parametrize('every', [1, 2, 5, 50, 1000])
@pytest.mark.parametrize('sizes', [[100], [1] * 100, [7, 0, 30, 63], [50, 50]])
def test_what_is_kept_does_not_depend_on_the_lumps(every, sizes):
    thinning, kept, tick = Decimation(every), [], 0
    for size in sizes:
        found = thinning.pick(numbered(tick + 1, tick + size))
        tick += size
        kept += found.times.tolist()
        assert all(len(column) == len(found.times) for column in found)
        assert found.agents[:, 1, 2].tolist() == found.times.tolist()
    assert kept == [k for k in range(1, 101) if k % every == 0]


def test_one_by_one_is_everything():
    (chunk,) = fly_in_chunks(lively(), 1000)
    for kept, whole in zip(Decimation(1).pick(chunk), chunk, strict=True):
        assert np.array_equal(kept, whole, equal_nan=True)


def test_without_an_adversary_there_is_still_none():
    scenario = lively(adversary={'adversary_enable': False})
    (chunk,) = fly_in_chunks(scenario, 1000)
    assert Decimation(4).pick(chunk).adversary.shape == (0, 7)
