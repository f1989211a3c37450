"""Lists of names for people."""

from collections.abc import Sequence

MOST_NAMES = 8
"""So many are named."""


def named(names: Sequence[str]) -> str:
    """Return names in a row, the first few if there are many."""
    more = f' and {len(names) - MOST_NAMES} more' if len(names) > MOST_NAMES else ''
    return ', '.join(names[:MOST_NAMES]) + more
