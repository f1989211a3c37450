"""Records of a study that its simulation and its analysis share."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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
