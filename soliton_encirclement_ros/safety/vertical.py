"""The vertical command: least change within the height band, the layers and the limits.

The lowest and the highest height:

    -gamma (z_P - lowest) <= z_P' <= gamma (highest - z_P)

with the height z_P at which the vehicle would stop. Command 0 fulfils it inside.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.filter_codes import (
    BAND, LIMITS, NOBODY, NONE, RELAXED, SEPARATION
)
from soliton_encirclement_ros.safety.braking import BrakingPath, sustain_factor
from soliton_encirclement_ros.safety.filter_records import ID, FilterSettings, Rows
from soliton_encirclement_ros.safety.nearest_bodies import (
    VerticalPath, far_bound, is_far, is_layer_apart, is_level, is_vehicle, layer_bounds,
    layer_reach, nearness
)
from velocity_mobility_ros.core.velocity_model import clip, limit_abs


def band_bounds(settings: FilterSettings, own: VerticalPath) -> tuple[float, float]:
    """Return lowest and highest velocity of the vertical stopping point [m/s]."""
    return (
        -settings.gamma * (own.end - settings.lowest),
        settings.gamma * (settings.highest - own.end),
    )


class VerticalCommand(NamedTuple):
    """A vertical velocity [m/s], the reason for it and the id of the body that pushed."""

    value: float
    reason: int
    pusher: int


class _VelocityRange(NamedTuple):
    """Allowed velocities of the vertical stopping point [m/s], and the cause of the bounds."""

    lowest: float
    highest: float
    reason: int
    pusher: int


def vertical_command(
    settings: FilterSettings,
    own: BrakingPath,
    height: VerticalPath,
    wanted: float,
    others: Rows,
    tau: float,
) -> VerticalCommand:
    """Return the vertical command nearest to the wanted one [m/s].

    Args:
        settings: The filter's numbers.
        own: The vehicle in the plane.
        height: The same vertically.
        wanted: The wanted velocity.
        others: The other bodies.
        tau: Horizontal lag [s].
    """
    most, a = settings.limits[1], settings.limits[3]
    aimed = limit_abs(wanted, most)
    allowed = _allowed(settings, own, height, others, tau)
    low, high = _as_command(height, allowed.lowest), _as_command(height, allowed.highest)
    reach = height.tau * a
    now = clip(aimed, height.vz - reach, height.vz + reach)
    if low <= now <= high:
        return VerticalCommand(aimed, NONE if aimed == wanted else LIMITS, NOBODY)
    reason = allowed.reason if low <= high else RELAXED
    best = clip(now, low, high) if low <= high else 0.5 * (low + high)
    reached = limit_abs(clip(best, height.vz - reach, height.vz + reach), most)
    if reached != best:
        reason = RELAXED
    stretch = sustain_factor(settings.period, height.tau, abs(reached - height.vz), a)
    sent = limit_abs(height.vz + stretch * (reached - height.vz), most)
    return VerticalCommand(sent, reason, allowed.pusher)


def _allowed(
    settings: FilterSettings,
    own: BrakingPath,
    height: VerticalPath,
    others: Rows,
    tau: float,
) -> _VelocityRange:
    """Return the interval that height band and layers allow."""
    low, high = band_bounds(settings, height)
    reason, pusher = BAND, NOBODY
    near, a = layer_reach(settings), settings.limits[2]
    bound = far_bound(settings, own, a, tau)
    for i in range(len(others)):
        if is_level(settings, height, others, i) or is_far(bound, near, own, others[i]):
            continue
        if not is_vehicle(others, i) or not is_layer_apart(settings, height, others, i):
            continue
        if nearness(settings, own, others, i, a, tau) > near:
            continue
        lowest, highest = layer_bounds(settings, height, others, i)
        if lowest > low or highest < high:
            low, high = max(low, lowest), min(high, highest)
            reason, pusher = SEPARATION, int(others[i][ID])
    return _VelocityRange(low, high, reason, pusher)


def _as_command(height: VerticalPath, end_rate: float) -> float:
    """Return the command [m/s] at which the stopping point moves at a rate [m/s]."""
    if not math.isfinite(end_rate):
        return end_rate
    return height.vz + height.tau * (end_rate - height.vz) / height.slope
