"""Which functions of ours a function calls: they are compiled with it."""

import dis
import functools
import types
from collections.abc import Callable

OURS = ('velocity_mobility_ros', 'soliton_encirclement_ros')
"""Beginnings of the names of packages whose functions are compiled."""

ADOPTED: set[str] = set()
"""Packages of laws, layers and vehicles from elsewhere; they join them."""


def adopt(function: Callable) -> None:
    """Compile functions of the package that a function comes from, too."""
    ADOPTED.add(function.__module__.partition('.')[0])


def comes_from_us(module: str) -> bool:
    """Return whether a module belongs to a package whose functions are compiled."""
    if module == 'builtins':
        return False
    return module.startswith(OURS) or module.partition('.')[0] in ADOPTED


def is_adopted(function: Callable) -> bool:
    """Return whether a function comes from such a package."""
    return function.__module__.partition('.')[0] in ADOPTED - {*OURS}


def called(function: Callable) -> list[Callable]:
    """Return the functions of ours that a function names."""
    return [value for _, value in sorted(named(function).items()) if is_ours(value)]


def recursive(function: Callable) -> Callable | None:
    """Return a function that calls itself, directly or by others, among all that are reached."""
    return _recursive(function, (), set())


def _recursive(
    function: Callable, above: tuple[Callable, ...], seen: set[Callable]
) -> Callable | None:
    if function in above:
        return function
    if function in seen:
        return None
    seen.add(function)
    loops = (_recursive(callee, (*above, function), seen) for callee in called(function))
    return next(filter(None, loops), None)


def named(function: Callable) -> dict[str, object]:
    """Return what a function looks up outside of itself, globals and enclosed variables alike."""
    names = function.__globals__
    used_globals = {name: names[name] for name in global_names(function.__code__) if name in names}
    return {**used_globals, **enclosed(function)}


def enclosed(function: Callable) -> dict[str, object]:
    """Return the variables of the function that a function was made in, as far as it uses them."""
    cells = function.__closure__ or ()
    return {
        name: cell.cell_contents
        for name, cell in zip(function.__code__.co_freevars, cells, strict=True)
    }


@functools.cache
def global_names(code: types.CodeType) -> frozenset[str]:
    """Return the names that code looks up outside of itself; attributes are none."""
    return frozenset(
        instruction.argval
        for instruction in dis.get_instructions(code)
        if instruction.opname == 'LOAD_GLOBAL'
    )


def is_ours(value: object) -> bool:
    """Return whether something is a function of ours."""
    return isinstance(value, types.FunctionType) and comes_from_us(value.__module__)
