"""The numbers of the filter, from the parameters of an agent."""

import math

from soliton_encirclement_ros.core.fences.fence_text import fence_rings
from soliton_encirclement_ros.core.fences.polygon import ring_edges
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.safety.records import FilterSettings, Rows

NEVER_CLIMBS = 1.0
"""Replaces the vertical acceleration [m/s^2] of a vehicle that has none: it brakes nowhere."""


def filter_settings(
    safety: SafetyParameters, limits: CommandLimits, swarm: SwarmParameters
) -> FilterSettings:
    """Return the numbers of the filter of an agent; others are assumed to have its limits.

    A vehicle that answers late flies on for that time after its failure. It does so because it
    has to tilt, and while it tilts it loses height: heights do not keep such vehicles apart.
    """
    run_on = swarm.control_period if safety.silent_run_on is None else safety.silent_run_on
    return FilterSettings(
        (
            limits.max_speed_xy,
            limits.max_speed_z,
            limits.max_acc_xy,
            limits.max_acc_z or NEVER_CLIMBS,
            math.nan if limits.tau_xy is None else limits.tau_xy,
            math.nan if limits.tau_z is None else limits.tau_z,
        ),
        period=swarm.control_period,
        delay=limits.response_delay,
        distance=safety.separation_distance,
        gamma=min(safety.separation_rate, 1.0 / swarm.control_period),
        clock_error=safety.clock_error,
        noise=safety.position_noise,
        run_on=run_on + limits.response_delay,
        target_radius=safety.target_distance,
        adversary_radius=safety.adversary_distance,
        fence_margin=safety.fence_margin,
        lowest=-math.inf if safety.lowest_height is None else safety.lowest_height,
        highest=math.inf if safety.highest_height is None else safety.highest_height,
        layer=safety.separation_distance if limits.response_delay == 0.0 else math.inf,
    )


def fence_of(safety: SafetyParameters) -> Rows:
    """Return the edges of the fence, (x0, y0, x1, y1) [m, map]; none without a fence."""
    return ring_edges(*fence_rings(safety.fence))
