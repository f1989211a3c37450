"""Which functions of ours a function calls, and how much work it is to compile them.

The work of a compilation says what share of it is done.
"""

import dis
import functools
import types
from collections.abc import Callable, Iterable

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
    return [one for _, one in sorted(named(function).items()) if is_ours(one)]


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
    found = (_recursive(one, (*above, function), seen) for one in called(function))
    return next(filter(None, found), None)


def named(function: Callable) -> dict[str, object]:
    """Return what a function looks up outside of itself, globals and enclosed variables alike."""
    names = function.__globals__
    found = {name: names[name] for name in global_names(function.__code__) if name in names}
    return {**found, **enclosed(function)}


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


OWN_WORK = 8.0
"""Weight of a function's own instructions against those of all that it calls.

Every function is translated once, and optimised again with each that it becomes a part of. Fitted
to the times of 294 functions: so weighted, the share of work is within 0.09 of that of time.
"""


class CompileWork:
    """The functions of some programs, and which of them are compiled."""

    def __init__(self, programs: Iterable[Callable]) -> None:
        """Weigh all functions of ours that the programs are made of."""
        self._known: dict[types.CodeType, float] = {}
        self._left: dict[types.CodeType, float] = {}
        self._done = 0.0
        for program in programs:
            self.add(program)

    @property
    def codes(self) -> dict[int, types.CodeType]:
        """The functions by ``id``, which is the same in a forked process."""
        return {id(code): code for code in self._known}

    @property
    def functions(self) -> int:
        """How many functions there are."""
        return len(self._known)

    def add(self, program: Callable) -> None:
        """Weigh all functions of ours that one more program is made of."""
        waiting = [program]
        while waiting:
            one = waiting.pop()
            if one.__code__ not in self._known:
                self._known[one.__code__] = self._left[one.__code__] = _weight(one)
                waiting += called(one)

    def done(self, code: types.CodeType) -> None:
        """Take note of a compiled function; another variant of it, or a stranger, is no news."""
        self._done += self._left.pop(code, 0.0)

    @property
    def share(self) -> float:
        """What share of the work is done, from 0 to 1."""
        total = sum(self._known.values())
        return self._done / total if total else 1.0


def _weight(function: Callable) -> float:
    return OWN_WORK * _size(function) + _whole_size(function)


def _size(function: Callable) -> int:
    return len(function.__code__.co_code)


WHOLE_SIZES: dict[Callable, int] = {}
"""Results of ``_whole_size``."""


def _whole_size(function: Callable) -> int:
    """Return the size of a function with all that it calls in it, itself once."""
    if function not in WHOLE_SIZES:
        WHOLE_SIZES[function] = 0
        parts = sum(_whole_size(one) for one in called(function))
        WHOLE_SIZES[function] = _size(function) + parts
    return WHOLE_SIZES[function]
