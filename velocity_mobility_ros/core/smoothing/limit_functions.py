"""Limit functions: how far one number may change within a time.

    allowed = limit(rates, previous, wanted, dt)

Each has its own record of rates. A rate is a number per second, at least 0; an infinite one is
no limit. Source: rate limiter of the Triangula robot, whose limit function is exchangeable.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.errors import ParameterError

INFINITE = math.inf
"""Rate of a change that is not limited."""


class FixedRate(NamedTuple):
    """The largest rate of change [unit/s]."""

    rate: float


class AsymmetricRate(NamedTuple):
    """The largest rates [unit/s] at which the absolute value grows and shrinks."""

    up: float
    down: float


def free_decrease(up: float) -> AsymmetricRate:
    """Return rates [unit/s] by which the absolute value shrinks without a limit."""
    return AsymmetricRate(up, INFINITE)


def fixed_rate(rates: FixedRate, previous: float, wanted: float, dt: float) -> float:
    """Return the allowed value: ``previous`` moved towards ``wanted`` by at most ``rate dt``.

    Args:
        rates: The largest rate.
        previous: Last value.
        wanted: Requested value, same unit.
        dt: Time since the last value [s], > 0.
    """
    return towards(previous, wanted, rates.rate, dt)


def asymmetric_rate(rates: AsymmetricRate, previous: float, wanted: float, dt: float) -> float:
    """Return the allowed value; a change of sign is split at zero.

    Args:
        rates: Rates away from zero and towards zero.
        previous: Last value.
        wanted: Requested value, same unit.
        dt: Time since the last value [s], > 0.
    """
    if (previous < 0.0 < wanted) or (wanted < 0.0 < previous):
        nearer = towards(previous, 0.0, rates.down, dt)
        if nearer != 0.0:
            return nearer
        rest = dt - abs(previous) / rates.down
        return towards(0.0, wanted, rates.up, rest) if rest > 0.0 else 0.0
    grows = abs(wanted) > abs(previous)
    return towards(previous, wanted, rates.up if grows else rates.down, dt)


def towards(previous: float, wanted: float, largest: float, dt: float) -> float:
    """Return ``previous`` moved towards ``wanted`` at a rate of at most ``largest`` [unit/s].

    Exactly ``wanted`` if the rate allows it, equality included.
    """
    change = wanted - previous
    rate = abs(change) / dt
    if rate <= largest:
        return wanted
    # Not (change * largest) / rate: that product overflows for large numbers.
    return previous + change * (largest / rate)


def check_rates(rates: tuple[float, ...]) -> None:
    """Refuse a record with a negative rate, or one that is no number.

    Args:
        rates: A NamedTuple of rates.

    Raises:
        ParameterError: There is one; the message names it.
    """
    for name, rate in zip(rates._fields, rates, strict=True):
        if not rate >= 0.0:
            raise ParameterError(f'{name} = {rate!r} must be at least 0 per second')
