"""What a law makes of the lag that it knows: the inversion, the filter before it, a gain.

They are those of ``controllers.lag_inversion`` for accelerations below the vehicle's limit.
"""

import math

HELD = 1.5
"""Control periods until half of a command's effect, of a vehicle without lag."""


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


def tracking_gain(least: float, share: float, tau: float | None, period: float) -> float:
    """Return the gain of velocity tracking k_v [1/s]: the faster the vehicle, the higher.

        k_v = max(least, share / (tau + 1.5 T))

    The lag and 1.5 T, in which a command is computed and held, are the time in which a vehicle can
    answer; a delay is predicted. ``2 k_v T`` of the bound in ``gain_bound`` is at most 4/3
    ``share``.

    Args:
        least: The gain of slow vehicles [1/s].
        share: k_v times the time of fast ones.
        tau: Lag of the vehicle as the law knows it [s]; None: none.
        period: Control period T [s].
    """
    return max(least, share / ((tau or 0.0) + HELD * period))


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
