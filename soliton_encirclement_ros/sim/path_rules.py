"""The leaders of members on paths, as the kernel needs them."""

import numpy as np

from soliton_encirclement_ros.actors.path_flight import leader_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.compilation.compiled_leader import fly_compiled
from soliton_encirclement_ros.swarm.rules import PathRules

AHEAD = 3
"""Rows that the last tick needs besides its own."""


def path_rules(scenario: Scenario) -> PathRules:
    """Return the leaders of a scenario, computed to the end of the run.

    Raises:
        PolylineError: A path cannot be followed.
    """
    members, plans = scenario.members, scenario.planned_paths
    tables = [np.empty((0, 6))] * len(members)
    ended = np.zeros(len(members), dtype=bool)
    guidance, limits = np.zeros((len(members), 5)), np.zeros((len(members), 2))
    for i, name in enumerate(members):
        if name not in plans:
            continue
        plan = plans[name]
        track = leader_of(plan, fly_compiled)
        track.reach(scenario.ticks + AHEAD)
        tables[i], ended[i] = track.rows, track.ended
        guidance[i] = plan.guidance
        limits[i] = plan.limits.max_speed_xy, plan.limits.max_speed_z
    first = np.cumsum([0, *map(len, tables)])
    return PathRules(np.concatenate(tables), first, ended, guidance, limits)
