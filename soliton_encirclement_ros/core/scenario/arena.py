"""Upper bound on the distance between members of a scenario."""

import math

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import TARGET

RADIUS_MARGIN = 2.0
"""Agents are assumed to stay within this many ring radii of the target."""


def largest_distance(scenario: Scenario) -> float:
    """Return an upper bound on the distance between two members [m], infinite if there is none.

    The target may leave its box by one motion period; a constant motion has no box.
    """
    adversary, paths = scenario.adversary, scenario.planned_paths
    reach = _target_reach(scenario) + RADIUS_MARGIN * scenario.swarm.encirclement_radius
    if adversary.adversary_enable:
        reach = max(reach, math.sqrt(2.0) * adversary.adversary_roam_bound_xy)
    return 2.0 * max([reach, *(path.reach + path.guidance.leash for path in paths.values())])


def _target_reach(scenario: Scenario) -> float:
    """Return an upper bound on the target's distance from the origin [m]."""
    path, target = scenario.planned_paths.get(TARGET), scenario.target
    if path is not None:
        return path.reach + path.guidance.leash
    if target.target_motion != 'random':
        return math.inf
    overshoot = target.target_motion_speed_xy * target.target_motion_period
    return math.sqrt(2.0) * (target.target_motion_boundary_xy + overshoot)
