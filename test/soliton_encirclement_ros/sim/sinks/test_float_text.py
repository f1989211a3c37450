"""The text of any numbers is Python's: that of the tables of a lockstep run."""

import struct

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from soliton_encirclement_ros.sim.sinks.float_text import rows_of

ANY_BITS = st.binary(min_size=8, max_size=8).map(lambda bits: struct.unpack('<d', bits)[0])
DIGITS = st.integers(-(10**6), 10**6)
NUMBERS = st.one_of(
    ANY_BITS,
    st.floats(),
    st.floats(-1.0, 1.0),
    st.integers(-(2**60), 2**60).map(float),
    st.builds(lambda digits, power: digits * 10.0**power, DIGITS, st.integers(-25, 25)),
)  # fmt: skip


def expected(numbers: np.ndarray) -> list[bytes]:
    """Return the rows as ``repr`` has them."""
    return [','.join(map(repr, row)).encode('ascii') for row in numbers.tolist()]


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=8))
def test_any_numbers(rows: list[tuple[float, ...]]) -> None:
    numbers = np.array(rows)
    assert rows_of(numbers) == expected(numbers)


def test_many_bit_patterns() -> None:
    numbers = np.random.default_rng(1).integers(0, 2**64, (20_000, 5), np.uint64).view(float)
    assert rows_of(numbers) == expected(numbers)


def test_where_exponents_begin() -> None:
    for edge in (1e-4, 1e-5, 1e15, 1e16, 1e17, 2.0**53, 5e-324):
        near = np.array([[np.nextafter(edge, 0.0), edge, np.nextafter(edge, np.inf), -edge]])
        assert rows_of(near) == expected(near)
