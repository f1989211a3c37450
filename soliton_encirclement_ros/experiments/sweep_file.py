"""A sweep file: base scenario, changes, design and seeds; all its runs are checked at once.

The key of a run has every parameter, the seed, and the version of the code, that of the user's
own files included. A sweep may say which figures count, and which law is compared with all others.
"""

import dataclasses
import functools
import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.files import checked_name, is_file, name_from
from soliton_encirclement_ros.core.laws.law_registry import law_labels
from soliton_encirclement_ros.core.parameters.renamed_parameters import (
    present_name, with_present_names
)
from soliton_encirclement_ros.core.run.summary import FIGURES
from soliton_encirclement_ros.core.scenario.overrides import nested, value_at
from soliton_encirclement_ros.core.scenario.plugin_sections import (
    chosen_files, with_absolute_paths
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import (
    find_file, find_scenario, read_text, read_yaml
)
from soliton_encirclement_ros.experiments.design import (
    CONTROLLER, LAW, MAX_RUNS, DesignPoint, SweepPoint, Values, design_points, extremes,
    read_seeds, require
)
from velocity_mobility_ros.core.environment.parameter_files import SWEEP, kind_hint
from velocity_mobility_ros.core.user_errors import MobilityError, cut, shown, suggestion


def parameters_digest(scenario: Mapping[str, Any]) -> str:
    """Return the digest of all parameters of ``Scenario.as_dict`` with the seed, not the name."""
    content = {section: values for section, values in scenario.items() if section != 'name'}
    text = json.dumps(content, sort_keys=True, separators=(',', ':'))
    return hashlib.sha256(text.encode()).hexdigest()


def run_key(parameters: str, code: str) -> str:
    """Return the key of a run from its ``parameters_digest`` and the ``code_version``."""
    return hashlib.sha256(f'{parameters} {code}'.encode()).hexdigest()


KEYS = ('name', 'scenario', 'changes', 'seeds', 'design', 'chosen', 'metrics', 'resolution')

METRICS = {figure.name.replace(' ', '_'): figure for figure in FIGURES}
"""The figures of a summary, by the names of their columns."""


class PlannedRun(NamedTuple):
    """One run of a sweep; ``parameters`` and ``key`` are those of ``run_key``."""

    point: SweepPoint
    scenario: Scenario
    parameters: str
    key: str

    @property
    def label(self) -> str:
        """Name of the run for messages."""
        return f'{self.point.label}, seed {self.scenario.run.seed}'


class SweptRun(NamedTuple):
    """A finished run of a sweep; ``study`` holds the original's scalar metrics by name."""

    point: SweepPoint
    seed: int
    summary: Mapping[str, Any]
    study: Mapping[str, float]


class Comparison(NamedTuple):
    """Laws and figures that the statistics of a sweep compare.

    Attributes:
        chosen: The law that is compared with every other; empty: every pair is.
        metrics: Columns of the figures; empty: all.
        resolution: Values of a figure below count as this one: they are too small to matter.
    """

    chosen: str = ''
    metrics: tuple[str, ...] = ()
    resolution: Mapping[str, float] = {}


class Sweep(NamedTuple):
    """A checked sweep: its runs in the order of the design, seeds innermost."""

    name: str
    text: str
    keys: tuple[str, ...]
    points: list[SweepPoint]
    seeds: list[int]
    runs: list[PlannedRun]
    comparison: Comparison


find_sweep = functools.partial(find_file, 'sweep')
"""Returns the file of a sweep, given by path or by the name of an included one."""


def load_sweep(path: Path, code: str) -> Sweep:
    """Read a sweep file and check every run of it, simulated by a version of the code.

    Raises:
        ScenarioError: The file is invalid; the message is one line.
    """
    return sweep_of(read_text(path, 'sweep'), path, code)


def sweep_of(text: str, path: Path, code: str) -> Sweep:
    """Check the text of a sweep file; other files are first looked for beside it.

    Raises:
        ScenarioError: It is invalid; the message is one line.
    """
    content = read_yaml(text, path)
    require(isinstance(content, Mapping),
           f'{path}: a sweep is a mapping of {", ".join(KEYS)}, not {shown(content)}')
    for key in content:
        hint = kind_hint(content, SWEEP) or suggestion(key, KEYS)
        require(key in KEYS, f'{path}: unknown key {shown(key)}{hint}')
    base = base_scenario(content, path)
    points = list(_name_laws(list(_points(content, base, path))))
    seeds = read_seeds(content.get('seeds'), base.run.seed, str(path))
    require(len(points) * len(seeds) <= MAX_RUNS,
           f'{path}: {len(points)} points with {len(seeds)} seeds are {len(points) * len(seeds)} '
           f'runs, must be at most {MAX_RUNS}')  # fmt: skip
    keys = tuple(points[0][0].values)
    runs = [run for point in points for run in runs_of(*point, seeds, code)]
    only_points = [point for point, _ in points]
    comparison = _comparison(content, [point.controller for point in only_points], str(path))
    return Sweep(base.name, text, keys, only_points, seeds, runs, comparison)


def _comparison(content: Mapping[str, Any], laws: Sequence[str], source: str) -> Comparison:
    chosen = content.get('chosen')
    require(chosen is None or chosen in laws,
           f'{source}: chosen = {shown(chosen)} must be one of the laws '
           f'{", ".join(dict.fromkeys(laws))}')  # fmt: skip
    metrics, resolution = content.get('metrics') or [], content.get('resolution') or {}
    require(isinstance(metrics, list),
           f'{source}: metrics = {shown(metrics)} must be a list of names')
    require(isinstance(resolution, Mapping),
           f'{source}: resolution = {shown(resolution)} must map metrics to numbers')
    for name in (*metrics, *resolution):
        require(isinstance(name, str) and name in METRICS,
               f'{source}: unknown metric {shown(name)}; there are {", ".join(METRICS)}')
    for name, least in resolution.items():
        require(type(least) in (int, float) and 0.0 < least < math.inf,
               f'{source}: resolution: {name} = {shown(least)} must be a number above 0')
    return Comparison(chosen or '', tuple(dict.fromkeys(metrics)), resolution)


def base_scenario(content: Mapping[str, Any], path: Path) -> Scenario:
    """Return the scenario that the points change, under the name of the sweep.

    Raises:
        ScenarioError: ``scenario``, ``changes`` or ``name`` is invalid.
    """
    changes = content.get('changes', {})
    changes = {} if changes is None else changes
    require(isinstance(changes, Mapping),
           f'{path}: changes = {shown(changes)} must be a mapping of sections')
    require('name' not in changes,
           f'{path}: changes: name is not a section: write name: at the top level')
    base = Scenario() if content.get('scenario') is None else _scenario(content, path)
    changed = base.with_changes(with_absolute_paths(changes, path.parent), f'{path}: changes')
    name = checked_name(content.get('name', name_from(path, 'sweep')), str(path))
    return changed.with_records(name=name)


def _scenario(content: Mapping[str, Any], path: Path) -> Scenario:
    """Return the base scenario, first looked for beside the sweep file."""
    named = content['scenario']
    require(isinstance(named, str) and bool(named),
           f'{path}: scenario = {shown(named)} must be a file or a name')
    beside = path.parent / named
    try:
        file = beside if is_file(beside, ScenarioError) else find_scenario(named)
    except ScenarioError as error:
        raise ScenarioError(f'{path}: scenario = {error}') from None
    return load_scenario(file)


def _points(
    content: Mapping[str, Any], base: Scenario, path: Path
) -> Iterator[tuple[SweepPoint, Scenario]]:
    """Iterate over all points; invalid and duplicate points are refused."""
    design, source = content.get('design'), str(path)
    require(design is not None or 'design' not in content,
           f'{path}: design is empty: remove it for a single point')
    all_points = [_with_present_keys(point, base) for point in design_points(design, source)]
    for point in extremes(design, source):
        apply_changes(base, point, path.parent)
    varied = dict.fromkeys(key for point in all_points for key in point.keys)
    changes, _ = with_present_names(content.get('changes') or {}, base.control.controller)
    for section, _, name in (key.partition('.') for key in varied):
        require(name not in (changes.get(section) or {}),
               f'{path}: changes set {section}.{name}, and the design varies it: remove it from '
               'one of them')  # fmt: skip
    keys = dict.fromkeys(
        key for point in all_points for key in (
            *(CONTROLLER if axis == LAW else axis for axis in point.names), *point.keys
        )
    )  # fmt: skip
    seen: dict[str, int] = {}
    for number, point in enumerate(all_points, 1):
        scenario = apply_changes(base, point, path.parent)
        values = scenario.as_dict()
        digest = parameters_digest(values)
        require(digest not in seen,
               f'{point.block}: point {number} equals point {seen.get(digest)} '
               f'({_values_text(point.changes)}): remove one of them')  # fmt: skip
        seen[digest] = number
        flat = {key: point.names.get(key) if '.' not in key else value_at(values, key)
                for key in keys}  # fmt: skip
        law = scenario.control.controller
        if LAW in point.names:
            law = flat[CONTROLLER] = point.names[LAW]
        yield SweepPoint(number, flat, law), scenario


def _with_present_keys(point: DesignPoint, base: Scenario) -> DesignPoint:
    """Return a point whose parameters have the names that its scenario has."""
    law = point.changes.get(CONTROLLER, base.control.controller)
    return point._replace(keys=tuple(present_name(key, law) for key in point.keys))


def _name_laws(
    points: Sequence[tuple[SweepPoint, Scenario]],
) -> Iterator[tuple[SweepPoint, Scenario]]:
    """Iterate over points that call each law as tables do: a file by its stem."""
    names = law_labels({point.controller for point, _ in points})
    for point, scenario in points:
        name = names[point.controller]
        values = {k: name if k == CONTROLLER else v for k, v in point.values.items()}
        yield SweepPoint(point.number, values, name), scenario


def apply_changes(base: Scenario, point: DesignPoint, folder: Path) -> Scenario:
    """Return the scenario of a point; files that it names are looked for beside the sweep first.

    Raises:
        ScenarioError: A change is invalid.
    """
    try:
        return base.with_changes(with_absolute_paths(nested(point.changes), folder), point.block)
    except MobilityError as error:
        raise ScenarioError(str(error)) from None


def runs_of(
    point: SweepPoint, scenario: Scenario, seeds: Sequence[int], code: str
) -> Iterator[PlannedRun]:
    """Iterate over the runs of a point, one per seed."""
    content = scenario.as_dict()
    code = ' '.join([code, *map(_digest_of, chosen_files(scenario))])
    for seed in seeds:
        run = dataclasses.replace(scenario.run, seed=seed)
        content['run']['seed'] = seed
        digest = parameters_digest(content)
        yield PlannedRun(
            point, scenario.with_records(run=run), digest, run_key(digest, code)
        )


@functools.lru_cache(maxsize=256)
def _digest_of(file: Path) -> str:
    """Return the digest of a file of the user: a law, a vehicle, a path."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise ScenarioError(f'{file}: cannot read: {error.strerror}') from None


def _values_text(values: Values) -> str:
    text = ', '.join(f'{key} = {cut(str(value))}' for key, value in values.items())
    return text or 'the scenario itself'
