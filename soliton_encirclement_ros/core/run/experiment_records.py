"""Records of experiments that their simulation and their analysis share: sweeps, studies of laws.

A sweep has points of a design, each flown with some seeds. A study has laws, conditions, flights
and metrics: figures of a summary, by the names of their columns.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.summary import FIGURES, Figure, Summary

CONTROLLER = 'control.controller'
SEED = 'run.seed'


class Point(NamedTuple):
    """One point of a design.

    Attributes:
        number: Its number in the design, from 1.
        values: The value of every parameter that the design varies, by ``section.key``.
        controller: The law that flies, varied or not.
    """

    number: int
    values: Mapping[str, Any]
    controller: str

    @property
    def label(self) -> str:
        """The values as short text, without those that its law does not have."""
        parts = [
            f'{key.partition(".")[2]} {as_text(value)}'
            for key, value in self.values.items() if value is not None
        ]  # fmt: skip
        return ', '.join(parts) or self.controller


class SweptRun(NamedTuple):
    """A finished run of a sweep; ``study`` holds the original's scalar metrics by name."""

    point: Point
    seed: int
    summary: Mapping[str, Any]
    study: Mapping[str, float]


Curves = Mapping[str, Sequence[float]]
"""The metrics of a run about once a second, by name, with their ``time`` [s]."""


def as_text(value: Any) -> str:
    """Return a value of a parameter as text."""
    return format(value, '.4g') if isinstance(value, float) else str(value)


Gains = Mapping[str, Any]
"""Values of parameters by ``section.key``."""


class Condition(NamedTuple):
    """A condition under which all laws fly: a case, and the setting that it is flown in.

    ``setting`` is empty where cases have none.
    """

    case: str
    setting: str = ''

    @property
    def label(self) -> str:
        """Case and setting as text."""
        return f'{self.case}, {self.setting}' if self.setting else self.case


class StudyOutline(NamedTuple):
    """What a study compares.

    Attributes:
        name: Its name.
        chosen: The law that is compared with every other.
        laws: Names of all laws, the chosen one among them.
        ablations: Names of the chosen law with a part switched off.
        conditions: All conditions, in order.
        metrics: Names of the metrics, the most important ones first.
        seeds: Number of seeds of every condition.
        controllers: What flies, by name of the law: a law may take part tuned and as shipped.
    """

    name: str
    chosen: str
    laws: tuple[str, ...]
    ablations: tuple[str, ...]
    conditions: tuple[Condition, ...]
    metrics: tuple[str, ...]
    seeds: int
    controllers: Mapping[str, str]

    @property
    def others(self) -> list[str]:
        """The laws that the chosen one is compared with."""
        return [name for name in self.laws if name != self.chosen]

    def rivals(self, law: str) -> list[str]:
        """Return the laws that are not the same one with other gains."""
        own = self.controllers[law]
        return [name for name in self.laws if self.controllers[name] != own]


class StudyFlight(NamedTuple):
    """A finished flight of a study; a value is infinite for never, None if missing."""

    law: str
    condition: Condition
    seed: int
    values: Mapping[str, float | None]


class Candidate(NamedTuple):
    """A set of gains that was tried.

    Attributes:
        law: Name of the law.
        gains: Its gains; empty: as shipped.
        flights: On how many flights it was judged.
        cost: Mean of the objective over them.
    """

    law: str
    gains: Gains
    flights: int
    cost: float


class TunedLaw(NamedTuple):
    """The result of tuning a law.

    Attributes:
        best: The gains with the smallest cost.
        shipped: The gains as shipped, judged on the same flights.
        candidates: Everything that was tried, in order.
        flights: Number of flights spent.
    """

    best: Candidate
    shipped: Candidate
    candidates: Sequence[Candidate]
    flights: int


METRICS = {figure.name.replace(' ', '_'): figure for figure in FIGURES}
"""As the columns of a sweep's table."""


def metric_named(name: Any, source: str) -> Figure:
    """Return a metric.

    Raises:
        ScenarioError: There is none of this name; the message begins with ``source``.
    """
    if not isinstance(name, str) or name not in METRICS:
        raise ScenarioError(
            f'{source}: unknown metric {shown(name)}; there are {", ".join(METRICS)}'
        )
    return METRICS[name]


def metric_values(
    summary: Summary, names: Sequence[str], resolution: Mapping[str, float]
) -> dict[str, float | None]:
    """Return the values of some metrics: infinite for never, None for missing.

    Args:
        summary: Summary of a flight.
        names: Names of the metrics.
        resolution: Values of a metric below count as this one.
    """
    return {
        name: _at_least(METRICS[name].value(summary), resolution.get(name, -math.inf))
        for name in names
    }


def _at_least(value: float | None, least: float) -> float | None:
    return None if value is None or math.isnan(value) else max(value, least)
