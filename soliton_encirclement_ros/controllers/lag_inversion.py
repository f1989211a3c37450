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

An agent's own motion when its next command takes effect, from the commands on the way.

A pose is as old as the odometry is late, and a command acts after the delay of the vehicle. The
motion over both is known: the model of the vehicle with the commands that were sent in the
meantime (a Smith predictor). So the law closes its loop without the latency in it.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.law import View
from soliton_encirclement_ros.core.stability.agent_loop import ROUNDING, STORED_COMMANDS
from soliton_encirclement_ros.core.stability.gain_bound import assumed_lag, filter_follows
from velocity_mobility_ros.core.velocity_model import Limits, Vector, step

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


Commands = tuple[
    float, float, float, float, float, float, float, float, float, float, float, float,
    float, float, float, float, float, float, float, float, float, float, float, float,
]  # fmt: skip
"""The last ``STORED_COMMANDS`` horizontal commands [m/s, map], x and y of the newest first."""

NONE_SENT: Commands = (0.0,) * (2 * STORED_COMMANDS)  # type: ignore[assignment]


class Prediction(NamedTuple):
    """How an own motion is predicted.

    Attributes:
        is_on: Whether it is.
        delay: Time until a command takes effect [s].
        period: Control period [s].
        limits: The vehicle, as ``velocity_mobility_ros.core.velocity_model`` has it, with the lag
            that is right for steps of a period.
    """

    is_on: bool
    delay: float
    period: float
    limits: Limits


def with_command(sent: Commands, command: Vector) -> Commands:
    """Return the commands with the one of the last tick [m/s] in front."""
    return (
        command[0], command[1], sent[0], sent[1], sent[2], sent[3], sent[4], sent[5], sent[6],
        sent[7], sent[8], sent[9], sent[10], sent[11], sent[12], sent[13], sent[14], sent[15],
        sent[16], sent[17], sent[18], sent[19], sent[20], sent[21],
    )  # fmt: skip


def own_motion(view: View, sent: Commands, prediction: Prediction) -> tuple[Vector, Vector]:
    """Return position [m] and velocity [m/s] in map when the next command takes effect.

    What lies farther back than the kept commands is not predicted; the height is.

    Args:
        view: Inputs of the agent.
        sent: The commands up to the last tick.
        prediction: How to predict.
    """
    position, velocity = view.position, view.velocity
    latency = prediction.delay + view.pose_age
    if not prediction.is_on or latency < ROUNDING:
        return position, velocity
    period = prediction.period
    periods = int(latency / period + ROUNDING)
    remainder = latency - periods * period
    if periods < STORED_COMMANDS and remainder > ROUNDING:
        command = (sent[2 * periods], sent[2 * periods + 1], velocity[2])
        position, velocity = step(position, velocity, command, remainder, prediction.limits)
    for k in range(min(periods, STORED_COMMANDS) - 1, -1, -1):
        command = (sent[2 * k], sent[2 * k + 1], velocity[2])
        position, velocity = step(position, velocity, command, period, prediction.limits)
    return position, velocity
