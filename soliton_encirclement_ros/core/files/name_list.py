"""Lists of names, and numbers of things, in messages."""

from collections.abc import Sequence

MAX_NAMES = 8
"""Upper limit of names in a list."""


def named(names: Sequence[str]) -> str:
    """Return names as text, only the first ``MAX_NAMES`` of many."""
    more = f' and {len(names) - MAX_NAMES} more' if len(names) > MAX_NAMES else ''
    return ', '.join(names[:MAX_NAMES]) + more
