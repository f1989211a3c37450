"""Functions of numbers over arrays: in every element what plain Python returns, to the bit."""

import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from support.random_programs import function_of, program_of
from velocity_mobility_ros.core.velocity_model import limit_abs
from velocity_mobility_ros.vehicles.batched.array_namespace import BatchError, namespace
from velocity_mobility_ros.vehicles.batched.array_translation import over_arrays

EXACT = namespace('numpy', exact=True)
NUMBERS = [-2.0, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 3.0, math.inf, -math.inf, math.nan]
X, Y = (grid.ravel() for grid in np.meshgrid(NUMBERS, NUMBERS))


class Pair(NamedTuple):
    """Two numbers in a record."""

    first: float
    rest: tuple[float, float]


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


def flags(x, y):
    is_free = x == y
    is_low = x < 0.0
    if is_free or is_low:
        is_low = not is_low
    return (1.0 if is_low else 0.0) + (2.0 if is_free else 0.0) + (x or y) * (x and y)


def keywords(x, y):
    return shifted(y, by=x) + shifted(x)


def shifted(x, by=0.5, *, times=2.0):
    return x + by * times


def whole(x, y):
    if not (math.isfinite(x) and math.isfinite(y)):
        return 0
    return int(x) * 3 + int(float(int(y)))


def enclosing(offset: float) -> Callable[[Any, Any], Any]:
    def enclosed(x, y):
        return x % 2.0 + offset if math.isfinite(x) else y

    return enclosed


ALL = [bound_late, records, flags, keywords, whole, enclosing(1.0), enclosing(10.0)]
"""What random programs do not have."""


def bits(value: Any) -> bytes:
    """Return the bits of a number; those of NaN count as equal."""
    return struct.pack('<d', math.nan if value != value else float(value))


def check(function: Callable, x: Any, y: Any) -> None:
    """Compare a function over arrays, or one and a number, with plain Python, by element."""
    with np.errstate(all='ignore'):
        found = EXACT.spread(over_arrays(function, EXACT)(x, y), len(x))
    for a, b, value in zip(x.tolist(), np.broadcast_to(y, x.shape).tolist(), found, strict=True):
        assert bits(value) == bits(function(a, b)), (a, b)


@pytest.mark.parametrize('function', ALL)
def test_every_element_is_that_of_plain_python(function: Callable) -> None:
    """All pairs of special numbers at once; then a few, where conditions hold for all or none."""
    check(function, X, Y)
    for i in range(len(X)):
        check(function, X[i : i + 1], Y[i : i + 1])
        check(function, X[i : i + 3], Y[i : i + 3])
    check(function, X, 0.25)


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    """Branches, loops and returns in any order; what they are given stays as it is."""
    program, x, y = program_of(seed), X.copy(), Y.copy()
    check(program, x, y)
    check(program, x, -1.0)
    assert np.array_equal(x, X, equal_nan=True) and np.array_equal(y, Y, equal_nan=True)


def guarded(x):
    if x > 0.0:
        return 1.0 / x
    return 0.0 if x == 0.0 else math.sqrt(-x)


def test_plain_numbers_are_plain_python_but_for_a_division_by_zero() -> None:
    """Nothing is computed that plain Python would not; compiled code and arrays do not raise."""
    assert over_arrays(guarded, EXACT)(0.0) == 0.0
    assert over_arrays(guarded, EXACT)(-4.0) == 2.0
    quotient = over_arrays(function_of('def f(x, y):\n return x / y\n'), EXACT)
    with np.errstate(all='ignore'):
        for x, y in ((1.0, 0.0), (-1.0, 0.0), (1.0, -0.0), (0.0, 0.0)):
            assert bits(quotient(x, y)) == bits(quotient(np.array([x]), y)[0])


REFUSED = [
    ('def f(x):\n while x > 1.0:\n  x = x - 1.0\n return x\n', 2, 'while'),
    ('def f(x):\n if x > 0.0:\n  return x\n', 1, 'a way to its end without return'),
    ('def f(x):\n for k in range(3):\n  if x > k:\n   return x\n return x\n', 2, 'a loop with'),
    ('def f(x):\n for y in x:\n  x = y\n return x\n', 2, 'a loop with'),
    ('def f(x):\n return [x]\n', 2, 'list'),
    ('def f(x):\n x[0] += 1.0\n return x\n', 2, 'a change of a part'),
    ('def f(x):\n return x**2\n', 2, 'pow'),
    ('def f(x):\n return x in (1.0, 2.0)\n', 2, 'in'),
    ('def f(x):\n return math.gamma(x)\n', 2, 'the call of math.gamma'),
    ('def f(x):\n return x.real()\n', 2, 'the call of x.real'),
    ('def f(x):\n return sum(x)\n', 2, 'sum'),
    ('def f(x):\n return f(x - 1.0)\n', 2, 'f'),
    ('def f(x):\n return x if TEXT else 0.0\n', 2, 'TEXT'),
]


@pytest.mark.parametrize(('source', 'line', 'what'), REFUSED)
def test_what_has_no_meaning_is_refused(source: str, line: int, what: str) -> None:
    """The line is that of its file; what is refused once is refused again: nothing is kept."""
    function = function_of(source, math=math, TEXT='metres')
    for _ in range(2):
        with pytest.raises(BatchError, match=f'^f, line {line}: {what}.* cannot be done over'):
            over_arrays(function, EXACT)


SAME = lambda x: x  # noqa: E731


@pytest.mark.parametrize('function', [eval('lambda x: x'), SAME, len])
def test_a_function_without_source_is_refused(function: Callable) -> None:
    """There is nothing to rewrite."""
    with pytest.raises(BatchError, match=r'source of .* is needed'):
        over_arrays(function, EXACT)


def test_errors_show_the_lines_of_the_source() -> None:
    """As if the function itself had run, which stays as it is."""
    translated = over_arrays(limit_abs, EXACT)
    assert translated is over_arrays(limit_abs, EXACT) is not limit_abs
    assert translated.__code__.co_filename == limit_abs.__code__.co_filename
    lines = {line for _, _, line in translated.__code__.co_lines() if line}
    first = limit_abs.__code__.co_firstlineno
    assert first + 2 in lines <= set(range(first, first + 8))
