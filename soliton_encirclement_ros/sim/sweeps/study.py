"""Studies: laws tuned by equal budgets, then flown under equal conditions on other seeds.

A study file has laws, conditions, seeds and budget; all is checked before anything flies. A run is
a law under a condition with a seed. Tuning goes round by round: what to fly next, and what came of
it.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from velocity_mobility_ros.core.environment.parameter_files import STUDY
from velocity_mobility_ros.core.plugins import short_name
from velocity_mobility_ros.core.user_errors import MobilityError, shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import (
    CONTROLLER,
    Candidate,
    Condition,
    Gains,
    Point,
    StudyOutline,
    TunedLaw,
    metric_named,
)
from soliton_encirclement_ros.core.run.summary import Summary
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.user_files import content_of, find_file, read_text
from soliton_encirclement_ros.sim.sweeps.design import (
    LARGEST,
    Values,
    ends,
    nested,
    read_seeds,
    whole,
)
from soliton_encirclement_ros.sim.sweeps.study_settings import (
    PerMetric,
    Round,
    StudyLaw,
    candidates,
    cost,
    cost_of,
    law_files,
    mapping,
    merged,
    read_conditions,
    read_laws,
    read_per_metric,
    rounds_of,
)
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun, base_scenario, runs_of


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


KEYS = (
    'name', 'scenario', 'changes', 'laws', 'chosen', 'ablations', 'conditions', 'tuning', 'seeds',
    'metrics', 'resolution',
)  # fmt: skip
TUNING_KEYS = ('conditions', 'seeds', 'seed', 'flights', 'objective')
MAX_BUDGET = 1_000_000


def find_study(name: str) -> Path:
    """Return the file of a study given by path, or by name if it is an installed one.

    Raises:
        ScenarioError: The file does not exist.
    """
    return find_file('study', name)


def load_study(path: Path, code: str) -> Study:
    """Read a study file and check every scenario of it.

    Args:
        path: The file.
        code: ``code_version`` that will simulate the flights.

    Raises:
        ScenarioError: The file is invalid; the message is one line.
    """
    text = read_text(path, 'study')
    source = str(path)
    content = mapping(content_of(text, path), source, KEYS, STUDY)
    base = base_scenario(content, path)
    laws = read_laws(content.get('laws'), f'{source}: laws', path.parent)
    ablations: tuple[StudyLaw, ...] = ()
    if 'ablations' in content:
        ablations = read_laws(content['ablations'], f'{source}: ablations', path.parent)
    conditions = read_conditions(content.get('conditions'), f'{source}: conditions', path.parent)
    seeds = read_seeds(content.get('seeds'), base.run.seed, source)
    study = Study(
        base.name, source, text, code, base, laws, ablations,
        _chosen(content, laws, source), conditions, None, seeds, _metrics(content, source),
        _resolution(content, source),
    )  # fmt: skip
    _check_names(study)
    tuning = _tuning(content, study)
    _check_scenarios(study)
    return study._replace(tuning=tuning, code=_version(code, (*laws, *ablations)))


def _version(code: str, laws: Sequence[StudyLaw]) -> str:
    """Return the version of the code, with that of the laws that do not come along."""
    try:
        own = [hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in law_files(laws)]
    except OSError as error:
        raise ScenarioError(f'{error.filename}: cannot read: {error.strerror}') from None
    return ' '.join([code, *own])


def _chosen(content: Mapping[str, Any], laws: Sequence[StudyLaw], source: str) -> str:
    names = [law.name for law in laws]
    chosen = content.get('chosen', names[0])
    if chosen not in names:
        raise ScenarioError(
            f'{source}: chosen = {shown(chosen)} must be one of the laws {", ".join(names)}'
        )
    if len(names) < 2:
        raise ScenarioError(f'{source}: laws: {chosen} is alone: give another one to compare with')
    return str(chosen)


def _metrics(content: Mapping[str, Any], source: str) -> tuple[str, ...]:
    names = content.get('metrics')
    if not isinstance(names, list) or not names:
        raise ScenarioError(f'{source}: metrics = {shown(names)} must be a list of names')
    for name in names:
        metric_named(name, f'{source}: metrics')
    return tuple(dict.fromkeys(names))


def _resolution(content: Mapping[str, Any], source: str) -> PerMetric:
    found = content.get('resolution')
    return {} if found is None else read_per_metric(found, f'{source}: resolution')


def _check_names(study: Study) -> None:
    names = {law.name for law in study.laws}
    for law in study.ablations:
        if law.name in names:
            raise ScenarioError(f'{study.source}: ablations: {law.name} is also among the laws')
        if law.search:
            raise ScenarioError(
                f'{study.source}: ablations: {law.name}: search: an ablation is not tuned: '
                'remove it, or list it among the laws'
            )


def _tuning(content: Mapping[str, Any], study: Study) -> Tuning | None:
    source = f'{study.source}: tuning'
    if content.get('tuning') is None:
        if study.searched:
            raise ScenarioError(
                f'{source} is missing: {study.searched[0].name} has a search space'
            )
        return None
    told = mapping(content['tuning'], source, TUNING_KEYS)
    conditions = _mix(told.get('conditions'), study.conditions, f'{source}: conditions')
    if told.get('seeds') is None:
        raise ScenarioError(f'{source}: seeds is missing: give seeds that the test does not fly')
    seeds = read_seeds(told['seeds'], 0, source)
    for seed in seeds:
        if seed in study.seeds:
            raise ScenarioError(
                f'{source}: seeds: {seed} is also a seed of the test: laws are tuned on others'
            )
    budget = whole(told.get('flights'), f'{source}: flights', 1, MAX_BUDGET)
    flights = len(conditions) * len(seeds)
    return Tuning(
        conditions,
        seeds,
        whole(told.get('seed', 0), f'{source}: seed', 0, LARGEST),
        rounds_of(budget, flights, len(conditions), f'{source}: flights'),
        read_per_metric(told.get('objective'), f'{source}: objective'),
    )


def _mix(content: Any, known: Collection[Condition], source: str) -> tuple[Condition, ...]:
    """Return the conditions that a list of labels names."""
    if not isinstance(content, list) or not content:
        raise ScenarioError(f'{source} = {shown(content)} must be a list of conditions')
    labels = {condition.label: condition for condition in known}
    for label in content:
        if not isinstance(label, str) or label not in labels:
            raise ScenarioError(
                f'{source}: unknown condition {shown(label)}; there are {"; ".join(labels)}'
            )
    return tuple(labels[label] for label in dict.fromkeys(content))


def _check_scenarios(study: Study) -> None:
    """Refuse laws, conditions and gains that do not make a scenario."""
    first = next(iter(study.conditions))
    for law in study.searched:
        for gains in ends({'parameters': law.search}):
            scenario_of(study, law, first, gains)
    for law in (*study.laws, *study.ablations):
        for condition in study.conditions:
            scenario_of(study, law, condition, AS_IT_IS)


Read = Callable[[PlannedRun], Summary | None]
"""Returns the summary of a run, None if it failed."""


class TuningRace:
    """The search for the gains of every law; the shipped gains stay in it to the end."""

    def __init__(self, study: Study) -> None:
        """Draw the candidates."""
        self.round = 0
        self.rounds = len(study.tuning.rounds) if study.tuning and study.searched else 0
        self._laws = [
            LawSearch(study, law, study.tuning) for law in study.searched if study.tuning
        ]

    def runs(self) -> list[PlannedRun]:
        """Return the runs of the present round; none after the last one."""
        if self.round >= self.rounds:
            return []
        return [run for search in self._laws for run in search.runs(self.round)]

    def advance(self, read: Read) -> None:
        """Judge the present round, and go on to the next.

        Args:
            read: Returns the summaries of its runs.
        """
        for search in self._laws:
            search.judge(self.round, read)
        self.round += 1

    def results(self) -> dict[str, TunedLaw]:
        """Return the result of every law, after the last round."""
        return {search.law.name: search.result() for search in self._laws}


class LawSearch:
    """The candidates of one law; the first one are the gains as shipped."""

    def __init__(self, study: Study, law: StudyLaw, tuning: Tuning) -> None:
        """Draw the candidates of the first round."""
        self.law = law
        self._study = study
        self._tuning = tuning
        count = tuning.rounds[0].candidates - 1
        source = f'{study.source}: laws: {law.name}: search'
        drawn = candidates(law.search, count, tuning.seed, source)
        self._gains: list[Gains] = [AS_IT_IS, *drawn]
        self._costs: list[list[float]] = [[] for _ in self._gains]
        self._left = list(range(len(self._gains)))
        self._runs: list[list[PlannedRun]] = []

    def runs(self, number: int) -> list[PlannedRun]:
        """Return the runs of a round: those left, on the flights that are new in it."""
        self._runs = [self._new_runs(number, self._gains[i]) for i in self._left]
        return [run for runs in self._runs for run in runs]

    def judge(self, number: int, read: Read) -> None:
        """Take the costs of a round, and leave the best for the next one."""
        for i, runs in zip(self._left, self._runs, strict=True):
            self._costs[i] += [self._cost(read(run)) for run in runs]
        if number + 1 < len(self._tuning.rounds):
            most = self._tuning.rounds[number + 1].candidates
            self._left = [0, *(i for i in self._ranked() if i)][:most]

    def result(self) -> TunedLaw:
        """Return the best of those that were judged on all flights."""
        tried = [Candidate(self.law.name, gains, len(costs), _mean(costs))
                 for gains, costs in zip(self._gains, self._costs, strict=True)]  # fmt: skip
        flights = sum(one.flights for one in tried)
        return TunedLaw(tried[self._ranked()[0]], tried[0], tried, flights)

    def _cost(self, summary: Summary | None) -> float:
        return cost(summary, self._tuning.objective, self._study.resolution)

    def _ranked(self) -> list[int]:
        """Return those left, the best first; of equals the one drawn first."""
        return sorted(self._left, key=lambda i: (_mean(self._costs[i]), i))

    def _new_runs(self, number: int, gains: Gains) -> list[PlannedRun]:
        """Return the runs of a candidate that a round adds; every condition before a new seed."""
        tuning = self._tuning
        before = tuning.rounds[number - 1].flights if number else 0
        flights = [(seed, condition) for seed in tuning.seeds for condition in tuning.conditions]
        return [
            run
            for seed, condition in flights[before : tuning.rounds[number].flights]
            for run in planned(self._study, self.law, condition, gains, [seed])
        ]


def _mean(costs: Sequence[float]) -> float:
    return sum(costs) / len(costs)


def gains_of(results: Mapping[str, TunedLaw]) -> dict[str, Gains]:
    """Return the best gains of every law."""
    return {name: one.best.gains for name, one in results.items()}
