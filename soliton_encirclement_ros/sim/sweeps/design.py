"""Blocks of a design: grid, list and random, crossed within a block, block joined to block."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.sim.sweeps.parameter_name import check_name
from soliton_encirclement_ros.sim.sweeps.random_design import ends, random_points

PARTS = ('grid', 'list', 'random')
MAX_RUNS = 1_000_000
"""Limit against a typo in a grid, which could fill the memory."""

Values = dict[str, Any]
"""Values of parameters by ``section.key``."""


def design_points(design: Any, source: str) -> Iterator[tuple[str, Values]]:
    """Iterate over the points of a design, each with the name of its block.

    Args:
        design: One block or a list of them, as in the file; None: a single point without changes.
        source: The file, named in errors.

    Raises:
        ScenarioError: A block is invalid, empty or too large.
    """
    if design is None:
        yield f'{source}: design', {}
        return
    blocks = design if isinstance(design, list) else [design]
    if not blocks:
        raise ScenarioError(f'{source}: design is empty: give at least one of {", ".join(PARTS)}')
    for number, block in enumerate(blocks, 1):
        name = f'{source}: design' if len(blocks) == 1 else f'{source}: design block {number}'
        for point in block_points(block, name):
            yield name, point


def block_points(block: Any, source: str) -> Iterator[Values]:
    """Iterate over the points of one block; the first parameter changes slowest."""
    if not isinstance(block, Mapping) or not block or not set(block) <= set(PARTS):
        raise ScenarioError(
            f'{source} = {shown(block)} must be a mapping with one or more of {", ".join(PARTS)}'
        )
    parts = [_part(kind, content, f'{source}: {kind}') for kind, content in block.items()]
    count = math.prod(len(part) for part in parts)
    if count > MAX_RUNS:
        raise ScenarioError(f'{source} has {count} points, must have at most {MAX_RUNS}')
    for chosen in itertools.product(*parts):
        yield _merged(chosen, source)


def extremes(design: Any, source: str) -> Iterator[tuple[str, Values]]:
    """Iterate over the ends of all random ranges of a valid design, to check them as well."""
    blocks = design if isinstance(design, list) else [design]
    for block in blocks:
        if isinstance(block, Mapping) and 'random' in block:
            for values in ends(block['random']):
                yield f'{source}: design: random', values


def nested(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return values by section and key."""
    sections: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        section, _, key = name.partition('.')
        sections.setdefault(section, {})[key] = value
    return sections


def _part(kind: str, content: Any, source: str) -> list[Values]:
    if kind == 'random':
        points = random_points(content, source)
    elif kind == 'list':
        points = _listed(content, source)
    else:
        points = _grid(content, source)
    for name in dict.fromkeys(name for point in points for name in point):
        check_name(name, source)
    return points


def _grid(content: Any, source: str) -> list[Values]:
    if not isinstance(content, Mapping) or not content:
        raise ScenarioError(f'{source} = {shown(content)} must map section.key to lists')
    for name, values in content.items():
        check_name(name, source)
        if not isinstance(values, list) or not values:
            raise ScenarioError(
                f'{source}: {name} = {shown(values)} must be a non-empty list of values'
            )
    count = math.prod(len(values) for values in content.values())
    if count > MAX_RUNS:
        raise ScenarioError(f'{source} has {count} points, must have at most {MAX_RUNS}')
    return [
        dict(zip(content, chosen, strict=True)) for chosen in itertools.product(*content.values())
    ]


def _listed(content: Any, source: str) -> list[Values]:
    good = isinstance(content, list) and content and all(isinstance(p, Mapping) for p in content)
    if not good:
        raise ScenarioError(
            f'{source} = {shown(content)} must be a non-empty list of mappings '
            '{{section.key: value}}'
        )
    return [dict(point) for point in content]


def _merged(parts: tuple[Values, ...], source: str) -> Values:
    merged: Values = {}
    for part in parts:
        for name, value in part.items():
            if name in merged:
                raise ScenarioError(
                    f'{source}: {name} is in two parts of the block: remove it from one'
                )
            merged[name] = value
    return merged
