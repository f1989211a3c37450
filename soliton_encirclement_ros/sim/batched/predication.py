"""What rewritten functions call where plain Python decides: values by element.

A value is a number, a flag, or an array of one per body; records and tuples hold these. Numbers
and flags are the same for all bodies, and with them everything is plain Python again.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

from soliton_encirclement_ros.sim.batched.errors import BatchError
from soliton_encirclement_ros.sim.batched.namespaces import Namespace

Value = Any
Later = Callable[[], Value]


class Unset:
    """The value of a variable before it has one."""


UNSET = Unset()


def predication(xp: Namespace) -> dict[str, Any]:
    """Return what rewritten functions call, by name, for a namespace."""
    is_array, condition = xp.is_array, xp.condition

    def select(taken: Value, one: Value, other: Value) -> Value:
        """Return one value where a condition holds, and another elsewhere."""
        if taken is True or other is UNSET or one is other:
            return one
        if taken is False or one is UNSET:
            return other
        if isinstance(one, tuple):
            return selected_parts(taken, one, other)
        if isinstance(one, bool) and isinstance(other, bool):
            return taken if one else ~taken
        return xp.where(taken, one, other)

    def selected_parts(taken: Value, one: tuple, other: tuple) -> tuple:
        """Return the same for the parts of a record."""
        parts = [select(taken, a, b) for a, b in zip(one, other, strict=True)]
        return type(one)(*parts) if hasattr(one, '_fields') else tuple(parts)

    def both(first: Value, second: Later) -> Value:
        """Return ``first and second()``."""
        if not is_array(first):
            return first and second()
        other = second()
        check_flags(first, other)
        return first & other if is_array(other) else select(first, other, False)

    def any_of(first: Value, second: Later) -> Value:
        """Return ``first or second()``."""
        if not is_array(first):
            return first or second()
        other = second()
        check_flags(first, other)
        return first | other if is_array(other) else select(first, True, other)

    def check_flags(*values: Value) -> None:
        """Refuse numbers, of which ``and`` and ``or`` would return one."""
        if any(xp.truth(one) is not one for one in values):
            raise BatchError('and, or of numbers cannot be done over arrays; compare them')

    def opposite(value: Value) -> Value:
        """Return ``not value``."""
        return ~xp.truth(value) if is_array(value) else not value

    def either(test: Value, one: Later, other: Later) -> Value:
        """Return ``one() if test else other()``."""
        taken = condition(test)
        if taken is True:
            return one()
        return other() if taken is False else select(taken, one(), other())

    def least(first: Value, *others: Value) -> Value:
        """Return ``min`` of numbers, that of Python where some are none."""
        for one in others:
            first = select(condition(one < first), one, first)
        return first

    def greatest(first: Value, *others: Value) -> Value:
        """Return ``max`` of numbers, that of Python where some are none."""
        for one in others:
            first = select(condition(one > first), one, first)
        return first

    def items(value: Iterable[Value]) -> Iterable[Value]:
        """Return what a loop runs over: the same for all bodies."""
        if not isinstance(value, (range, tuple)):
            raise BatchError(f'a loop over {type(value).__name__} cannot be done over arrays')
        return value

    def counted(*bounds: Value) -> range:
        """Return ``range(*bounds)``; its bounds are the same for all bodies."""
        return range(*map(xp.common_integer, bounds))

    return {
        '__select': select, '__and': both, '__or': any_of, '__not': opposite,
        '__either': either, '__condition': condition, '__divide': divide, '__items': items,
        '__unset': UNSET, 'min': least, 'max': greatest, 'range': counted, 'abs': abs, 'len': len,
        'int': xp.integer, 'float': xp.real, 'bool': xp.truth,
    }  # fmt: skip


def divide(one: Value, other: Value) -> Value:
    """Return ``one / other``; numbers divided by zero give what elements and machine code do."""
    try:
        return one / other
    except ZeroDivisionError:
        if one == 0.0 or math.isnan(one):
            return math.nan
        return math.copysign(math.inf, one) * math.copysign(1.0, other)
