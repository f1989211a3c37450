"""What a study of laws is set by: laws, search spaces, conditions, objective, budget of tuning.

Every refusal is one line. A law has its settings and, if it is to be tuned, its search space.
Conditions are cases, flown in every setting of their block. What tuning makes small is the
weighted mean of the logarithms of some metrics.

    cost = mean over flights of  sum over metrics of  w ln(max(value, resolution)) / sum of w

It is the logarithm of a weighted geometric mean: a condition counts as much as any other, however
large its errors are, and a metric's unit does not matter.

A budget of flights is spent on tuning by successive halving over random candidates.

All candidates fly a few flights; the better third goes on to three times as many, and so on. The
last ones are judged on all flights. Every law has the same plan, whatever the number of its gains.

Source: K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and hyperparameter
optimization", AISTATS 2016, arXiv:1502.07943.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from velocity_mobility_ros.core.environment.parameter_files import kind_hint
from velocity_mobility_ros.core.plugins import file_of, whole_name
from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.run.experiment_records import (
    CONTROLLER,
    METRICS,
    Condition,
    Gains,
    metric_named,
)
from soliton_encirclement_ros.core.run.summary import Summary
from soliton_encirclement_ros.core.scenario.scenario_sections import with_absolute_paths
from soliton_encirclement_ros.sim.sweeps.design import Values, check_name, nested, random_points

MAX_NAME = 60
"""Longest name of a law or a condition [characters]; they are headings of tables."""


def mapping(
    content: Any, source: str, keys: Collection[str] | None = None, kind: str = ''
) -> Mapping[str, Any]:
    """Return a mapping; nothing at all counts as an empty one.

    Args:
        content: As in the file.
        source: Its location, named in errors.
        keys: The keys that it may have; None: any.
        kind: Kind of file of which it is the whole content; empty: it is a part.

    Raises:
        ScenarioError: It is none, or has another key.
    """
    content = {} if content is None else content
    if not isinstance(content, Mapping):
        raise ScenarioError(f'{source} = {shown(content)} must be a mapping')
    for key in content:
        if keys is not None and key not in keys:
            other = kind_hint(content, kind) if kind else ''
            hint = other or f'; allowed keys are {", ".join(keys)}'
            raise ScenarioError(f'{source}: unknown key {shown(key)}{hint}')
    return content


def named(content: Any, source: str) -> dict[str, Any]:
    """Return a mapping of names to something, at least one.

    Raises:
        ScenarioError: It is empty, or a name is none.
    """
    found = mapping(content, source)
    if not found:
        raise ScenarioError(f'{source}: is empty: give at least one')
    for name in found:
        if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
            raise ScenarioError(
                f'{source}: name {shown(name)} must be a text of 1 to {MAX_NAME} characters'
            )
    return dict(found)


def changes(content: Any, source: str) -> Values:
    """Return values by ``section.key``.

    Raises:
        ScenarioError: A name is no parameter.
    """
    found = mapping(content, source)
    for name in found:
        check_name(name, source)
    return dict(found)


def merged(parts: Mapping[str, Values], source: str) -> Values:
    """Return the values of several parts.

    Args:
        parts: The parts, by what they are called in errors.
        source: Where they meet, named in errors.

    Raises:
        ScenarioError: Two of them give the same parameter.
    """
    owner: dict[str, str] = {}
    found: Values = {}
    for part, values in parts.items():
        for name, value in values.items():
            if name in found:
                raise ScenarioError(
                    f'{source}: {name} is given by {owner[name]} and by {part}: remove it from one'
                )
            owner[name], found[name] = part, value
    return found


LAW_KEYS = ('controller', 'changes', 'search')


class StudyLaw(NamedTuple):
    """A law as it takes part.

    Attributes:
        name: Its name in the study.
        settings: Its parameters, with the controller, by ``section.key``.
        search: Range or choices of every gain that is tuned, as of a random design; empty: it
            flies as it is.
    """

    name: str
    settings: Values
    search: Mapping[str, Any]


def read_laws(content: Any, source: str, folder: Path) -> tuple[StudyLaw, ...]:
    """Return the laws of a section.

    Args:
        content: The section: settings by name.
        source: Its location, named in errors.
        folder: Folder of the study; files of laws are looked for there first.

    Raises:
        ScenarioError: A law is invalid.
    """
    return tuple(_law(name, one, f'{source}: {name}', folder)
                 for name, one in named(content, source).items())  # fmt: skip


def _law(name: str, content: Any, source: str, folder: Path) -> StudyLaw:
    content = mapping(content, source, LAW_KEYS)
    controller = content.get('controller', name)
    if not isinstance(controller, str):
        raise ScenarioError(f'{source}: controller = {shown(controller)} must be a name or a file')
    own = changes(content.get('changes'), f'{source}: changes')
    search = changes(content.get('search'), f'{source}: search')
    for key in (CONTROLLER, *own):
        if key in search or (key == CONTROLLER and key in own):
            raise ScenarioError(f'{source}: {key} is given twice: remove it from one place')
    if search:
        candidates(search, 1, 0, f'{source}: search')
    file = file_of(controller)
    if file and (folder / file).is_file():
        controller = whole_name(str(folder / controller))
    return StudyLaw(name, {CONTROLLER: controller, **own}, search)


def candidates(search: Mapping[str, Any], count: int, seed: int, source: str) -> list[Gains]:
    """Return sets of gains drawn at random from a search space.

    Raises:
        ScenarioError: A range is invalid.
    """
    return [*random_points({'samples': count, 'seed': seed, 'parameters': search}, source)]


def law_files(laws: Iterable[StudyLaw]) -> list[Path]:
    """Return the files of the laws that do not come along."""
    names = {law.settings[CONTROLLER] for law in laws}
    return [Path(file) for file in sorted({*map(file_of, names)} - {''})]


CONDITION_KEYS = ('settings', 'cases')


def read_conditions(content: Any, source: str, folder: Path) -> dict[Condition, Values]:
    """Return the changes of the scenario by condition, in the order of the file.

    Args:
        content: One block of settings and cases, or a list of them.
        source: Their location, named in errors.
        folder: Folder of the study; files that changes name are looked for there first.

    Raises:
        ScenarioError: A block is invalid, or two conditions have one name.
    """
    blocks = content if isinstance(content, list) else [content]
    if not blocks:
        raise ScenarioError(f'{source}: is empty: give at least one block')
    found: dict[Condition, Values] = {}
    for number, block in enumerate(blocks, 1):
        where = source if len(blocks) == 1 else f'{source}: block {number}'
        for condition, values in _block(block, where, folder).items():
            if condition in found:
                raise ScenarioError(f'{where}: {shown(condition.label)} is there twice')
            found[condition] = values
    return found


def _block(content: Any, source: str, folder: Path) -> dict[Condition, Values]:
    content = mapping(content, source, CONDITION_KEYS)
    cases = named(content.get('cases'), f'{source}: cases')
    settings = {'': None}
    if 'settings' in content:
        settings = named(content['settings'], f'{source}: settings')
    found = {}
    for setting, around in settings.items():
        for case, own in cases.items():
            parts = {
                f'setting {setting}': changes(around, f'{source}: settings: {setting}'),
                f'case {case}': changes(own, f'{source}: cases: {case}'),
            }
            values = merged(parts, f'{source}: {Condition(case, setting).label}')
            found[Condition(case, setting)] = _with_files(values, folder)
    return found


def _with_files(values: Values, folder: Path) -> Values:
    """Return values with absolute paths of the files that lie beside the study."""
    sections = with_absolute_paths(nested(values), folder)
    return {
        f'{section}.{key}': value
        for section, content in sections.items()
        for key, value in content.items()
    }


SMALLEST = 1e-6
"""Resolution of a metric that the study gives none."""

PerMetric = Mapping[str, float]
"""A number above 0 by metric: its weight, or its resolution."""


def read_per_metric(content: Any, source: str) -> PerMetric:
    """Return a number for each of some metrics.

    Raises:
        ScenarioError: A metric is unknown, or a number is not above 0.
    """
    weights = named(content, source)
    for name, weight in weights.items():
        metric_named(name, source)
        good = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not (good and 0.0 < weight < math.inf):
            raise ScenarioError(f'{source}: {name} = {shown(weight)} must be a number above 0')
    return {name: float(weight) for name, weight in weights.items()}


def cost(summary: Summary | None, objective: PerMetric, resolution: PerMetric) -> float:
    """Return the cost of a flight, infinite if it failed or lacks a metric.

    Args:
        summary: Summary of the flight; None: it failed.
        objective: Weights of the metrics.
        resolution: Smaller values of a metric count as this one.
    """
    if summary is None:
        return math.inf
    weighed = (
        weight * _log(summary, name, resolution.get(name, SMALLEST))
        for name, weight in objective.items()
    )
    return sum(weighed) / sum(objective.values())


def _log(summary: Summary, name: str, resolution: float) -> float:
    metric = METRICS[name]
    value = metric.value(summary)
    if value is None or not math.isfinite(value):
        return math.inf
    size = math.log(max(value, resolution))
    return -size if metric.higher_is_better else size


SHARE = 3
"""One in so many candidates goes on to a round with so many times the flights."""

LEAST = 2
"""Candidates in every round: the gains as shipped, and one other."""


class Round(NamedTuple):
    """A round: number of candidates, and of flights on which each is judged, earlier included."""

    candidates: int
    flights: int


def rounds_of(budget: int, flights: int, first: int, source: str) -> list[Round]:
    """Return the rounds that a budget allows.

    Args:
        budget: Largest number of flights for one law.
        flights: Number of flights of the last round, per candidate.
        first: The same of the first round.
        source: Location of the budget, named in errors.

    Raises:
        ScenarioError: The budget is too small for two candidates.
    """
    sizes = [min(first, flights)]
    while sizes[-1] < flights:
        sizes.append(min(flights, SHARE * sizes[-1]))
    least = cost_of(_rounds(LEAST, sizes))
    if budget < least:
        raise ScenarioError(
            f'{source} = {budget} must be at least {least}: {LEAST} sets of gains on all '
            f'{flights} conditions and seeds'
        )
    count = LEAST
    while cost_of(_rounds(count + 1, sizes)) <= budget:
        count += 1
    return _rounds(count, sizes)


def cost_of(rounds: Sequence[Round]) -> int:
    """Return the number of flights of some rounds: what has been flown is not flown again."""
    before = [0, *(one.flights for one in rounds)]
    return sum(one.candidates * (one.flights - done)
               for one, done in zip(rounds, before, strict=False))  # fmt: skip


def _rounds(candidates: int, sizes: Sequence[int]) -> list[Round]:
    return [Round(max(LEAST, -(-candidates // SHARE**i)), size) for i, size in enumerate(sizes)]
