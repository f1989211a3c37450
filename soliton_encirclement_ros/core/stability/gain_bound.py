"""The gains with which our law is surely stable, whatever the ring.

    ((d k_s + 2 k_v) T + (1.5 k_s + k_v) L + k_s P) rho <= 1        spacing
    ((  k_r + 2 k_v) T + (    k_r + k_v) L        ) rho <= 1        radius

T is the control period, d the age of the neighbours' messages in ticks. L is the time by which
commands and an agent's measurements of itself are late, plus half the time constant of the filter
of the acceleration. rho = max(1, g alpha / T) is how much more acceleration the vehicle makes of a
command than was asked for: g is the lag that the command makes up for, alpha the share of a
commanded change that the vehicle makes in a period; with the right lag rho is 1.

An agent that predicts its own motion over a time P has this time out of its loops. L is then what
the prediction misses: the difference of P from the latencies, and, of P, the share

    1 - min(q, 1 / q)        q = g' alpha / T

by which the vehicle changes its speed otherwise than predicted, with the lag g' of its model. The
neighbours are seen at present and not after P, hence the term k_s P. In the second line the factor
of k_r is 1.5 as well: what is missed of a prediction repeats itself. Without prediction P is 0.

Sufficient, not necessary, and found by experiment: the tests draw gains on the bound. The factors
of L are near what theory needs: a loop of gain K is stable with a delay L up to K L = pi / 2, and
the fastest wave has the gain 2 k_s, the velocity k_v. A filter slower than the lag of the vehicle
and than T is not covered.

What the law makes of the lag that it knows, by inversion, filter and gain (``assumed_lag``), is
that of ``controllers.lag_inversion`` for accelerations below the vehicle's limit.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.stability.agent_loop import AgentLoop, lag_over_period

SPACING_LATE, RADIAL_LATE = 1.5, 1.0
"""Factors of the gains in the term of the latencies."""

FILTER_LATE = 0.5
"""Latency per time constant of the filter."""


class LoopTiming(NamedTuple):
    """Parameters of the bound, besides the gains.

    Attributes:
        period: Control period T [s].
        delay: Age d of the neighbours' messages [ticks]; 1 for the radius.
        late: Latencies L [s].
        late_factor: Factor of the gain in their term.
        predicted: Time P of the prediction [s], as far as it makes neighbours old.
        excess: Acceleration of the vehicle per acceleration asked for, rho, at least 1.
    """

    period: float
    delay: int
    late: float
    late_factor: float
    predicted: float
    excess: float


def spacing_timing(loop: AgentLoop) -> LoopTiming:
    """Return the timing of an agent along the ring."""
    alpha, _ = lag_over_period(loop.period, loop.substeps, loop.tau)
    return LoopTiming(
        loop.period,
        loop.delay,
        unpredicted(loop, alpha) + FILTER_LATE * filter_time(loop.follows, loop.period),
        SPACING_LATE,
        0.0 if loop.prediction is None else loop.prediction.reach,
        max(1.0, loop.assumed_lag * alpha / loop.period),
    )


def radial_timing(loop: AgentLoop) -> LoopTiming:
    """Return the timing of an agent's radius, which depends on no neighbour."""
    factor = RADIAL_LATE if loop.prediction is None else SPACING_LATE
    return spacing_timing(loop)._replace(delay=1, late_factor=factor, predicted=0.0)


def unpredicted(loop: AgentLoop, alpha: float) -> float:
    """Return the remaining latency of an agent [s] after its prediction.

    Args:
        loop: The agent.
        alpha: Share of a commanded change that its vehicle makes in a period.
    """
    latency, prediction = (loop.command_latency + loop.odom_latency) * loop.update, loop.prediction
    if prediction is None:
        return latency
    ratio = alpha / prediction.follows
    missed = 1.0 - min(ratio, 1.0 / ratio)
    return abs(latency - prediction.reach) + missed * prediction.reach


def filter_time(follows: float, period: float) -> float:
    """Return the time constant [s] of a filter.

    Args:
        follows: Share of a change that it lets through in a period, above 0; 1: no filter.
        period: The period [s].
    """
    return 0.0 if follows >= 1.0 else period / -math.log1p(-follows)


def bound_use(gain: float, k_v: float, timing: LoopTiming) -> float:
    """Return the left side of the bound; stable where it is at most 1.

    Args:
        gain: Spacing or radial gain [1/s].
        k_v: Velocity gain [1/s].
        timing: Of the same motion.
    """
    sampled = (timing.delay * gain + 2.0 * k_v) * timing.period
    late = (timing.late_factor * gain + k_v) * timing.late + timing.predicted * gain
    return (sampled + late) * timing.excess


def largest_sure_gain(k_v: float, timing: LoopTiming) -> float:
    """Return the largest gain [1/s] within the bound, 0 or less if k_v leaves nothing."""
    left = 1.0 / timing.excess - bound_use(0.0, k_v, timing._replace(excess=1.0))
    late = timing.late_factor * timing.late + timing.predicted
    return left / (timing.delay * timing.period + late)


def largest_velocity_gain(timing: LoopTiming) -> float:
    """Return the k_v [1/s] that leaves nothing for any other gain."""
    return 1.0 / (timing.excess * (2.0 * timing.period + timing.late))


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
