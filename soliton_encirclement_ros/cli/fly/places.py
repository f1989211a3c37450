"""Where vehicles are planned to stand before a take-off, to find some that are swapped."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from velocity_mobility_ros.core.path_files.spreadsheet import number, table_rows
from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.name_list import named
from soliton_encirclement_ros.core.files.yaml_text import content_of, read_text
from soliton_encirclement_ros.core.stop.stop_words import MEMBER

Places = Mapping[str, tuple[float, float]]
"""East and north [m, frame of the swarm] by name of the vehicle."""

NO_PLACES: Places = MappingProxyType({})

NEAR = 5.0
"""Largest distance of a vehicle from its place [m]: GNSS without corrections is off by 2 to 5."""

COLUMNS = {'name': '', 'east': 'm', 'north': 'm'}
"""Units by column of a table of places."""


def read_places(path: Path) -> Places:
    """Read a YAML file with lines such as ``uav_1: [0.0, 4.0]``, or a CSV table of ``COLUMNS``.

    Raises:
        ScenarioError: The file cannot be read.
        TableError: It is a table, and not of these columns.
        RunError: It is no such file.
    """
    text = read_text(path, 'places')
    if path.suffix.lower() == '.csv':
        return _of_table(text, path)
    content = content_of(text, path)
    if not isinstance(content, Mapping) or not content:
        raise RunError(
            f'{path}: must hold lines such as uav_1: [0.0, 4.0], east and north in m, or be a '
            '.csv with the columns name, east and north'
        )
    return {_name(path, name): _place(path, name, value) for name, value in content.items()}


def places_of_others(path: Path, places: Places, there: Sequence[str]) -> str:
    """Return a warning if some places are for vehicles that are not there; empty if none is.

    Args:
        path: The file of the places.
        places: The places.
        there: The vehicles; empty: not known.

    Raises:
        RunError: No place is for any of them.
    """
    strange = [name for name in places if there and name not in there]
    if not strange:
        return ''
    if len(strange) == len(places):
        raise RunError(f'{path}: has no place of {named(there)}: it has {named(strange)}')
    return f'{path}: {named(strange)} is none of the vehicles {named(there)}'


def misplaced(places: Places, stand: Places) -> dict[str, str]:
    """Return which vehicles do not stand at their places, and where they stand.

    Args:
        places: Where they are to stand; empty: anywhere.
        stand: Where they stand.
    """
    found = {}
    for name, here in stand.items():
        if not places:
            break
        if name not in places:
            found[name] = 'has no place in --places'
            continue
        nearest = min(places, key=lambda one, here=here: math.dist(here, places[one]))
        off = math.dist(here, places[name])
        if off > NEAR:
            found[name] = f'{off:.1f} m from its place, at most {NEAR:g} m{_swap(nearest, name)}'
        elif nearest != name:
            found[name] = f'nearer to the place of {nearest} than to its own'
    return found


def _swap(nearest: str, name: str) -> str:
    return '' if nearest == name else f'; it stands next to the place of {nearest}'


def _of_table(text: str, path: Path) -> Places:
    found: dict[str, tuple[float, float]] = {}
    for row in table_rows(text, str(path), COLUMNS):
        name = _name(path, row.cells['name'])
        if name in found:
            raise RunError(f'{row.where}: {name} has two places; give it one')
        found[name] = number(row, 'east'), number(row, 'north')
    if not found:
        raise RunError(f'{path}: has names of columns and no place; write one a line')
    return found


def _name(path: Path, name: Any) -> str:
    if isinstance(name, str) and MEMBER.fullmatch(name):
        return name
    raise RunError(f'{path}: {shown(name)} must be a name such as uav_1')


def _place(path: Path, name: str, value: Any) -> tuple[float, float]:
    numbers = value if isinstance(value, list) else []
    if len(numbers) == 2 and all(map(_is_finite, numbers)):
        return float(numbers[0]), float(numbers[1])
    raise RunError(f'{path}: {name} = {shown(value)} must be two numbers, east and north in m')


def _is_finite(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and math.isfinite(value)
