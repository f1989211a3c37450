"""Blocks of a design: grid, list, random and named, crossed within a block, joined block by block.

Random points draw every parameter from its own range or choices. A named part has axes whose
values are sets of changes under a name: laws with their gains, cases, settings. The seeds are the
same for every point. The names of the parameters that a design changes are checked.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.renamed_parameters import present_name
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.core.user_errors import shown

CONTROLLER = 'control.controller'
SEED = 'run.seed'

Values = dict[str, Any]
"""Values of parameters by ``section.key``."""


class SweepPoint(NamedTuple):
    """One point of a design: its number from 1, and its law, or the name on the axis ``law``.

    ``values`` are its label: the values of all parameters that the design varies, by
    ``section.key``, and its names on all named axes.
    """

    number: int
    values: Mapping[str, Any]
    controller: str

    @property
    def label(self) -> str:
        """The values as short text, without those that its law does not have."""
        parts = [as_text(value) if '.' not in key else f'{key.partition(".")[2]} {as_text(value)}'
                 for key, value in self.values.items() if value is not None]  # fmt: skip
        return ', '.join(parts) or self.controller


def as_text(value: Any) -> str:
    """Return a value of a parameter as text."""
    return format(value, '.4g') if isinstance(value, float) else str(value)


def require(is_good: bool, refusal: str) -> None:
    """Refuse a file unless a condition holds.

    Raises:
        ScenarioError: It does not; ``refusal`` names place, value and bound.
    """
    if not is_good:
        raise ScenarioError(refusal)


def check_name(name: Any, source: str) -> None:
    """Refuse a name that is not ``section.key``, and the seed, which has its own key.

    Raises:
        ScenarioError: The name is invalid; the message begins with ``source``.
    """
    text = present_name(name) if isinstance(name, str) else ''
    section, dot, key = text.partition('.')
    require(bool(dot and key) and section in SECTIONS,
           f'{source}: unknown parameter {shown(name)}: write section.key with a section among '
           f'{", ".join(SECTIONS)}')  # fmt: skip
    require(name != SEED, f'{source}: {SEED} cannot be in a design: use seeds: at the top level')


RANGE_KEYS = ('low', 'high', 'log', 'integer')
MAX_SAMPLES = 1_000_000
LARGEST = 2**53


def random_points(content: Any, source: str) -> list[dict[str, Any]]:
    """Return the points of a ``random`` part: ``samples``, ``seed`` and ``parameters``.

    Every parameter has its own random stream, so another one does not change the others. Errors
    name the source.

    Raises:
        ScenarioError: A key or value is unknown, missing or out of its bounds.
    """
    known = ('samples', 'seed', 'parameters')
    require(isinstance(content, Mapping) and set(content) <= set(known),
           f'{source} = {shown(content)} must be a mapping of {", ".join(known)} and nothing else')
    samples = whole_number(content.get('samples'), f'{source}: samples', 1, MAX_SAMPLES)
    seed = whole_number(content.get('seed', 0), f'{source}: seed', 0, LARGEST)
    parameters = content.get('parameters')
    require(isinstance(parameters, Mapping) and bool(parameters),
           f'{source}: parameters = {shown(parameters)} must map section.key to {{low, high}} '
           'or {choices}')  # fmt: skip
    for key in parameters:
        check_name(key, source)
    columns = {
        key: _draw(key, spec, random_stream(seed, f'design/{key}'), samples, f'{source}: {key}')
        for key, spec in parameters.items()
    }
    return [{key: column[i] for key, column in columns.items()} for i in range(samples)]


def whole_number(value: Any, source: str, least: int, most: int) -> int:
    """Return an integer within bounds.

    Raises:
        ScenarioError: It is not an integer, or out of bounds.
    """
    require(type(value) is int and least <= value <= most,
           f'{source} = {shown(value)} must be a whole number from {least} to {most}')
    return int(value)


def _draw(
    key: str, spec: Any, stream: np.random.Generator, samples: int, source: str
) -> list[Any]:
    if isinstance(spec, Mapping) and set(spec) == {'choices'}:
        choices = spec['choices']
        require(isinstance(choices, list) and bool(choices),
               f'{source}: choices = {shown(choices)} must be a non-empty list')
        return [choices[int(stream.integers(len(choices)))] for _ in range(samples)]
    low, high = _range(spec, source)
    for name in ('integer', 'log'):
        require(type(spec.get(name, False)) is bool,
               f'{source}: {name} = {shown(spec.get(name))} must be true or false')
    integer, log = spec.get('integer'), spec.get('log', False)
    require(not log or low > 0,
           f'{source}: low = {shown(low)} must be above 0 where log is true')
    if integer or (integer is None and _is_integer(key)):
        for name, end in (('low', low), ('high', high)):
            whole_number(end, f'{source}: {name}', -LARGEST, LARGEST)
        return [_integer(stream, int(low), int(high), log) for _ in range(samples)]
    return [_number(stream, float(low), float(high), log) for _ in range(samples)]


def _range(spec: Any, source: str) -> tuple[float, float]:
    require(isinstance(spec, Mapping) and {'low', 'high'} <= set(spec) <= set(RANGE_KEYS),
           f'{source} = {shown(spec)} must be {{low, high}}, optionally with log or integer, or '
           '{choices}')  # fmt: skip
    low, high = spec['low'], spec['high']
    for name, end in (('low', low), ('high', high)):
        require(_is_finite(end), f'{source}: {name} = {shown(end)} must be a finite number')
    require(low < high, f'{source}: low = {shown(low)} must be below high = {shown(high)}')
    require(math.isfinite(float(high) - float(low)),
           f'{source}: low = {shown(low)} and high = {shown(high)} are too far apart: their '
           'difference must be finite')  # fmt: skip
    return low, high


def _is_finite(value: Any) -> bool:
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:  # an integer larger than all floats
        return False


def _is_integer(key: str) -> bool:
    section, _, name = present_name(key).partition('.')
    declared = declarations(SECTIONS[section]).get(name) if section in SECTIONS else None
    return declared is not None and declared.kind is int


def _number(stream: np.random.Generator, low: float, high: float, log: bool) -> float:
    if log:
        return min(high, max(low, math.exp(stream.uniform(math.log(low), math.log(high)))))
    return float(stream.uniform(low, high))


def _integer(stream: np.random.Generator, low: int, high: int, log: bool) -> int:
    if log:
        return min(high, math.floor(_number(stream, float(low), high + 1.0, log=True)))
    return int(stream.integers(low, high + 1))


PARTS = ('grid', 'list', 'random', 'named')
MAX_RUNS = 1_000_000
"""Limit against a typo in a grid, which could fill the memory."""

LAW = 'law'
"""The axis of the compared laws; its names are those in the column ``controller``."""

MAX_NAME = 60
"""Longest name on an axis [characters]; names are headings of tables."""


class DesignPoint(NamedTuple):
    """A point of a block.

    Attributes:
        block: Its block, named in errors.
        changes: Changed values.
        names: Its name on every named axis.
        keys: The parameters that grid, list or random vary: they identify the point, as names do.
    """

    block: str
    changes: Values
    names: Mapping[str, str]
    keys: tuple[str, ...]


def design_points(design: Any, source: str) -> Iterator[DesignPoint]:
    """Iterate over the points of a design: one block or a list of them, as in the file.

    Without a design it is a single point without changes. Errors name the source.

    Raises:
        ScenarioError: A block is invalid, empty or too large.
    """
    if design is None:
        yield DesignPoint(f'{source}: design', {}, {}, ())
        return
    blocks = design if isinstance(design, list) else [design]
    require(bool(blocks),
           f'{source}: design is empty: give at least one of {", ".join(PARTS)}')
    for number, block in enumerate(blocks, 1):
        name = f'{source}: design' if len(blocks) == 1 else f'{source}: design block {number}'
        yield from block_points(block, name)


def block_points(block: Any, source: str) -> Iterator[DesignPoint]:
    """Iterate over the points of one block; the first parameter changes slowest."""
    require(isinstance(block, Mapping) and bool(block) and set(block) <= set(PARTS),
           f'{source} = {shown(block)} must be a mapping with one or more of {", ".join(PARTS)}')
    factors = []
    for kind, content in block.items():
        if kind == 'named':
            factors += _axes(content, f'{source}: named')
        else:
            read = {'random': random_points, 'list': _read_list, 'grid': _grid}[kind]
            points = read(content, f'{source}: {kind}')
            for name in dict.fromkeys(name for point in points for name in point):
                check_name(name, f'{source}: {kind}')
            factors.append([({}, values) for values in points])
    for chosen in _cross_factors(factors, source):
        names = {axis: name for axes, _ in chosen for axis, name in axes.items()}
        where = f'{source}: {", ".join(names.values())}' if names else source
        changes: Values = {}
        for key, value in (pair for _, values in chosen for pair in values.items()):
            require(key not in changes,
                   f'{where}: {key} is in two parts of the block: remove it from one')
            changes[key] = value
        keys = tuple(key for axes, values in chosen if not axes for key in values)
        yield DesignPoint(where, changes, names, keys)


def _cross_factors(factors: Sequence[Sequence[Any]], source: str) -> Iterator[tuple[Any, ...]]:
    """Return every combination of parts."""
    count = math.prod(len(factor) for factor in factors)
    require(count <= MAX_RUNS, f'{source} has {count} points, must have at most {MAX_RUNS}')
    return itertools.product(*factors)


def extremes(design: Any, source: str) -> Iterator[DesignPoint]:
    """Iterate over the ends of all random ranges of a valid design, to check them as well."""
    blocks = design if isinstance(design, list) else [design]
    for block in blocks:
        if isinstance(block, Mapping) and 'random' in block:
            for key, spec in block['random']['parameters'].items():
                for end in ('low', 'high') if 'choices' not in spec else ():
                    yield DesignPoint(f'{source}: design: random', {key: spec[end]}, {}, ())


def _axes(content: Any, source: str) -> list[list[tuple[dict[str, str], Values]]]:
    """Return the values of every axis: its name there, and what it changes."""
    result = []
    for axis, entries in _check_names(content, source, 'axes: law, case ...').items():
        where = f'{source}: {axis}'
        require('.' not in axis,
               f'{where}: an axis is a word; a parameter belongs to grid or list')
        values = []
        for name, entry in _check_names(entries, where, 'names to changes').items():
            changes = {} if entry is None else entry
            require(isinstance(changes, Mapping),
                   f'{where}: {name} = {shown(changes)} must map section.key to values')
            for key in changes:
                check_name(key, f'{where}: {name}')
            law_change = {CONTROLLER: name} if axis == LAW else {}
            values.append(({axis: name}, {**law_change, **changes}))
        result.append(values)
    return result


def _check_names(content: Any, source: str, what: str) -> Mapping[str, Any]:
    """Return a mapping with at least one entry, all of whose keys are names."""
    require(isinstance(content, Mapping) and bool(content),
           f'{source} = {shown(content)} must be a non-empty mapping of {what}')
    for name in content:
        require(isinstance(name, str) and bool(name.strip()) and len(name) <= MAX_NAME,
               f'{source}: name {shown(name)} must be a text of 1 to {MAX_NAME} characters')
    return content


def _grid(content: Any, source: str) -> list[Values]:
    require(isinstance(content, Mapping) and bool(content),
           f'{source} = {shown(content)} must map section.key to lists')
    for name, values in content.items():
        check_name(name, source)
        require(isinstance(values, list) and bool(values),
               f'{source}: {name} = {shown(values)} must be a non-empty list of values')
    crossed = _cross_factors(list(content.values()), source)
    return [dict(zip(content, chosen, strict=True)) for chosen in crossed]


def _read_list(content: Any, source: str) -> list[Values]:
    is_good = isinstance(content, list) and all(isinstance(p, Mapping) for p in content)
    require(is_good and bool(content),
           f'{source} = {shown(content)} must be a non-empty list of mappings '
           '{section.key: value}')  # fmt: skip
    return [dict(point) for point in content]


MAX_SEEDS = 100_000


def read_seeds(content: Any, first: int, source: str) -> list[int]:
    """Return the seeds of a sweep: a count, ``first`` and ``count``, or a list.

    ``first`` is the seed of the scenario: the only one without a content, the first of a count.

    Raises:
        ScenarioError: It is invalid, or a seed is out of its bounds or a duplicate.
    """
    if content is None:
        return [first]
    if isinstance(content, list):
        require(0 < len(content) <= MAX_SEEDS,
               f'{source}: seeds lists {len(content)}, must list 1 to {MAX_SEEDS} of them')
        seeds = [whole_number(seed, f'{source}: seeds', 0, LARGEST_SEED) for seed in content]
        twice = next((seed for seed, count in Counter(seeds).items() if count > 1), None)
        require(twice is None, f'{source}: seeds lists {twice} twice')
        return seeds
    count: Any = content
    if isinstance(content, Mapping):
        require(set(content) == {'first', 'count'},
               f'{source}: seeds = {shown(content)} must have first and count')
        first, count = content['first'], content['count']
    first = whole_number(first, f'{source}: seeds: first', 0, LARGEST_SEED)
    count = whole_number(count, f'{source}: seeds: count', 1, MAX_SEEDS)
    whole_number(first + count - 1, f'{source}: seeds: the last', 0, LARGEST_SEED)
    return list(range(first, first + count))
