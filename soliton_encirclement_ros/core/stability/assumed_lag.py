"""The lag that a command makes up for, and the filter before it, as numbers of one loop.

They are those of ``controllers.terms.lag_inversion`` for accelerations below the vehicle's limit.
"""

import math


def assumed_lag(is_sampled: bool, tau: float | None, period: float) -> float:
    """Return the gain g [s] in ``command = velocity + g acceleration``.

    Args:
        is_sampled: Whether the inversion is exact for a command that is held for a period.
        tau: Lag of the vehicle as the law knows it [s]; None: none.
        period: Control period [s].
    """
    lag = tau or 0.0
    if not is_sampled:
        return max(lag, period)
    return period / -math.expm1(-period / lag) if lag > 0.0 else period


def filter_follows(
    share: float, tau: float | None, period: float, longest: float = math.inf
) -> float:
    """Return the share of a change of the acceleration that its filter lets through in a period.

    Args:
        share: Time constant of the filter as a share of the lag.
        tau: Lag of the vehicle as the law knows it [s]; None: none.
        period: Control period [s].
        longest: Longest time constant [s].
    """
    constant = min(share * max(tau or 0.0, period), longest)
    return 1.0 if constant <= 0.0 else -math.expm1(-period / constant)
