"""Flags in arrays of numbers, and statuses of a law's step."""

FINE, RAISED, NO_NUMBER = range(3)


def flag(yes: bool) -> float:
    """Return 1 for true and 0 for false."""
    return 1.0 if yes else 0.0
