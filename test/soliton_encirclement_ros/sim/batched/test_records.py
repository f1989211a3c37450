"""Records of many bodies."""

import math
from typing import NamedTuple

import numpy as np
from soliton_encirclement_ros.sim.batched import namespace
from soliton_encirclement_ros.sim.batched.records import mapped, stacked

XP = namespace('numpy')


class Thing(NamedTuple):
    """Numbers of all kinds."""

    size: float
    place: tuple[float, float]
    count: int
    is_free: bool


def test_what_differs_becomes_an_array() -> None:
    """By its type; NaN equals NaN, and 0 does not equal -0."""
    one, other = Thing(math.nan, (0.0, 1.0), 2, True), Thing(math.nan, (-0.0, 1.0), 3, False)
    found = stacked([one, other], XP)
    assert math.isnan(found.size) and found.place[1] == 1.0
    assert np.signbit(found.place[0]).tolist() == [False, True]
    assert found.count.dtype == np.int64 and found.is_free.tolist() == [True, False]
    assert isinstance(found, Thing)


def test_one_record_stays_as_it_is() -> None:
    """And so do equal ones."""
    one = Thing(1.0, (0.0, 1.0), 2, True)
    assert stacked([one], XP) == stacked([one, one], XP) == one


def test_every_number_is_mapped() -> None:
    """The kinds of the records stay."""
    assert mapped(lambda x: 2 * x, Thing(1.0, (0.5, 1.0), 2, 0)) == Thing(2.0, (1.0, 2.0), 4, 0)
