"""Pure functions whose last results are kept: agents of a process that know the same share them.

Ten agents that have received the same messages see the same ring. Each asks for it; the first one
computes it.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

KEPT = 64
"""Results kept of a function; agents that differ in what they know need one each per tick."""

MAX_COMPARED = 4
"""Mappings that are compared with a new one, at most."""

NUMBERS = (float, int, bool)

Result = TypeVar('Result')
Shared = TypeVar('Shared', bound=Mapping)


def _key(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([one if type(one) in NUMBERS else id(one) for one in arguments])


class _Recent(dict):
    """The last results with their arguments, by the identity of these."""

    def keep(self, key: Any, arguments: tuple[Any, ...], result: Any) -> None:
        """Keep a result, with its arguments: while these live, nothing else has their id."""
        self[key] = arguments, result
        if len(self) > KEPT:
            del self[next(iter(self))]


class _Sharing:
    """Whether results are kept."""

    is_on = True


_sharing = _Sharing()


def share_steps(is_on: bool) -> None:
    """Keep results from now on, or keep none: an agent that is alone in its process shares none.

    Looking for a result and keeping it takes as long as a short step.
    """
    _sharing.is_on = is_on


def _keying(function: Callable) -> Callable[..., tuple[Any, ...]]:
    """Return what makes the key of a function's arguments: ``_key``, in one expression."""
    parameters = inspect.signature(function).parameters
    parts = [
        name if one.annotation in NUMBERS else f'id({name})' for name, one in parameters.items()
    ]
    return eval(f'lambda {", ".join(parameters)}: ({", ".join(parts)},)')


def shared_step(function: Callable[..., Result]) -> Callable[..., Result]:
    """Keep the last results of a pure function.

    Arguments that are declared as numbers are compared by value; all others are objects that
    never change, which are the same only if they are one and the same object.
    """
    kept, key_of = _Recent(), _keying(function)

    @functools.wraps(function)
    def step(*arguments: Any) -> Result:
        if not _sharing.is_on:
            return function(*arguments)
        key = key_of(*arguments)
        found = kept.get(key)
        if found is not None:
            return found[1]
        result = function(*arguments)
        kept.keep(key, arguments, result)
        return result

    return step


@functools.lru_cache(256)
def same_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return one object for all equal tuples of names, as an argument of shared steps."""
    return names


_unified = _Recent()


def unified(mapping: Shared, *context: Any) -> Shared:
    """Return one of all equal mappings of a context, so that steps from it are shared again.

    What an agent that was down knows after its return is soon equal to what the others know.

    Args:
        mapping: A mapping that never changes; the order of its keys is lost.
        context: What the mappings follow from, as arguments of a shared step.
    """
    if not _sharing.is_on:
        return mapping
    key = _key(context)
    found = _unified.get(key)
    known = [] if found is None else found[1]
    if found is None:
        _unified.keep(key, context, known)
    for other in known:
        if other is mapping or other == mapping:
            return other
    if len(known) < MAX_COMPARED:
        known.append(mapping)
    return mapping
