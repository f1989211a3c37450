"""Error text of a failed law or estimator: the step is repeated once, interpreted."""

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.estimation.estimator import SightSetup
from soliton_encirclement_ros.core.estimation.estimator_source import (
    checked_estimator,
    load_estimator,
)
from soliton_encirclement_ros.core.laws.law_fault import checked_law, fault_line, fault_of
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.core.laws.user_code import short_name
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.flight_constants import setup_of
from soliton_encirclement_ros.sim.kernel import columns as at
from soliton_encirclement_ros.sim.kernel.ages import time_at
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.estimation.target_estimate import sight_view
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.reception import target_age
from soliton_encirclement_ros.sim.kernel.views import view_of


def law_error(scenario: Scenario, rules: Rules, flight: FlightMemory) -> str:
    """Return the error in the step of the agent at which the flight stopped."""
    number, now = int(flight.counters[at.FAULTY]), time_at(rules, int(flight.counters[at.TICK]))
    if number < 0:
        return estimator_error(scenario, rules, flight, -number - 1, now)
    i = number - 1
    view = view_of(rules, flight, i, now, target_age(flight, i, now))
    setup = setup_of(scenario, uav(i + 1))
    law = kind_of(scenario.control.controller).law(setup)
    memory = packing(law.rest).unpack(flight.laws[i].tolist())
    what = fault_of(checked_law(law).step, law.gains(setup), memory, view)
    return fault_line(short_name(scenario.control.controller), i + 1, now, what)


def estimator_error(
    scenario: Scenario, rules: Rules, flight: FlightMemory, i: int, now: float
) -> str:
    """Return the error in the step of an agent's estimator at a time [s]."""
    name = scenario.sight.estimator
    estimator = load_estimator(name)
    gains = estimator.gains(SightSetup(scenario.sight, scenario.swarm))
    memory = packing(estimator.rest).unpack(flight.sight.memories[i].tolist())
    view = sight_view(rules, flight, i, now)
    what = fault_of(checked_estimator(estimator).step, gains, memory, view)
    return fault_line(short_name(name), i + 1, now, what)
