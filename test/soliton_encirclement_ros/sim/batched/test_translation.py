"""Functions of numbers over arrays: in every element what plain Python returns, to the bit."""

import linecache
import math
import random
import struct
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soliton_encirclement_ros.sim.batched import namespace, over_arrays

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


ATOMS = ('a', 'b', 'c', 'x', 'y', '0.0', '1.0', '-0.5', '2.0')


class Author:
    """Writes programs of assignments, branches, loops and returns."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, depth: int = 2) -> str:
        """Return an expression."""
        kind = self.random.randrange(5) if depth else 0
        if kind < 2:
            return self.random.choice(ATOMS)
        one, other = self.number(depth - 1), self.number(depth - 1)
        if kind == 2:
            return f'({one} {self.random.choice("+-*")} {other})'
        if kind == 3:
            return f'({one} if {self.condition(depth - 1)} else {other})'
        return f'{self.random.choice(("min", "max"))}({one}, {other})'

    def condition(self, depth: int = 2) -> str:
        """Return a condition."""
        kind = self.random.randrange(6) if depth else 0
        if kind < 2:
            one, other = self.number(1), self.number(1)
            return f'{one} {self.random.choice(("<", "<=", "==", ">"))} {other}'
        if kind == 2:
            return f'({self.number(1)} < {self.number(1)} <= {self.number(1)})'
        if kind == 3:
            return f'(not {self.condition(depth - 1)})'
        word = self.random.choice(('and', 'or'))
        return f'({self.condition(depth - 1)} {word} {self.condition(depth - 1)})'

    def statement(self, depth: int) -> str:
        """Return a statement, with those in it."""
        kind = self.random.randrange(9) if depth else self.random.randrange(4)
        simple = (
            f'{self.random.choice("abc")} = {self.number()}',
            f'{self.random.choice("abc")} += {self.number()}',
            f'a, b = b, {self.number()}',
            f'return {self.number()}',
        )
        if kind < 4:
            return simple[kind]
        body = self.block(depth - 1)
        if kind == 4:
            return f'for k in range(3):\n{body}'
        rest = f'\nelse:\n{self.block(depth - 1)}' if kind % 2 else ''
        return f'if {self.condition()}:\n{body}{rest}'

    def block(self, depth: int) -> str:
        """Return some statements."""
        return indented([self.statement(depth) for _ in range(self.random.randint(1, 3))])


def indented(lines: list[str]) -> str:
    """Return a block of statements."""
    return '\n'.join(f'    {line}' for one in lines for line in one.splitlines())


SERIAL = count()


def program_of(seed: int) -> Callable:
    """Return a random function, with a source to look into."""
    author = Author(seed)
    statements = [author.statement(3) for _ in range(5)]
    body = indented(['a, b, c = x, y, 1.0', *statements, 'return a + 2.0 * b - c'])
    source = f'def program(x, y):\n{body}\n'
    name = f'<program {next(SERIAL)}>'
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space: dict[str, Any] = {'__name__': 'programs_of_a_test'}
    exec(compile(source, name, 'exec'), space)
    return space['program']


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    """Branches, loops and returns in any order."""
    check(program_of(seed), X, Y)
