"""Which functions of ours a function calls."""

import dis
import types
from collections.abc import Callable

OURS = ('velocity_mobility_ros', 'soliton_encirclement_ros')


def called(function: Callable) -> list[Callable]:
    """Return the functions of ours that a function names."""
    names = function.__globals__
    found = [names.get(name) for name in sorted(global_names(function.__code__))]
    return [one for one in found if is_ours(one)]


def global_names(code: types.CodeType) -> set[str]:
    """Return the names that code looks up outside of itself; attributes are none."""
    return {
        instruction.argval
        for instruction in dis.get_instructions(code)
        if instruction.opname == 'LOAD_GLOBAL'
    }


def is_ours(value: object) -> bool:
    """Say whether something is a function of ours."""
    return isinstance(value, types.FunctionType) and value.__module__.startswith(OURS)
