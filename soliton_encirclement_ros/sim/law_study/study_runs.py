"""The runs of a study: a law under a condition with a seed."""

from collections.abc import Mapping
from typing import NamedTuple

from velocity_mobility_ros.core.user_errors import MobilityError

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import (
    CONTROLLER,
    Condition,
    Gains,
    Point,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.law_study.file_checks import merged
from soliton_encirclement_ros.sim.law_study.study import Study
from soliton_encirclement_ros.sim.law_study.study_laws import StudyLaw
from soliton_encirclement_ros.sim.sweeps.design import nested
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun, runs_of

AS_IT_IS: Gains = {}


class StudyRun(NamedTuple):
    """A run of the test: which law, under which condition."""

    law: str
    condition: Condition
    run: PlannedRun


def runs_of_test(
    study: Study, tuned: Mapping[str, Gains], seeds: list[int] | None = None
) -> list[StudyRun]:
    """Return the runs of the test: every law under every condition with every seed.

    Args:
        study: The study.
        tuned: The gains of the laws that have been tuned.
        seeds: Some of the seeds; None: all.

    Raises:
        ScenarioError: A law and a condition do not fit together.
    """
    seeds = study.seeds if seeds is None else seeds
    return [
        StudyRun(law.name, condition, run)
        for condition in study.conditions
        for law in (*study.laws, *study.ablations)
        for run in planned(study, law, condition, tuned.get(law.name, AS_IT_IS), seeds)
    ]


def planned(
    study: Study, law: StudyLaw, condition: Condition, gains: Gains, seeds: list[int]
) -> list[PlannedRun]:
    """Return the runs of a law under a condition, one per seed.

    Args:
        study: The study.
        law: The law.
        condition: One of the study's conditions.
        gains: Its tuned gains; empty: as it is.
        seeds: The seeds.

    Raises:
        ScenarioError: They do not fit together.
    """
    scenario = scenario_of(study, law, condition, gains)
    values = {'study.law': law.name, 'study.condition': condition.label, **gains}
    point = Point(0, values, law.settings[CONTROLLER])
    return list(runs_of(point, scenario, seeds, study.code))


def scenario_of(study: Study, law: StudyLaw, condition: Condition, gains: Gains) -> Scenario:
    """Return the scenario of a law under a condition.

    Raises:
        ScenarioError: They do not fit together.
    """
    source = f'{study.source}: {law.name}: {condition.label}'
    parts = {
        f'law {law.name}': law.settings,
        'its search': dict(gains),
        f'condition {condition.label}': study.conditions[condition],
    }
    try:
        return study.base.with_changes(nested(merged(parts, source)), source)
    except MobilityError as error:
        raise ScenarioError(str(error)) from None
