"""Yes and no in arrays of numbers, and what a law's step came to."""

FINE, RAISED, NO_NUMBER = range(3)


def flag(yes: bool) -> float:
    """Return 1 for yes and 0 for no."""
    return 1.0 if yes else 0.0
