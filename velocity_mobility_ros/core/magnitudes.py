"""How large and how small a number can be that people mean: far beyond what any vehicle needs.

Within these bounds no product of two parameters overflows, nothing divides by almost 0, and a
duration in nanoseconds fits where ROS keeps it.
"""

LARGEST_COORDINATE = 1e9
"""No true position [m] or velocity [m/s] is larger; whatever claims to be is refused."""

LARGEST_DURATION = 1e9
"""Thirty years [s]; a wait that is to last for ever needs no more."""

LARGEST = 1e12
"""Any other parameter, in its own unit."""

SMALLEST = 1e-12
"""A parameter that must be above 0, in its own unit."""

BY_UNIT = {'s': LARGEST_DURATION, 'm/s': LARGEST_COORDINATE}


def beyond(value: float, unit: str, above: float | None) -> str:
    """Return the bound that a parameter's value breaks, in words without its unit; empty if none.

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
