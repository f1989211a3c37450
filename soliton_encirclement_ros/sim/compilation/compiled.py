"""Functions as machine code.

``compiled(function)`` returns a function compiled by numba, together with every function of these
packages that it calls. The compiler gets copies, so the nodes still run the originals. Compiled
code is kept on disk under a digest of all that it depends on; see ``code_digest``. Without numba,
or with ``NUMBA_DISABLE_JIT``, the function itself is returned, and one line says so.
"""

import functools
import re
import types
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from soliton_encirclement_ros.core.laws.law_fault import is_of_author
from soliton_encirclement_ros.sim.compilation.call_graph import (
    enclosed, is_adopted, is_ours, named, recursive
)
from soliton_encirclement_ros.sim.compilation.code_cache import (
    cache_folder, digest_of, disk_cache, is_cached
)
from soliton_encirclement_ros.sim.compilation.numba_import import has_numba, say_first_time

OPTIONS = {'error_model': 'numpy', 'no_cfunc_wrapper': True, '_nrt': False}
"""No exceptions and no reference counting: the caller keeps every array."""

CHECKED = {**OPTIONS, 'boundscheck': True}
"""The same for functions from elsewhere: an index out of range raises, as in plain Python."""


class NotCompiledError(Exception):
    """The compiler refuses a function; the message is the line that it refuses."""

PLACE = re.compile(r'File "([^"]+)", line (\d+)|^During: .* at (.+) \((\d+)\)$', re.MULTILINE)
"""How the compiler tells a line of code, the innermost first."""


@functools.cache
def compiled(function: Callable) -> Callable:
    """Return a function as machine code, from disk if it was compiled before.

    It releases the global interpreter lock while it runs.
    """
    if not has_numba():
        return np.errstate(over='ignore')(function)
    import numba

    folder = cache_folder(digest_of(function))
    machine_code = numba.njit(nogil=True, **OPTIONS)(twin(function))
    if folder is None:
        say_first_time()
    else:
        machine_code._cache = disk_cache(machine_code.py_func, folder)
    return machine_code


def bound(
    function: Callable[..., int], *first: Any, entries: list[Callable[..., int]] | None = None
) -> Callable[..., int]:
    """Return a function of the last arguments alone; the first are always the same.

    A compiled one finds the types of its arguments out in its first call, which those of all
    others must have. numba does so in every call: half a millisecond for many arrays.

    Args:
        function: The function, compiled or not.
        first: Its first arguments.
        entries: Gets the machine code; functions with the same types can share it.
    """
    if not hasattr(function, 'typeof_pyval'):
        return functools.partial(function, *first)
    entries = [] if entries is None else entries

    def call(*last: Any) -> int:
        """Call the machine code."""
        if not entries:
            types_ = tuple(map(function.typeof_pyval, (*first, *last)))
            entries.append(function.compile(types_))
        return entries[0](*first, *last)

    return call


def stored(rules: tuple, flight: tuple, writers: Sequence[list] = ((), ())) -> tuple[Any, Any]:
    """Return a flight as compiled code takes it: by address; as it is without a compiler.

    Args:
        rules: Its constants.
        flight: Its memory.
        writers: As ``entries`` of ``bound``, for both.
    """
    if not has_numba():
        return rules, flight
    from soliton_encirclement_ros.sim.compilation import by_address as at

    of_rules, of_flight = (one if isinstance(one, list) else [] for one in writers)
    return (
        at.StoredRecord(rules, bound(compiled(at.write_rules), entries=of_rules)),
        at.StoredRecord(flight, bound(compiled(at.write_memory), entries=of_flight)),
    )


POINTED: dict[Callable, Callable] = {}
"""Results of ``pointed``."""


def pointed(function: Callable, *examples: Any) -> Callable:
    """Return a function as machine code that other compiled code calls by pointer.

    Args:
        function: The function; it returns an integer.
        examples: A value for every argument; arrays are C-contiguous.
    """
    if not has_numba():
        return function
    if function not in POINTED:
        POINTED[function] = machine_code(function, cache_folder(digest_of(function)), examples)
    return POINTED[function]


def machine_code(function: Callable, folder: Path | None, examples: Sequence[Any]) -> Callable:
    """Return a function as machine code of one signature.

    Args:
        function: The function; it returns an integer.
        folder: Folder of the cached code, None for no cache.
        examples: A value for every argument.
    """
    import numba
    from numba.core.ccallback import CFunc

    if loop := recursive(function):
        code = loop.__code__
        place = f'{Path(code.co_filename).name}:{code.co_firstlineno}'
        raise NotCompiledError(f'{place}: {loop.__name__} calls itself')
    types_ = tuple(map(numba.typeof, examples))
    found = CFunc(twin(function), (types_, numba.int64), {}, OPTIONS)
    if folder is not None:
        found._cache = disk_cache(found._pyfunc, folder)
    try:
        found.compile()
    except Exception as error:  # numba raises anything for a user's code
        raise NotCompiledError(_place(error)) from None
    return found


def _place(error: Exception) -> str:
    """Return the line of the author's file that a compiler error is about, as ``mine.py:12``."""
    for match in PLACE.finditer(str(error)):
        file, line = filter(None, match.groups())
        if is_of_author(file):
            return f'{Path(file).name}:{line}'
    return 'no line is known'


def to_compile(functions: Iterable[Callable]) -> list[Callable]:
    """Return the functions whose compiled code is not cached; none without numba.

    Damaged cached code shows only when it is loaded.
    """
    if not has_numba():
        return []
    return [one for one in functions if not is_cached(cache_folder(digest_of(one)))]


@functools.cache
def part(function: Callable) -> Callable:
    """Return a function compiled to be inlined into another."""
    import numba

    options = CHECKED if is_adopted(function) else OPTIONS
    return numba.njit(no_cpython_wrapper=True, forceinline=True, **options)(twin(function))


def twin(function: Callable) -> Callable:
    """Return a copy of a function that calls compiled copies of our other functions."""
    inner = enclosed(function)
    names = {'__name__': function.__module__}
    names |= {name: linked(value) for name, value in named(function).items() if name not in inner}
    cells = tuple(types.CellType(linked(value)) for value in inner.values())
    copy = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, cells or None
    )
    copy.__qualname__ = function.__qualname__
    copy.__doc__ = function.__doc__
    return copy


def linked(value: object) -> object:
    """Return the compiled copy of a function of ours, any other value unchanged."""
    return part(value) if is_ours(value) else value
