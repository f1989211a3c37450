"""From a wanted acceleration to the velocity command of a vehicle with a first-order lag.

A vehicle follows ``v' = (c - v) / tau`` within an acceleration limit. Two inversions:

``first_order``: c = v + tau a. The first acceleration is the wanted one, but it decays while the
command is held for a period T: the mean is a (tau / T) (1 - exp(-T / tau)), 63 % of a for T = tau.

``sampled``: c = v + g a with the mean over the period equal to a,

    g = T / (1 - exp(-T / tau))                    as long as g |a| / tau is within the limit
    g = tau + T                                    at the limit, which then holds all the time

and in between in proportion, which is at most 11 % off. The wanted acceleration is limited to what
the vehicle can do, or to a multiple of it: a vehicle with a longer lag than assumed gets to its
limit all the same. So a command is never farther from the velocity than g times that.

Before, the acceleration may pass a first-order filter, whose time constant is a share of the lag:
a command changes by tau times the change of the acceleration, so a long lag needs a slower one.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.stability.assumed_lag import assumed_lag, filter_follows

Acceleration = tuple[float, float]
AT_REST: Acceleration = (0.0, 0.0)


class LagInversion(NamedTuple):
    """Numbers of an inversion.

    Attributes:
        is_sampled: Whether it is ``sampled``.
        gain: g for small accelerations [s].
        full_gain: g at the limit [s].
        limit: Largest acceleration of the vehicle [m/s^2].
        largest: Largest acceleration that is asked for [m/s^2].
        linear: Acceleration up to which the vehicle does not reach it [m/s^2].
        follows: Share of a change that the filter lets through in a period.
    """

    is_sampled: bool
    gain: float
    full_gain: float
    limit: float
    largest: float
    linear: float
    follows: float


def lag_inversion(
    is_sampled: bool, tau: float | None, limit: float, period: float, filter_share: float,
    longest_filter: float = math.inf, limit_share: float = 1.0,
) -> LagInversion:
    """Return the numbers of an inversion.

    Args:
        is_sampled: Whether it is ``sampled``.
        tau: Lag of the vehicle [s]; None: it has none.
        limit: Its largest acceleration [m/s^2].
        period: Time for which a command is held [s].
        filter_share: Time constant of the filter, as a share of the lag.
        longest_filter: Longest time constant [s].
        limit_share: Largest acceleration that is asked for, as a multiple of ``limit``.
    """
    gain = assumed_lag(is_sampled, tau, period)
    follows = filter_follows(filter_share, tau, period, longest_filter)
    largest = limit_share * limit
    if not is_sampled:
        # A vehicle without lag follows within a tick; a command cannot ask for anything sooner.
        return LagInversion(False, gain, gain, limit, largest, limit, follows)
    lag = tau or 0.0
    return LagInversion(
        True, gain, lag + period, limit, largest, limit * lag / gain, follows
    )  # fmt: skip


def within_limit(inversion: LagInversion) -> LagInversion:
    """Return the inversion that asks for no more than the vehicle's acceleration limit."""
    return LagInversion(
        inversion.is_sampled, inversion.gain, inversion.full_gain, inversion.limit,
        inversion.limit, inversion.linear, inversion.follows,
    )  # fmt: skip


def filtered_acceleration(
    inversion: LagInversion, before: Acceleration, wanted: Acceleration
) -> Acceleration:
    """Return the acceleration to command [m/s^2], from the last one and the wanted one."""
    x, y = wanted
    if inversion.is_sampled:
        size = math.sqrt(x * x + y * y)
        if size > inversion.largest:
            x, y = x * inversion.largest / size, y * inversion.largest / size
    if inversion.follows >= 1.0:
        return x, y
    keep = inversion.follows
    return before[0] + keep * (x - before[0]), before[1] + keep * (y - before[1])


def command_gain(inversion: LagInversion, acceleration: Acceleration) -> float:
    """Return how far ahead of the velocity an acceleration is commanded [s]."""
    if not inversion.is_sampled:
        return inversion.gain
    x, y = acceleration
    beyond = math.sqrt(x * x + y * y) - inversion.linear
    room = inversion.limit - inversion.linear
    if beyond <= 0.0 or room <= 0.0:
        return inversion.gain
    share = min(1.0, beyond / room)
    return inversion.gain + share * (inversion.full_gain - inversion.gain)
