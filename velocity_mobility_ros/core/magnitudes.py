"""Bounds of all numbers, far beyond what any vehicle needs.

Within these bounds no product of two parameters overflows, nothing divides by almost 0, and a
duration in nanoseconds fits into the types of ROS.
"""

import math

LARGEST_COORDINATE = 1e9
"""Largest accepted position [m] and velocity [m/s]."""

LARGEST_DURATION = 1e9
"""Largest duration [s], thirty years."""

LARGEST_ANGLE = 2.0 * math.pi
"""Largest angle [rad], either way: 90 is one in degrees."""

LARGEST = 1e12
"""Largest value of any other parameter, in its own unit."""

SMALLEST = 1e-12
"""Smallest value of a parameter that must be above 0, in its own unit."""

BY_UNIT = {'s': LARGEST_DURATION, 'm/s': LARGEST_COORDINATE, 'rad': LARGEST_ANGLE}


def beyond(value: float, unit: str, above: float | None) -> str:
    """Return the bound that a parameter's value violates, as text without unit; empty if none.

    Args:
        value: The value, finite.
        unit: Its unit.
        above: Bound that it must exceed, None if there is none.
    """
    largest = BY_UNIT.get(unit, LARGEST)
    if abs(value) > largest:
        return f'at most {largest:g}' if value > 0.0 else f'at least {-largest:g}'
    if above == 0.0 and value < SMALLEST:
        return f'at least {SMALLEST:g}'
    return ''
