"""One scenario flown in memory: only its summary, its study and its curves."""

from typing import Any, NamedTuple

from soliton_encirclement_ros.core.figures.original_study import study
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.engine import Engine

CURVE_PERIOD = 1.0
"""Time [s] between two samples of a curve, approximately."""


class FlightResult(NamedTuple):
    """Result of a flight; the same to the last bit on every machine and at any time.

    Attributes:
        summary: As ``core.run.summary.summarise`` returns it, without facts of the wall clock.
        study: The scalar metrics of the original's study by name; empty without a study.
        curves: ``time`` [s], the metrics and ``alive``, about once a second.
    """

    summary: dict[str, Any]
    study: dict[str, float]
    curves: dict[str, list[float]]


def fly(scenario: Scenario) -> FlightResult:
    """Fly a scenario to its end with the compiled laws."""
    engine = Engine(scenario, telemetry=False, study=True)
    engine.fly()
    series = engine.seen.series
    step = max(1, round(CURVE_PERIOD / scenario.swarm.control_period))
    names = ('time', *METRIC_NAMES, 'alive')
    curves = {name: series[name][step - 1 :: step].tolist() for name in names}
    return FlightResult(
        summarise(scenario, engine.seen, engine.seen.commands.facts), study(engine.study), curves
    )
