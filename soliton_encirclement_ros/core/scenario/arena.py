"""Upper bound on the distance between members of a scenario."""

import math

from soliton_encirclement_ros.core.scenario.scenario import Scenario

RADIUS_MARGIN = 2.0
"""Agents are assumed to stay within this many ring radii of the target."""


def largest_distance(scenario: Scenario) -> float:
    """Return an upper bound on the distance between two members [m], infinite if there is none.

    The target may leave its box by one motion period; a constant motion has no box.
    """
    target, adversary = scenario.target, scenario.adversary
    if target.target_motion != 'random':
        return math.inf
    overshoot = target.target_motion_speed_xy * target.target_motion_period
    box = target.target_motion_boundary_xy + overshoot
    reach = math.sqrt(2.0) * box + RADIUS_MARGIN * scenario.swarm.encirclement_radius
    if adversary.adversary_enable:
        reach = max(reach, math.sqrt(2.0) * adversary.adversary_roam_bound_xy)
    return 2.0 * reach
