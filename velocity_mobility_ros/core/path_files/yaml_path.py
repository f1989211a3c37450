"""Paths in YAML: ``vertices``, and how their times are meant."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import yaml

from velocity_mobility_ros.core.path_files.path_data import PathData, PathError, checked
from velocity_mobility_ros.core.shown import closest, shown

KEYS = ('vertices', 'closed', 'relative')
NAMES = ('x', 'y', 'z', 't')


def path_of_yaml(text: str, source: str) -> PathData:
    """Return the path of a YAML text.

    Args:
        text: A mapping with ``vertices``, each of them a mapping with x, y, z [m] and perhaps
            t [s], or a list of 3 or 4 numbers in this order; perhaps ``closed`` and ``relative``.
        source: Name of the file, for errors.

    Raises:
        PathError: It is no YAML, a key is unknown or missing, a value is no number, or the
            vertices are no path.
    """
    try:
        content = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PathError(f'{source}: no YAML: {" ".join(str(error).split())}') from None
    if not isinstance(content, Mapping):
        raise PathError(f'{source}: {shown(content)} must be a mapping with vertices')
    for key in content:
        if key not in KEYS:
            raise PathError(f'{source}: unknown key {shown(key)}{_hint(key, KEYS)}')
    vertices = content.get('vertices')
    if not isinstance(vertices, list):
        raise PathError(f'{source}: vertices = {shown(vertices)} must be a list of points')
    rows = [_row(one, f'{source}: point {i}') for i, one in enumerate(vertices, 1)]
    flags = [_flag(content.get(name, False), name, source) for name in KEYS[1:]]
    return checked(PathData(np.array(rows, dtype=float).reshape(-1, 4), *flags), source)


def _hint(key: Any, known: tuple[str, ...]) -> str:
    close = closest(key, known)
    return f'; did you mean {close!r}?' if close else f'; allowed keys are {", ".join(known)}'


def _flag(value: Any, name: str, source: str) -> bool:
    if not isinstance(value, bool):
        raise PathError(f'{source}: {name} = {shown(value)} must be true or false')
    return value


def _row(vertex: Any, where: str) -> list[float]:
    if isinstance(vertex, list) and len(vertex) in (3, 4):
        vertex = dict(zip(NAMES, vertex, strict=False))
    if not isinstance(vertex, Mapping):
        raise PathError(f'{where}: {shown(vertex)} must be x, y, z and perhaps t')
    for key in vertex:
        if key not in NAMES:
            raise PathError(f'{where}: unknown key {shown(key)}{_hint(key, NAMES)}')
    missing = [name for name in NAMES[:3] if name not in vertex]
    if missing:
        raise PathError(f'{where}: no {missing[0]}; x, y and z are needed')
    return [_number(vertex.get(name), name, where) for name in NAMES]


def _number(value: Any, name: str, where: str) -> float:
    """Return a number; a missing time is NaN."""
    if name == 't' and value is None:
        return math.nan
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not abs(value) <= 1e300:
        raise PathError(f'{where}: {name} = {shown(value)} must be a finite number')
    return float(value)
