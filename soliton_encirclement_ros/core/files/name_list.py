"""Lists of names, and numbers of things, in messages."""

from collections.abc import Sequence

MAX_NAMES = 8
"""Upper limit of names in a list."""


def named(names: Sequence[str], most: int = MAX_NAMES) -> str:
    """Return names as text, only the first ``most`` of many."""
    more = f' and {len(names) - most} more' if len(names) > most else ''
    return ', '.join(names[:most]) + more
