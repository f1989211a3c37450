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


def nested(x, y):
    z = 0.0
    if x > 0.0:
        if y > 0.0:
            return 1.0
        z = x
    elif y > 0.0:
        z = y
        if x < -1.0:
            z += 5.0
        else:
            return z
    z -= 0.5
    return z


def ternary(x, y):
    return (x if x > y else y) if x == x else (1.0 if y < 0.0 else 2.0)


def chain(x, y):
    return 1.0 if -1.0 < x + y <= y < 2.0 else 0.0


def logic(x, y):
    if (x > 0.0 and y > 0.0) or not (x < y or math.isnan(y)):
        return x - y
    return y


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


def loop(x, y):
    total = 0.0
    for k in range(3):
        if total > 2.0 * y:
            return total
        total += x * k
    return -total


def in_place(x, y):
    z = x
    z += y
    return z - x


def divided(x, y):
    return x / y if y != 0.0 else math.copysign(math.inf, x)


def least(x, y):
    return min(x, y, 0.5) - max(0.0, x, y)


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


ALL = [
    early, nested, ternary, chain, logic, bound_late, records, loop, in_place, divided, least,
    wrapped, flags, keywords, whole,
]  # fmt: skip


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


@pytest.mark.parametrize('function', ALL)
def test_numbers_and_arrays_mix(function: Callable) -> None:
    """A number is the same for all elements."""
    translated = over_arrays(function, EXACT)
    for number in NUMBERS[:8]:
        with EXACT.errors_as_values():
            found = EXACT.spread(translated(X, number), len(X))
        assert list(map(bits, found)) == [bits(function(a, number)) for a in X.tolist()]
        assert bits(translated(number, 2.0)) == bits(function(number, 2.0))


def test_the_arguments_stay_as_they_are() -> None:
    """An assignment in place would change them."""
    x, y = X.copy(), Y.copy()
    check(in_place, x, y)
    assert np.array_equal(x, X, equal_nan=True) and np.array_equal(y, Y, equal_nan=True)


def guarded(x):
    if x > 0.0:
        return 1.0 / x
    return 0.0 if x == 0.0 else math.sqrt(-x)


def test_a_plain_condition_takes_one_branch() -> None:
    """So that nothing is computed that plain Python would not."""
    assert over_arrays(guarded, EXACT)(0.0) == 0.0
    assert over_arrays(guarded, EXACT)(-4.0) == 2.0


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    """Branches, loops and returns in any order."""
    check(program_of(seed), X, Y)
