"""The command of a vehicle that is to stand still: 0, unless somebody is known to be too near.

The filter is asked for the command nearest to 0. Where all distances are kept that is 0. Where one
is too small it leads away, and the vehicle goes there slowly. Every command between that one and 0
keeps the distances that both keep, so a slower evasion brings it nearer to nobody else.

What is only not known moves nobody that is to stand: the errors of measured states, and where a
silent body may have gone after its last message (``known_distances``).
"""

import math

from velocity_mobility_ros.core.limits import limit_xy
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.safety.braking import usable_lag
from soliton_encirclement_ros.safety.codes import NOBODY, NONE, RELAXED, STOP
from soliton_encirclement_ros.safety.records import (
    START,
    STILL,
    Filtered,
    FilterSettings,
    OwnState,
)

FASTEST = 1.0
"""Largest speed of an evasion [m/s]: a slow walk, so that a stopped vehicle never dashes, and
twice as fast as vehicles that hold no position were seen to drift."""

SLOWEST = 0.05
"""An evasion slower than this [m/s] is rounding or noise, and none."""


def level(settings: FilterSettings) -> FilterSettings:
    """Return the filter's numbers without the height band: a standing vehicle keeps its height."""
    return settings._replace(lowest=-math.inf, highest=math.inf)


def known_distances(settings: FilterSettings) -> FilterSettings:
    """Return the filter's numbers without errors and without height band.

    A body that was heard is as far away as its last state says, a silent one where it would have
    stopped from its last state on.
    """
    exact = settings._replace(clock_error=0.0, noise=0.0, run_on=0.0, ghost_margin=0.0)
    return level(exact)


def standing(settings: FilterSettings, own: OwnState, found: Filtered) -> Filtered:
    """Return what a vehicle that is to stand still does about the filter's answer to 0.

    It keeps its height and forgets all detours. The reason is that of the filter, NONE where
    command 0 is all that it asks for.

    Args:
        settings: The filter's numbers.
        own: State of the own vehicle.
        found: The answer.
    """
    if _acts_as_zero(settings, own, found.command):
        if found.reason in (RELAXED, STOP):
            return Filtered(STILL, found.reason, found.pusher, START)
        return Filtered(STILL, NONE, NOBODY, START)
    x, y = limit_xy(found.command[0], found.command[1], FASTEST)
    return Filtered((x, y, 0.0), found.reason, found.pusher, START)


def _acts_as_zero(settings: FilterSettings, own: OwnState, command: Vector) -> bool:
    """Return whether the vehicle answers a horizontal command [m/s] as command 0, but for a trace.

    While it is fast both brake with all that it has.
    """
    _, _, a, _, tau_xy, _ = settings.limits
    reach = a * usable_lag(tau_xy, settings.period)
    (vx, vy, _), (cx, cy, _) = own.velocity, command
    if cx == 0.0 and cy == 0.0:
        return True
    x, y = limit_xy(cx - vx, cy - vy, reach)
    still_x, still_y = limit_xy(-vx, -vy, reach)
    return math.hypot(x - still_x, y - still_y) < SLOWEST
