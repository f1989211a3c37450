"""What cannot be rewritten over arrays is refused: function, line and construct."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.sim.batched import namespace, over_arrays
from soliton_encirclement_ros.sim.batched.errors import BatchError
from soliton_encirclement_ros.sim.batched.linking import rewritten
from support.random_programs import function_of
from velocity_mobility_ros.core.limits import limit_abs, limit_xy
from velocity_mobility_ros.core.model import next_velocity

XP = namespace('numpy')

REFUSED = [
    ('def f(x):\n while x > 1.0:\n  x = x - 1.0\n return x\n', 2, 'while'),
    ('def f(x):\n if x > 0.0:\n  return x\n', 1, 'a way to its end without return'),
    ('def f(x):\n for k in range(3):\n  x += k\n else:\n  x = 0.0\n return x\n', 2, 'else of'),
    ('def f(x):\n x\n return x\n', 2, 'an expression without effect'),
    ('def f(x):\n y = (x, x)\n y[0] = 1.0\n return y\n', 3, r'assignment to y\[0\]'),
    ('def f(*x):\n return x[0]\n', 1, r'\*args'),
    ('def f(x):\n return [x]\n', 2, 'list'),
    ('def f(x):\n return x**2\n', 2, 'the operator pow'),
    ('def f(x):\n return x in (1.0, 2.0)\n', 2, 'the operator in'),
    ('def f(x):\n return math.gamma(x)\n', 2, 'the call of math.gamma'),
    ('def f(x):\n return x.real()\n', 2, 'the call of x.real'),
    ("def f(x):\n return 'metres' if x else 0.0\n", 2, "the constant 'metres'"),
]


@pytest.mark.parametrize(('source', 'line', 'what'), REFUSED, ids=[one[2] for one in REFUSED])
def test_what_has_no_meaning_is_refused(source: str, line: int, what: str) -> None:
    """The line is that of its file; what is refused once is refused again: nothing is kept."""
    function = function_of(source, math=math)
    message = f'^f, line {line}: {what}.* cannot be done over arrays$'
    for _ in range(2):
        with pytest.raises(BatchError, match=message):
            over_arrays(function, XP)


@pytest.mark.parametrize(
    ('function', 'message'),
    [
        (function_of('def f(x):\n return x if TEXT else 0.0\n', TEXT='metres'),
         'f: TEXT is neither a number nor a function'),
        (function_of('def f(x):\n return f(x - 1.0)\n'), 'f: recursion cannot be done'),
        (eval('lambda x: x'), '<lambda>.*source'),
        (len, 'len.*source'),
    ],
)  # fmt: skip
def test_what_cannot_be_linked_is_refused(function: Callable, message: str) -> None:
    """Values that are no numbers, recursion, functions without a source."""
    with pytest.raises(BatchError, match=message):
        over_arrays(function, XP)


@pytest.mark.parametrize(
    ('source', 'message'),
    [
        ('def f(x):\n for y in x:\n  x = y\n return x\n', 'a loop over ndarray cannot be done'),
        ('def f(x):\n return x or 1.0\n', 'and, or of numbers cannot be done over arrays'),
    ],
)
def test_what_shows_only_with_arrays_is_refused_then(source: str, message: str) -> None:
    """It depends on what a function is given."""
    translated = over_arrays(function_of(source), XP)
    with pytest.raises(BatchError, match=message):
        translated(np.array([1.0, 0.0]))


def closed(offset: float) -> Callable[[Any], Any]:
    """Return a function that uses a variable of this one."""

    def shifted(x: float) -> float:
        """Return the sum."""
        return x + offset

    return shifted


def test_enclosed_variables_are_kept() -> None:
    """Each function its own."""
    one, other = (over_arrays(closed(offset), XP) for offset in (1.0, 10.0))
    assert (one(np.array([1.0, 2.0])) + other(np.array([1.0, 2.0]))).tolist() == [13.0, 15.0]


def test_functions_that_are_called_are_rewritten_once() -> None:
    """All of ours, and the originals stay as they are."""
    before = next_velocity.__code__
    over_arrays(next_velocity, XP)
    assert XP.rewritten[limit_xy] is rewritten(limit_xy, XP) is not limit_xy
    assert next_velocity.__code__ is before
    assert over_arrays(next_velocity, XP) is over_arrays(next_velocity, XP)


def test_errors_show_the_lines_of_the_source() -> None:
    """As if the function itself had run."""
    translated = over_arrays(limit_abs, XP)
    assert translated.__code__.co_filename == limit_abs.__code__.co_filename
    lines = {line for _, _, line in translated.__code__.co_lines() if line}
    assert lines <= set(range(limit_abs.__code__.co_firstlineno, max(lines) + 1))
    assert max(lines) - min(lines) < 12
