"""Hashed random numbers: the published generator, and normal numbers made of it."""

import math

import numba
import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.sim.compilation.compiled import compiled
from velocity_mobility_ros.core.random_numbers import (
    LARGEST_SEED, hashed, mix, normal_pair, unit_number
)

COUNT = 20_000


def normals(key: int) -> np.ndarray:
    """Return the first pairs of a stream."""
    return np.array([normal_pair(key, n) for n in range(COUNT)])


def test_the_first_numbers_of_splitmix64() -> None:
    """Known values of the published generator with seed 0."""
    assert [mix(0), mix(0x9E3779B97F4A7C15)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


def test_the_largest_hash_stays_below_1() -> None:
    """The unit interval is open at 1, so that the logarithm of Box and Muller is finite."""
    assert unit_number(0xFFFFFFFFFFFFFFFF) == 1.0 - 2.0**-53
    assert unit_number(0) == 0.0


@pytest.mark.filterwarnings('error::RuntimeWarning')
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_numpy_integers_give_the_hash_of_plain_ones(key: int, number: int) -> None:
    """Over all 64 bits."""
    assert hashed(np.uint64(key), np.uint64(number)) == hashed(key, number) == mix(key ^ number)


def test_pairs_are_standard_normal() -> None:
    """Mean, variance, skewness and kurtosis, each within four standard errors."""
    numbers = normals(hashed(5, 3)).ravel()
    for power, expected, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        error = math.sqrt(variance / numbers.size)
        assert abs((numbers**power).mean() - expected) < 4.0 * error


def filled(seed: int, out: np.ndarray) -> None:
    """Fill an array with pairs; a seed and a count are signed numbers when compiled."""
    for n in range(len(out)):
        out[n, 0], out[n, 1] = normal_pair(hashed(seed, n), n)


@pytest.mark.parametrize('seed', [0, 1, LARGEST_SEED])
def test_compiled_they_are_the_same_bits(seed: int) -> None:
    """Signed 64-bit integers of records become unsigned ones."""
    machine = compiled(filled)
    assert isinstance(machine, numba.core.dispatcher.Dispatcher)
    plain, fast = np.zeros((500, 2)), np.zeros((500, 2))
    filled(seed, plain)
    machine(seed, fast)
    assert np.array_equal(plain, fast) and plain.all()
