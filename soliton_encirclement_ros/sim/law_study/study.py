"""A checked study."""

from collections.abc import Mapping
from typing import NamedTuple

from velocity_mobility_ros.core.plugins import short_name

from soliton_encirclement_ros.core.run.experiment_records import (
    CONTROLLER,
    Condition,
    StudyOutline,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.law_study.objective import PerMetric
from soliton_encirclement_ros.sim.law_study.study_laws import StudyLaw
from soliton_encirclement_ros.sim.law_study.tuning_plan import Round, cost_of
from soliton_encirclement_ros.sim.sweeps.design import Values


class Tuning(NamedTuple):
    """How laws are tuned, all alike.

    Attributes:
        conditions: The mix of conditions.
        seeds: Seeds, of which none is flown in the test.
        seed: Seed of the random gains.
        rounds: Rounds of the search.
        objective: What is made small.
    """

    conditions: tuple[Condition, ...]
    seeds: list[int]
    seed: int
    rounds: list[Round]
    objective: PerMetric


class Study(NamedTuple):
    """A checked study.

    Attributes:
        name: Its name.
        source: Its file, named in errors.
        text: Content of the file.
        code: Version of the code and of the laws' own files.
        base: The scenario that laws and conditions change.
        laws: All laws.
        ablations: The chosen law with a part switched off.
        chosen: Name of the law that is compared with all others.
        conditions: The changes of the scenario by condition.
        tuning: How laws are tuned; None: none is.
        seeds: Seeds of the test.
        metrics: Names of the metrics.
        resolution: Values of a metric below count as this one: it is too small to matter.
    """

    name: str
    source: str
    text: str
    code: str
    base: Scenario
    laws: tuple[StudyLaw, ...]
    ablations: tuple[StudyLaw, ...]
    chosen: str
    conditions: Mapping[Condition, Values]
    tuning: Tuning | None
    seeds: list[int]
    metrics: tuple[str, ...]
    resolution: PerMetric

    @property
    def searched(self) -> list[StudyLaw]:
        """The laws that are tuned."""
        return [law for law in self.laws if law.search]

    @property
    def budget(self) -> int:
        """Flights that tuning spends on each of them."""
        return cost_of(self.tuning.rounds) if self.tuning else 0

    @property
    def outline(self) -> StudyOutline:
        """What is compared."""
        names, ablations = ([law.name for law in laws] for laws in (self.laws, self.ablations))
        return StudyOutline(
            self.name, self.chosen, tuple(names), tuple(ablations), tuple(self.conditions),
            self.metrics, len(self.seeds),
            {law.name: short_name(law.settings[CONTROLLER]) for law in self.laws},
        )  # fmt: skip
