"""Unsigned integers over signed ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.sim.batched import namespace, over_arrays
from soliton_encirclement_ros.sim.batched.unsigned import Unsigned, signed
from support.vehicles.batches import LIBRARIES
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED, hashed, normal_pair

WORDS = st.integers(0, 2**64 - 1)


def word(number: int) -> Unsigned:
    """Return one number."""
    return Unsigned(np.array([signed(number)]))


def value(found: Unsigned) -> int:
    """Return the number again."""
    return int(found.bits[0]) % 2**64


@given(WORDS, WORDS, st.integers(0, 63))
def test_arithmetic_is_that_modulo_2_to_64(one: int, other: int, shift: int) -> None:
    """Between two, and with plain integers on either side."""
    a, b = word(one), word(other)
    for right in (b, other):
        assert value(a + right) == (one + other) % 2**64
        assert value(a * right) == one * other % 2**64
        assert value(a ^ right) == one ^ other
        assert value(a & right) == one & other
    assert value(other + a) == (one + other) % 2**64
    assert value(other ^ a) == one ^ other
    assert value(a >> shift) == one >> shift


@pytest.mark.parametrize('library', LIBRARIES)
def test_random_numbers_of_bodies_are_those_of_each(library: str) -> None:
    """Keys, counts, or both by body."""
    xp = namespace(library)
    seeds, counts = np.array([0, 1, 77, LARGEST_SEED]), np.array([0, 1, 2**40, 2**51])
    key = over_arrays(hashed, xp)(hashed(5, 0), xp.array(seeds))
    keys = [hashed(hashed(5, 0), seed) for seed in seeds.tolist()]
    cases = [
        (key, xp.array(counts), zip(keys, counts.tolist(), strict=True)),
        (key, 3, [(one, 3) for one in keys]),
        (keys[0], xp.array(counts), [(keys[0], count) for count in counts.tolist()]),
    ]
    for of_bodies, count, alone in cases:
        pair = over_arrays(normal_pair, xp)(of_bodies, count)
        rows = np.column_stack([xp.to_numpy(part) for part in pair])
        np.testing.assert_allclose(rows, [normal_pair(*one) for one in alone], rtol=1e-14)
