"""A study file: laws, conditions, seeds and budget; all is checked before anything flies."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from velocity_mobility_ros.core.environment.parameter_files import STUDY
from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import Condition, metric_named
from soliton_encirclement_ros.core.scenario.user_files import content_of, find_file, read_text
from soliton_encirclement_ros.sim.law_study.file_checks import mapping
from soliton_encirclement_ros.sim.law_study.objective import PerMetric, read_per_metric
from soliton_encirclement_ros.sim.law_study.study import Study, Tuning
from soliton_encirclement_ros.sim.law_study.study_conditions import read_conditions
from soliton_encirclement_ros.sim.law_study.study_laws import StudyLaw, law_files, read_laws
from soliton_encirclement_ros.sim.law_study.study_runs import AS_IT_IS, scenario_of
from soliton_encirclement_ros.sim.law_study.tuning_plan import rounds_of
from soliton_encirclement_ros.sim.sweeps.random_design import LARGEST, ends, whole
from soliton_encirclement_ros.sim.sweeps.seeds import read_seeds
from soliton_encirclement_ros.sim.sweeps.sweep_file import base_scenario

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
