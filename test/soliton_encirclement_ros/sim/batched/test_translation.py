"""Functions of numbers over arrays: in every element what plain Python returns, to the bit."""

import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soliton_encirclement_ros.sim.batched import namespace, over_arrays
from support.random_programs import program_of

EXACT = namespace('numpy', exact=True)
NUMBERS = [-2.0, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.0, math.inf, -math.inf, math.nan]
X, Y = (grid.ravel() for grid in np.meshgrid(NUMBERS, NUMBERS))


class Pair(NamedTuple):
    """Two numbers in a record."""

    first: float
    rest: tuple[float, float]


def early(x, y):
    if x > y:
        return x
    if not math.isfinite(y):
        return -1.0
    return x * y


def bound_late(x, y):
    if x > 0.0:
        z = x
        w = 1.0
    else:
        z = y
    if x > 0.0:
        z += w
    return z


def records(x, y):
    pair = Pair(x, (y, 1.0))
    if x > y:
        pair = Pair(pair.rest[0], (x, x))
    first, (second, third) = pair
    return first - second + third


def divided(x, y):
    return x / y if y != 0.0 else math.copysign(math.inf, x)


def wrapped(x, y):
    return x % 2.0 if math.isfinite(x) else y


def flags(x, y):
    is_free = x == y
    is_low = x < 0.0
    if is_free or is_low:
        is_low = not is_low
    return (1.0 if is_low else 0.0) + (2.0 if is_free else 0.0)


def keywords(x, y):
    return shifted(y, by=x) + shifted(x)


def shifted(x, by=0.5, *, times=2.0):
    return x + by * times


def whole(x, y):
    if not (math.isfinite(x) and math.isfinite(y)):
        return 0
    return int(x) * 3 + int(float(int(y)))


ALL = [early, bound_late, records, divided, wrapped, flags, keywords, whole]
"""What random programs do not have."""


def bits(value: Any) -> bytes:
    """Return the bits of a number; those of NaN count as equal."""
    return struct.pack('<d', math.nan if value != value else float(value))


def check(function: Callable, x: np.ndarray, y: np.ndarray) -> None:
    """Compare a function over arrays with plain Python, element by element."""
    with EXACT.errors_as_values():
        found = EXACT.spread(over_arrays(function, EXACT)(x, y), len(x))
    for a, b, value in zip(x.tolist(), y.tolist(), found.tolist(), strict=True):
        assert bits(value) == bits(function(a, b)), (a, b)


@pytest.mark.parametrize('function', ALL)
def test_every_element_is_that_of_plain_python(function: Callable) -> None:
    """All pairs of special numbers at once; then a few, where conditions hold for all or none."""
    check(function, X, Y)
    for i in range(len(X)):
        check(function, X[i : i + 1], Y[i : i + 1])
        check(function, X[i : i + 3], Y[i : i + 3])
    check_mixed(function)


def check_mixed(function: Callable) -> None:
    """Compare with a number beside an array, which is the same for all elements, and alone."""
    translated = over_arrays(function, EXACT)
    for number in (-1.0, 0.25, 1.0):
        with EXACT.errors_as_values():
            found = EXACT.spread(translated(X, number), len(X))
        assert list(map(bits, found)) == [bits(function(a, number)) for a in X.tolist()]
        assert bits(translated(number, 2.0)) == bits(function(number, 2.0))


def guarded(x):
    if x > 0.0:
        return 1.0 / x
    return 0.0 if x == 0.0 else math.sqrt(-x)


def test_a_plain_condition_takes_one_branch() -> None:
    """So that nothing is computed that plain Python would not."""
    assert over_arrays(guarded, EXACT)(0.0) == 0.0
    assert over_arrays(guarded, EXACT)(-4.0) == 2.0


def quotient(x, y):
    return x / y


def test_numbers_divided_by_zero_are_as_elements() -> None:
    """Plain Python raises; compiled code and arrays do not."""
    translated = over_arrays(quotient, EXACT)
    for x, y in ((1.0, 0.0), (-1.0, 0.0), (1.0, -0.0), (0.0, 0.0)):
        with EXACT.errors_as_values():
            (element,) = translated(np.array([x]), np.array([y]))
        assert bits(translated(x, y)) == bits(element)


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    """Branches, loops and returns in any order; what they are given stays as it is."""
    program, x, y = program_of(seed), X.copy(), Y.copy()
    check(program, x, y)
    check_mixed(program)
    assert np.array_equal(x, X, equal_nan=True) and np.array_equal(y, Y, equal_nan=True)
