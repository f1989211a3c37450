"""Random points: every parameter is drawn from its own range or choices."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.random_streams import random_stream
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS
from soliton_encirclement_ros.sim.sweeps.parameter_name import check_name

RANGE_KEYS = ('low', 'high', 'log', 'integer')
MAX_SAMPLES = 1_000_000
LARGEST = 2**53


def random_points(content: Any, source: str) -> list[dict[str, Any]]:
    """Return the points of a ``random`` part.

    Every parameter has its own random stream, so another one does not change the others.

    Args:
        content: ``samples``, ``seed`` and ``parameters`` as in the file.
        source: Its location, named in errors.

    Raises:
        ScenarioError: A key or value is unknown, missing or out of its bounds.
    """
    known = ('samples', 'seed', 'parameters')
    if not isinstance(content, Mapping) or not set(content) <= set(known):
        raise ScenarioError(
            f'{source} = {shown(content)} must be a mapping of {", ".join(known)} and nothing else'
        )
    samples = whole(content.get('samples'), f'{source}: samples', 1, MAX_SAMPLES)
    seed = whole(content.get('seed', 0), f'{source}: seed', 0, LARGEST)
    parameters = content.get('parameters')
    if not isinstance(parameters, Mapping) or not parameters:
        raise ScenarioError(
            f'{source}: parameters = {shown(parameters)} must map section.key to {{low, high}} '
            'or {choices}'
        )
    for key in parameters:
        check_name(key, source)
    columns = {
        key: _draw(key, spec, random_stream(seed, f'design/{key}'), samples, f'{source}: {key}')
        for key, spec in parameters.items()
    }
    return [{key: column[i] for key, column in columns.items()} for i in range(samples)]


def whole(value: Any, source: str, least: int, most: int) -> int:
    """Return an integer within bounds.

    Raises:
        ScenarioError: It is not an integer, or out of bounds.
    """
    if type(value) is not int or not least <= value <= most:
        raise ScenarioError(
            f'{source} = {shown(value)} must be a whole number from {least} to {most}'
        )
    return value


def ends(content: Any) -> list[dict[str, Any]]:
    """Return the ends of every range of a ``random`` part, to check them as well."""
    found: list[dict[str, Any]] = []
    for key, spec in content['parameters'].items():
        if 'choices' not in spec:
            found += [{key: spec['low']}, {key: spec['high']}]
    return found


def _draw(
    key: str, spec: Any, stream: np.random.Generator, samples: int, source: str
) -> list[Any]:
    if isinstance(spec, Mapping) and set(spec) == {'choices'}:
        choices = spec['choices']
        if not isinstance(choices, list) or not choices:
            raise ScenarioError(f'{source}: choices = {shown(choices)} must be a non-empty list')
        return [choices[int(stream.integers(len(choices)))] for _ in range(samples)]
    low, high = _range(spec, source)
    integer, log = (_flag(spec, name, source) for name in ('integer', 'log'))
    if log and low <= 0:
        raise ScenarioError(f'{source}: low = {shown(low)} must be above 0 where log is true')
    if integer or (integer is None and _is_integer(key)):
        for name, end in (('low', low), ('high', high)):
            whole(end, f'{source}: {name}', -LARGEST, LARGEST)
        return [_integer(stream, int(low), int(high), bool(log)) for _ in range(samples)]
    return [_number(stream, float(low), float(high), bool(log)) for _ in range(samples)]


def _range(spec: Any, source: str) -> tuple[float, float]:
    if not isinstance(spec, Mapping) or not {'low', 'high'} <= set(spec) <= set(RANGE_KEYS):
        raise ScenarioError(
            f'{source} = {shown(spec)} must be {{low, high}}, optionally with log or integer, or '
            '{choices}'
        )
    low, high = spec['low'], spec['high']
    for name, end in (('low', low), ('high', high)):
        if not _is_finite(end):
            raise ScenarioError(f'{source}: {name} = {shown(end)} must be a finite number')
    if not low < high:
        raise ScenarioError(f'{source}: low = {shown(low)} must be below high = {shown(high)}')
    if not math.isfinite(float(high) - float(low)):
        raise ScenarioError(
            f'{source}: low = {shown(low)} and high = {shown(high)} are too far apart: their '
            'difference must be finite'
        )
    return low, high


def _is_finite(value: Any) -> bool:
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:  # an integer larger than all floats
        return False


def _flag(spec: Mapping[str, Any], name: str, source: str) -> bool | None:
    value = spec.get(name)
    if value is not None and type(value) is not bool:
        raise ScenarioError(f'{source}: {name} = {shown(value)} must be true or false')
    return value


def _is_integer(key: str) -> bool:
    section, _, name = key.partition('.')
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
