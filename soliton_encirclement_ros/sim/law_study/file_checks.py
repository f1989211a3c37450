"""Checks of the shape of a study file; every refusal is one line."""

from collections.abc import Collection, Mapping
from typing import Any

from velocity_mobility_ros.core.environment.parameter_files import kind_hint
from velocity_mobility_ros.core.user_errors import shown

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.sim.sweeps.design import Values
from soliton_encirclement_ros.sim.sweeps.parameter_name import check_name

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
