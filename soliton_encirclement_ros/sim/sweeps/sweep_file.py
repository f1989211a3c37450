"""A sweep file: base scenario, changes, design and seeds; all its runs are checked at once.

The key of a run has every parameter, the seed, and the version of the code.
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from velocity_mobility_ros.core.environment.parameter_files import SWEEP, kind_hint
from velocity_mobility_ros.core.user_errors import MobilityError, cut, shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files import checked_name, is_file, name_from
from soliton_encirclement_ros.core.laws.law_registry import law_labels
from soliton_encirclement_ros.core.run.experiment_records import CONTROLLER, Point
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.scenario_sections import with_absolute_paths
from soliton_encirclement_ros.core.scenario.user_files import (
    content_of,
    find_file,
    find_scenario,
    read_text,
)
from soliton_encirclement_ros.sim.sweeps.design import (
    MAX_RUNS,
    Values,
    design_points,
    extremes,
    nested,
    read_seeds,
)


def parameters_digest(scenario: Mapping[str, Any]) -> str:
    """Return the digest of all parameters of a scenario, with its seed, without its name.

    Args:
        scenario: Result of ``Scenario.as_dict``.
    """
    content = {section: values for section, values in scenario.items() if section != 'name'}
    text = json.dumps(content, sort_keys=True, separators=(',', ':'))
    return hashlib.sha256(text.encode()).hexdigest()


def run_key(parameters: str, code: str) -> str:
    """Return the key of a run.

    Args:
        parameters: ``parameters_digest`` of its scenario.
        code: ``code_version`` that simulates it.
    """
    return hashlib.sha256(f'{parameters} {code}'.encode()).hexdigest()


KEYS = ('name', 'scenario', 'changes', 'seeds', 'design')


class PlannedRun(NamedTuple):
    """One run of a sweep; ``parameters`` and ``key`` are those of ``run_key``."""

    point: Point
    scenario: Scenario
    parameters: str
    key: str

    @property
    def label(self) -> str:
        """Name of the run for messages."""
        return f'{self.point.label}, seed {self.scenario.run.seed}'


class Sweep(NamedTuple):
    """A checked sweep: its runs in the order of the design, seeds innermost."""

    name: str
    text: str
    keys: tuple[str, ...]
    points: list[Point]
    seeds: list[int]
    runs: list[PlannedRun]


def find_sweep(name: str) -> Path:
    """Return the file of a sweep given by path, or by name if it is an installed one.

    Raises:
        ScenarioError: The file does not exist.
    """
    return find_file('sweep', name)


def load_sweep(path: Path, code: str) -> Sweep:
    """Read a sweep file and check every run of it.

    Args:
        path: The file.
        code: ``code_version`` that will simulate the runs.

    Raises:
        ScenarioError: The file is invalid; the message is one line.
    """
    text = read_text(path, 'sweep')
    content = content_of(text, path)
    if not isinstance(content, Mapping):
        raise ScenarioError(
            f'{path}: a sweep is a mapping of {", ".join(KEYS)}, not {shown(content)}'
        )
    for key in content:
        if key not in KEYS:
            hint = kind_hint(content, SWEEP) or f'; allowed keys are {", ".join(KEYS)}'
            raise ScenarioError(f'{path}: unknown key {shown(key)}{hint}')
    base = base_scenario(content, path)
    points = list(_named(list(_points(content, base, path))))
    seeds = read_seeds(content.get('seeds'), base.run.seed, str(path))
    if len(points) * len(seeds) > MAX_RUNS:
        raise ScenarioError(
            f'{path}: {len(points)} points with {len(seeds)} seeds are {len(points) * len(seeds)} '
            f'runs, must be at most {MAX_RUNS}'
        )
    keys = tuple(points[0][0].values)
    runs = [run for point in points for run in runs_of(*point, seeds, code)]
    return Sweep(base.name, text, keys, [point for point, _ in points], seeds, runs)


def base_scenario(content: Mapping[str, Any], path: Path) -> Scenario:
    """Return the scenario that the points change, under the name of the sweep.

    Args:
        content: Content of the file; ``scenario``, ``changes`` and ``name`` count.
        path: The file.

    Raises:
        ScenarioError: One of them is invalid.
    """
    changes = content.get('changes', {})
    changes = {} if changes is None else changes
    if isinstance(changes, Mapping) and 'name' in changes:
        raise ScenarioError(
            f'{path}: changes: name is not a section: write name: at the top level'
        )
    if not isinstance(changes, Mapping):
        raise ScenarioError(f'{path}: changes = {shown(changes)} must be a mapping of sections')
    base = Scenario() if content.get('scenario') is None else _scenario(content, path)
    changed = base.with_changes(with_absolute_paths(changes, path.parent), f'{path}: changes')
    name = checked_name(content.get('name', name_from(path, 'sweep')), str(path))
    return dataclasses.replace(changed, name=name)


def _scenario(content: Mapping[str, Any], path: Path) -> Scenario:
    """Return the base scenario, first looked for beside the sweep file."""
    named = content['scenario']
    if not isinstance(named, str) or not named:
        raise ScenarioError(f'{path}: scenario = {shown(named)} must be a file or a name')
    beside = path.parent / named
    try:
        file = beside if is_file(beside, ScenarioError) else find_scenario(named)
    except ScenarioError as error:
        raise ScenarioError(f'{path}: scenario = {error}') from None
    return load_scenario(file)


def _points(
    content: Mapping[str, Any], base: Scenario, path: Path
) -> Iterator[tuple[Point, Scenario]]:
    """Iterate over all points; invalid and duplicate points are refused."""
    design, source = content.get('design'), str(path)
    if design is None and 'design' in content:
        raise ScenarioError(f'{path}: design is empty: remove it for a single point')
    listed = list(design_points(design, source))
    keys = list(dict.fromkeys(key for _, values in listed for key in values))
    for block, values in extremes(design, source):
        _changed(base, values, block, path.parent)
    _refuse_set_and_varied(content.get('changes') or {}, keys, path)
    seen: dict[str, int] = {}
    for number, (block, values) in enumerate(listed, 1):
        scenario = _changed(base, values, block, path.parent)
        content_of = scenario.as_dict()
        digest = parameters_digest(content_of)
        if digest in seen:
            raise ScenarioError(
                f'{block}: point {number} equals point {seen[digest]} '
                f'({_values_text(values)}): remove one of them'
            )
        seen[digest] = number
        flat = {key: _value(content_of, key) for key in keys}
        yield Point(number, flat, scenario.control.controller), scenario


def _named(points: Sequence[tuple[Point, Scenario]]) -> Iterator[tuple[Point, Scenario]]:
    """Iterate over points that call each law as tables do: a file by its stem."""
    names = law_labels({point.controller for point, _ in points})
    for point, scenario in points:
        name = names[point.controller]
        values = {k: name if k == CONTROLLER else v for k, v in point.values.items()}
        yield Point(point.number, values, name), scenario


def _refuse_set_and_varied(changes: Mapping[str, Any], keys: Sequence[str], path: Path) -> None:
    for key in keys:
        section, _, name = key.partition('.')
        if name in (changes.get(section) or {}):
            raise ScenarioError(
                f'{path}: changes set {key}, and the design varies it: remove it from one of them'
            )


def _changed(base: Scenario, values: Values, source: str, folder: Path) -> Scenario:
    try:
        return base.with_changes(with_absolute_paths(nested(values), folder), source)
    except MobilityError as error:
        raise ScenarioError(str(error)) from None


def _value(content: Mapping[str, Any], name: str) -> Any:
    """Return the value of a parameter, None for one that only another law has."""
    section, _, key = name.partition('.')
    return content[section].get(key)


def runs_of(
    point: Point, scenario: Scenario, seeds: Sequence[int], code: str
) -> Iterator[PlannedRun]:
    """Iterate over the runs of a point, one per seed.

    Args:
        point: The point.
        scenario: Its scenario, with any seed.
        seeds: The seeds.
        code: ``code_version`` that will simulate the runs.
    """
    content = scenario.as_dict()
    for seed in seeds:
        run = dataclasses.replace(scenario.run, seed=seed)
        content['run']['seed'] = seed
        digest = parameters_digest(content)
        one = dataclasses.replace(scenario, run=run)
        yield PlannedRun(point, one, digest, run_key(digest, code))


def _values_text(values: Values) -> str:
    text = ', '.join(f'{key} = {cut(str(value))}' for key, value in values.items())
    return text or 'the scenario itself'
