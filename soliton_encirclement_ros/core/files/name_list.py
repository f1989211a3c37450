"""Lists of names for people."""

from collections.abc import Sequence

MAX_NAMES = 8
"""So many are named."""


def named(names: Sequence[str]) -> str:
    """Return names in a row, the first few if there are many."""
    more = f' and {len(names) - MAX_NAMES} more' if len(names) > MAX_NAMES else ''
    return ', '.join(names[:MAX_NAMES]) + more
