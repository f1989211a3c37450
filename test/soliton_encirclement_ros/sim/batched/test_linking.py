"""What cannot be rewritten over arrays is refused: function, line and construct."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from soliton_encirclement_ros.sim.batched import namespace, over_arrays
from soliton_encirclement_ros.sim.batched.errors import BatchError
from soliton_encirclement_ros.sim.batched.linking import rewritten
from velocity_mobility_ros.core.limits import limit_abs, limit_xy
from velocity_mobility_ros.core.model import next_velocity

XP = namespace('numpy')
TEXT = 'metres'
NUMBERS = [1.0, 2.0]
HERE = __file__


def a_break(x):
    for k in range(3):
        if x > k:
            break
    return x


def a_while(x):
    while x > 1.0:
        x = x - 1.0
    return x


def no_return(x):
    if x > 0.0:
        return x


def a_list(x):
    return [x]


def a_comprehension(x):
    return sum(x * k for k in range(3))


def a_deletion(x):
    y = x
    del x
    return y


def a_power(x):
    return x**2


def another_function(x):
    return math.gamma(x)


def another_library(x):
    return np.sin(x)


def a_method(x):
    return x.real()


def a_text(x):
    return x if TEXT else 0.0


def a_written_text(x):
    return 'metres' if x else 0.0


def an_item(x):
    y = (x, x)
    y[0] = 1.0
    return y


def a_loop_over_numbers(x):
    for y in x:
        x = y
    return x


def of_any_number(*x):
    return x[0]


def a_search(x):
    return x in (1.0, 2.0)


def itself(x):
    return itself(x - 1.0) if x > 0.0 else x


def numbers_joined(x):
    return x or 1.0


@pytest.mark.parametrize(
    ('function', 'line', 'what'),
    [
        (a_break, 3, 'break'), (a_while, 1, 'while'), (no_return, 0, 'a way to its end'),
        (a_list, 1, 'list'), (a_comprehension, 1, 'the call of sum'), (a_deletion, 2, 'delete'),
        (a_power, 1, 'the operator pow'), (another_function, 1, 'the call of math.gamma'),
        (another_library, 1, 'the call of np.sin'), (a_method, 1, 'the call of x.real'),
        (a_written_text, 1, "the constant 'metres'"), (an_item, 2, r'assignment to y\[0\]'),
        (of_any_number, 0, r'\*args'), (a_search, 1, 'the operator in'),
    ],
)  # fmt: skip
def test_what_has_no_meaning_is_refused(function: Callable, line: int, what: str) -> None:
    """The line is that of its file."""
    place = function.__code__.co_firstlineno + line
    message = f'^{function.__name__}, line {place}: {what}.* cannot be done over arrays$'
    with pytest.raises(BatchError, match=message):
        over_arrays(function, XP)


@pytest.mark.parametrize(
    ('function', 'message'),
    [
        (a_text, 'a_text: TEXT is neither a number nor a function'),
        (itself, 'itself: recursion cannot be done over arrays'),
        (eval('lambda x: x'), '<lambda>.*source'),
        (len, 'len.*source'),
    ],
)
def test_what_cannot_be_linked_is_refused(function: Callable, message: str) -> None:
    """Values that are no numbers, recursion, functions without a source."""
    with pytest.raises(BatchError, match=message):
        over_arrays(function, XP)


@pytest.mark.parametrize(
    ('function', 'message'),
    [
        (a_loop_over_numbers, 'a loop over ndarray cannot be done over arrays'),
        (numbers_joined, 'and, or of numbers cannot be done over arrays; compare them'),
    ],
)
def test_what_shows_only_with_arrays_is_refused_then(function: Callable, message: str) -> None:
    """It depends on what a function is given."""
    translated = over_arrays(function, XP)
    with pytest.raises(BatchError, match=message):
        translated(np.array([1.0, 0.0]))


def test_a_refused_function_is_refused_again() -> None:
    """Nothing half done is kept."""
    for _ in range(2):
        with pytest.raises(BatchError, match='break'):
            over_arrays(a_break, XP)


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
