"""Error text of a failed law or estimator: the step is repeated once, interpreted."""

import copy
from typing import Any

from velocity_mobility_ros.core.plugins import short_name

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.core.estimation.estimator import SightSetup
from soliton_encirclement_ros.core.estimation.estimator_registry import (
    ESTIMATORS,
    checked_estimator,
)
from soliton_encirclement_ros.core.laws.law_fault import (
    checked_law,
    endless,
    fault_line,
    fault_of,
)
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.compilation.law_unit import present, received
from soliton_encirclement_ros.sim.flight_constants import setup_of
from soliton_encirclement_ros.sim.kernel.motion import sight_at
from soliton_encirclement_ros.swarm.agent import view_of
from soliton_encirclement_ros.swarm.memory import FlightMemory
from soliton_encirclement_ros.swarm.reception import report_age
from soliton_encirclement_ros.swarm.rules import Rules, time_at
from soliton_encirclement_ros.swarm.target_report import sight_view


def law_error(scenario: Scenario, rules: Rules, flight: FlightMemory) -> str:
    """Return the error in the step of the agent at which the flight stopped."""
    number, now = int(flight.status.faulty), _now(rules, flight)
    if number < 0:
        what = fault_of(*estimator_step(scenario, rules, flight, -number - 1, now))
        return fault_line(short_name(scenario.sight.estimator), -number, now, what)
    i = number - 1
    what = fault_of(*law_step(scenario, rules, flight, i, now))
    return fault_line(short_name(scenario.control.controller), number, now, what)


def endless_step(scenario: Scenario, rules: Rules, flight: FlightMemory) -> str:
    """Return the error of the first agent whose step does not return, empty if all do."""
    now, flight = _now(rules, flight), copy.deepcopy(flight)  # the flight is still in that step
    for i in range(scenario.run.num_agents):
        steps = [(scenario.control.controller, law_step)]
        if scenario.is_estimated:
            steps.insert(0, (scenario.sight.estimator, estimator_step))
        for name, step_of in steps:
            if what := endless(*step_of(scenario, rules, flight, i, now)):
                return fault_line(short_name(name), i + 1, now, what)
    return ''


def _now(rules: Rules, flight: FlightMemory) -> float:
    return time_at(rules, int(flight.status.tick))


def law_step(
    scenario: Scenario, rules: Rules, flight: FlightMemory, i: int, now: float
) -> tuple[Any, ...]:
    """Return the step of an agent at a time [s] and its arguments; its reset if it is back."""
    setup = setup_of(scenario, uav(i + 1))
    law = kind_of(scenario.control.controller).law(setup)
    memory = packing(law.rest).unpack(flight.laws[i].tolist())
    checked = checked_law(law)
    if flight.agents[i].was_down:
        return checked.reset, memory
    view = present(view_of(rules, flight, i, now, report_age(flight.reports[i], now)))
    return checked.step, law.gains(setup), memory, view


def estimator_step(
    scenario: Scenario, rules: Rules, flight: FlightMemory, i: int, now: float
) -> tuple[Any, ...]:
    """Return the step of an agent's estimator at a time [s], and its arguments."""
    estimator = ESTIMATORS.load(scenario.sight.estimator)
    gains = estimator.gains(SightSetup(scenario.sight, scenario.swarm))
    memory = packing(estimator.rest).unpack(flight.sight.memories[i].tolist())
    view = received(sight_view(rules, flight, i, now, sight_at(rules, flight, i)))
    return checked_estimator(scenario.sight.estimator).step, gains, memory, view
