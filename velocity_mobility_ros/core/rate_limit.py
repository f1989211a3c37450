"""The rate limiter: channels that are limited independently of each other.

For actuators such as the speeds of two tracks or a gimbal. The direction of a vector of channels
is not kept; the motion limiter (``twist_smoothing``) keeps it. A limit function says how far one
number may change within a time:

    allowed = limit(rates, previous, wanted, dt)

Each has its own record of rates. A rate is a number per second, at least 0; an infinite one is
no limit. Source: rate limiter of the Triangula robot, whose limit function is exchangeable.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from velocity_mobility_ros.core.step_time import LimiterClock, elapsed
from velocity_mobility_ros.core.user_errors import MobilityError, ParameterError

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
    """Return rates [unit/s] by which the absolute value shrinks without a limit.

    Example:
        >>> asymmetric_rate(free_decrease(2.0), 1.0, 0.0, 0.05)
        0.0
    """
    return AsymmetricRate(up, INFINITE)


def fixed_rate(rates: FixedRate, previous: float, wanted: float, dt: float) -> float:
    """Return the allowed value: ``previous`` moved towards ``wanted`` by at most ``rate dt``.

    Args:
        rates: The largest rate.
        previous: Last value.
        wanted: Requested value, same unit.
        dt: Time since the last value [s], > 0.

    Example:
        >>> fixed_rate(FixedRate(2.0), 0.0, 1.0, 0.1)
        0.2
    """
    return towards(previous, wanted, rates.rate, dt)


def asymmetric_rate(rates: AsymmetricRate, previous: float, wanted: float, dt: float) -> float:
    """Return the allowed value; a change of sign is split at zero.

    Args:
        rates: Rates away from zero and towards zero.
        previous: Last value.
        wanted: Requested value, same unit.
        dt: Time since the last value [s], > 0.

    Example:
        >>> asymmetric_rate(AsymmetricRate(2.0, 10.0), 1.0, 0.0, 0.05)
        0.5
    """
    if (previous < 0.0 < wanted) or (wanted < 0.0 < previous):
        nearer = towards(previous, 0.0, rates.down, dt)
        if nearer != 0.0:
            return nearer
        remaining = dt - abs(previous) / rates.down
        return towards(0.0, wanted, rates.up, remaining) if remaining > 0.0 else 0.0
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


def check_rates(rates: NamedTuple) -> None:
    """Refuse a record with a negative rate, or one that is no number.

    Args:
        rates: A NamedTuple of rates.

    Raises:
        ParameterError: There is one; the message names it.
    """
    for name, rate in zip(rates._fields, rates, strict=True):
        if not rate >= 0.0:
            raise ParameterError(f'{name} = {rate!r} must be at least 0 per second')


Rates = Any
"""The NamedTuple of a limit function."""

LimitFunction = Callable[[Rates, float, float, float], float]

MAX_DT = 0.1
"""Default of the longest time [s] that counts between two updates."""


class RateState(NamedTuple):
    """Clock of the channels, and the number of rejected requests."""

    clock: LimiterClock
    rejected: int


@functools.cache
def stepping(limit: LimitFunction) -> Callable[..., RateState]:
    """Return the step of channels with a limit function; the same one every time."""

    def step(
        rates: Rates,
        max_dt: float,
        state: RateState,
        values: list[float],
        wanted: Sequence[float],
        now_ns: int,
    ) -> RateState:
        """Move the values towards the wanted ones, in place; return the new state.

        A request with a number that is not finite is rejected as a whole.

        Args:
            rates: Record of the limit function.
            max_dt: Longest time that counts [s], > 0.
            state: Clock and count.
            values: The last output, one per channel; a list, or a row of floats.
            wanted: The request, as many.
            now_ns: Time [ns].
        """
        clock, dt = elapsed(state.clock, now_ns, max_dt)
        for i in range(len(values)):
            if not math.isfinite(wanted[i] - values[i]):
                return RateState(clock, state.rejected + 1)
        if dt > 0.0:
            for i in range(len(values)):
                values[i] = limit(rates, values[i], wanted[i], dt)
        return RateState(clock, state.rejected)

    return step


class RateLimiter:
    """Channels with their last output.

    Example:
        >>> RateLimiter(fixed_rate, FixedRate(2.0), [0.0], 0).update([1.0], 100_000_000)
        [0.2]
    """

    def __init__(
        self,
        limit: LimitFunction,
        rates: Rates,
        start: Sequence[float],
        start_ns: int,
        max_dt: float = MAX_DT,
    ) -> None:
        """Start from an output.

        Args:
            limit: The limit function.
            rates: Its record.
            start: First output, one per channel: zero, or as measured.
            start_ns: Its time [ns], by the clock of ``update``.
            max_dt: Longest time that counts between two updates [s].

        Raises:
            ParameterError: A rate is negative, a start is not finite, or ``max_dt`` not above 0.
        """
        check_rates(rates)
        if not (max_dt > 0.0 and all(map(math.isfinite, start))):
            raise ParameterError(
                f'start = {list(start)} must be finite, max_dt = {max_dt!r} above 0 s'
            )
        self._step = stepping(limit)
        self._rates, self._max_dt = rates, max_dt
        self._values = [float(value) for value in start]
        self.state = RateState(LimiterClock(start_ns, 0), 0)

    def update(self, wanted: Sequence[float], now_ns: int) -> list[float]:
        """Return the new output, a list of its own.

        Args:
            wanted: The request, one per channel.
            now_ns: Time [ns].

        Raises:
            MobilityError: The number of channels differs from that at the start.
        """
        if len(wanted) != len(self._values):
            raise MobilityError(
                f'{len(wanted)} values for {len(self._values)} channels; make a new limiter for '
                'another number of channels'
            )
        self.state = self._step(
            self._rates, self._max_dt, self.state, self._values, wanted, now_ns
        )
        return list(self._values)
