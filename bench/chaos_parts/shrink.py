"""The shortest list of faults that still fails (delta debugging, Zeller and Hildebrandt 2002)."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar('Item')


def shrink(items: Sequence[Item], fails: Callable[[Sequence[Item]], bool]) -> list[Item]:
    """Return a part of a list that fails, from which no single item can be left out.

    It is empty where nothing is needed for the failure.

    Args:
        items: A list that fails; it is not tried again.
        fails: Says whether a shorter list fails, in the same order.
    """
    left, parts = list(items), 2
    while len(left) >= 2:
        size = -(-len(left) // parts)
        chunks = [left[k : k + size] for k in range(0, len(left), size)]
        rests = [[one for one in chunks if one is not chunk] for chunk in chunks]
        tries = [*chunks, *([item for one in rest for item in one] for rest in rests)]
        found = next((one for one in tries if len(one) < len(left) and fails(one)), None)
        if found is not None:
            parts = 2 if found in chunks else max(2, parts - 1)
            left = found
        elif parts >= len(left):
            break
        else:
            parts = min(len(left), 2 * parts)
    return [] if len(left) == 1 and fails([]) else left
