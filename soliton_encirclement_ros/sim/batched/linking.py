"""Functions over arrays, with all functions of ours that they call."""

import ast
import builtins
import inspect
import math
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from soliton_encirclement_ros.sim.batched.errors import BatchError
from soliton_encirclement_ros.sim.batched.expressions import Expressions
from soliton_encirclement_ros.sim.batched.namespaces import Namespace
from soliton_encirclement_ros.sim.batched.predication import predication
from soliton_encirclement_ros.sim.batched.translation import Statements
from soliton_encirclement_ros.sim.compilation.call_graph import adopt, is_ours, named

BUILTINS = ('abs', 'bool', 'float', 'int', 'len', 'max', 'min', 'range')
MODULES = {'math': math, 'np': np}
"""Modules by the names under which functions know them."""


def over_arrays(function: Callable, xp: Namespace) -> Callable:
    """Return a function of numbers as a function of arrays.

    Args:
        function: A pure function of numbers and records, as those of a vehicle.
        xp: The library of its arrays; of the numbers and arrays that it is given, the arrays have
            one element per body.

    Raises:
        BatchError: It, or a function that it calls, uses something that has no meaning over
            arrays; the message names function, line and construct.
    """
    adopt(function)
    return rewritten(function, xp)


def rewritten(function: Callable, xp: Namespace) -> Callable:
    """Return the rewritten function, the same every time."""
    if function not in xp.rewritten:
        xp.rewritten[function] = None
        try:
            xp.rewritten[function] = _rewritten(function, xp)
        finally:
            if xp.rewritten[function] is None:
                del xp.rewritten[function]
    found = xp.rewritten[function]
    if found is None:
        raise BatchError(f'{function.__qualname__}: recursion cannot be done over arrays')
    return found


def _rewritten(function: Callable, xp: Namespace) -> Callable:
    tree, first_line = parsed(function)
    names = {**named(function)}
    links = {name: linked(name, value, function, xp) for name, value in names.items()}
    expressions = Expressions(function.__qualname__, first_line, callable_names(names, xp))
    module = ast.Module([Statements(expressions).function(tree)], [])
    ast.increment_lineno(module, first_line - 1)
    space: dict[str, Any] = {'__name__': function.__module__, **predication(xp), **links}
    exec(compile(module, inspect.getsourcefile(function) or '?', 'exec'), space)
    found = space[function.__name__]
    found.__defaults__, found.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    found.__doc__, found.__qualname__ = function.__doc__, function.__qualname__
    return found


def parsed(function: Callable) -> tuple[ast.FunctionDef, int]:
    """Return the syntax tree of a function, and the line of its file in which it begins.

    Raises:
        BatchError: Its source is not at hand, or it is none of a ``def``.
    """
    name = getattr(function, '__qualname__', repr(function))
    try:
        lines, first_line = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise BatchError(f'{name}: its source is needed, and there is none') from None
    try:
        tree = ast.parse(textwrap.dedent(''.join(lines))).body[0]
    except SyntaxError:  # a lambda in the middle of an expression
        tree = None
    if not isinstance(tree, ast.FunctionDef):
        raise BatchError(f'{name}, line {first_line}: only a function by def can be rewritten')
    return tree, first_line


def linked(name: str, value: object, function: Callable, xp: Namespace) -> object:
    """Return what stands for a value that a function looks up outside of itself."""
    if is_ours(value):
        return rewritten(value, xp)
    if value is MODULES.get(name):
        return xp.functions[name]
    if is_record(value):
        return xp.record(value)
    if isinstance(value, (bool, int, float, tuple)):
        return value
    raise BatchError(
        f'{function.__qualname__}: {name} is neither a number nor a function that can be rewritten'
    )


def is_record(value: object) -> bool:
    """Return whether something is the class of a record."""
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, '_fields')


def callable_names(names: dict[str, object], xp: Namespace) -> set[str]:
    """Return what a function may call."""
    free = {one for one in BUILTINS if names.get(one, one) in (one, getattr(builtins, one))}
    ours = {name for name, value in names.items() if is_ours(value) or is_record(value)}
    modules = {name for name, value in names.items() if value is MODULES.get(name)}
    return free | ours | {f'{one}.{part}' for one in modules for part in vars(xp.functions[one])}
