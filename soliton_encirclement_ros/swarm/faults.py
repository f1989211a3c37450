"""The step of a law or an estimator once more over its records, to say what is wrong with it."""

from collections.abc import Callable
from typing import Any

from soliton_encirclement_ros.core.estimation.estimator import Sight, SightSetup
from soliton_encirclement_ros.core.estimation.estimator_registry import (
    ESTIMATORS,
    checked_estimator,
)
from soliton_encirclement_ros.core.laws.law import Law, Setup
from soliton_encirclement_ros.core.laws.law_fault import checked_law
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.swarm.agent import view_of
from soliton_encirclement_ros.swarm.memory import FlightMemory
from soliton_encirclement_ros.swarm.over_rows import present, received
from soliton_encirclement_ros.swarm.reception import report_age
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.target_report import sight_view

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function whose results are checked, and its arguments."""


def law_call(
    law: Law, setup: Setup, rules: Rules, flight: FlightMemory, i: int, now: float
) -> Call:
    """Return the step of an agent's law at a time [s]; its reset if it is back."""
    memory = packing(law.rest).unpack([float(number) for number in flight.laws[i]])
    checked = checked_law(law)
    if flight.agents[i].was_down:
        return checked.reset, (memory,)
    view = present(view_of(rules, flight, i, now, report_age(flight.reports[i], now)))
    return checked.step, (law.gains(setup), memory, view)


def estimator_call(
    setup: SightSetup, rules: Rules, flight: FlightMemory, i: int, now: float, seen: Sight
) -> Call:
    """Return the step of an agent's estimator at a time [s]."""
    name = setup.sight.estimator
    estimator = ESTIMATORS.load(name)
    memory = packing(estimator.rest).unpack([float(n) for n in flight.sight.memories[i]])
    view = received(sight_view(rules, flight, i, now, seen))
    return checked_estimator(name).step, (estimator.gains(setup), memory, view)
