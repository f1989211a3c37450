"""How much work it is to compile functions, and what share of it is done."""

import types
from collections.abc import Callable, Iterable

from soliton_encirclement_ros.sim.compilation.call_graph import called

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
