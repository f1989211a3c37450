"""Error text of a failed law or estimator: the step is repeated once, interpreted."""

import copy

from velocity_mobility_ros.core.plugins import short_name

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.estimation.estimator import SightSetup
from soliton_encirclement_ros.core.laws.law_fault import endless, fault_line, fault_of
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.flight_constants import setup_of
from soliton_encirclement_ros.sim.kernel.motion import sight_at
from soliton_encirclement_ros.swarm.memory import FlightMemory
from soliton_encirclement_ros.swarm.over_rows import Call, estimator_call, law_call
from soliton_encirclement_ros.swarm.rules import Rules, time_at


def law_error(scenario: Scenario, rules: Rules, flight: FlightMemory) -> str:
    """Return the error in the step of the agent at which the flight stopped."""
    number = int(flight.status.faulty)
    name, call = (scenario.control.controller, of_law) if number > 0 else (
        scenario.sight.estimator, of_estimator
    )  # fmt: skip
    i, now = abs(number) - 1, time_at(rules, int(flight.status.tick))
    function, arguments = call(scenario, rules, flight, i, now)
    return fault_line(short_name(name), i + 1, now, fault_of(function, *arguments))


def endless_step(scenario: Scenario, rules: Rules, flight: FlightMemory) -> str:
    """Return the error of the first agent whose step does not return, empty if all do."""
    flight = copy.deepcopy(flight)  # the flight is still in that step
    now = time_at(rules, int(flight.status.tick))
    for i in range(scenario.run.num_agents):
        calls = [(scenario.control.controller, of_law)]
        if scenario.is_estimated:
            calls.insert(0, (scenario.sight.estimator, of_estimator))
        for name, call in calls:
            function, arguments = call(scenario, rules, flight, i, now)
            if what := endless(function, *arguments):
                return fault_line(short_name(name), i + 1, now, what)
    return ''


def of_law(scenario: Scenario, rules: Rules, flight: FlightMemory, i: int, now: float) -> Call:
    """Return the step of an agent's law at a time [s]."""
    setup = setup_of(scenario, uav(i + 1))
    law = kind_of(scenario.control.controller).law(setup)
    return law_call(law, setup, rules, flight, i, now)


def of_estimator(
    scenario: Scenario, rules: Rules, flight: FlightMemory, i: int, now: float
) -> Call:
    """Return the step of an agent's estimator at a time [s]."""
    setup = SightSetup(scenario.sight, scenario.swarm)
    return estimator_call(setup, rules, flight, i, now, sight_at(rules, flight, i))
