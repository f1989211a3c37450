"""How far the members of a scenario may come apart."""

import math

from soliton_encirclement_ros.core.scenario.scenario import Scenario

RINGS = 2.0
"""Agents that lag or start scattered stay within so many ring radii of the target."""


def largest_distance(scenario: Scenario) -> float:
    """Return a generous bound on the distance between two members [m], infinite without any.

    The target may leave its box by one motion period; a constant motion has no box.
    """
    target, adversary = scenario.target, scenario.adversary
    if target.target_motion != 'random':
        return math.inf
    overshoot = target.target_motion_speed_xy * target.target_motion_period
    box = target.target_motion_boundary_xy + overshoot
    reach = math.sqrt(2.0) * box + RINGS * scenario.swarm.encirclement_radius
    if adversary.adversary_enable:
        reach = max(reach, math.sqrt(2.0) * adversary.adversary_roam_bound_xy)
    return 2.0 * reach
