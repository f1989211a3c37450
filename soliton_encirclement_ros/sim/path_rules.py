"""The leaders of members on paths, as the kernel needs them."""

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.compilation.compiled_leader import fly_compiled
from soliton_encirclement_ros.swarm.path_flight import PathFlight, path_rules_of
from soliton_encirclement_ros.swarm.rules import PathRules


def path_rules(scenario: Scenario) -> PathRules:
    """Return the leaders of a scenario, computed to the end of the run.

    Raises:
        PolylineError: A path cannot be followed.
    """
    flights = {}
    for i, name in enumerate(scenario.members):
        if name in scenario.planned_paths:
            flights[i] = PathFlight(scenario.planned_paths[name], fly_compiled)
            flights[i].reach(scenario.ticks)
    return path_rules_of(flights, len(scenario.members))
