"""Writes a scenario as the text of a file with all values."""

from collections.abc import Iterator
from typing import Any

import yaml
from velocity_mobility_ros.core.parameter_declaration import Declaration, declarations

from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario

COLUMN = 46
"""Column of the comments [characters]."""


def full_text(scenario: Scenario) -> str:
    """Return a scenario file with all values, their units and meanings."""
    return '\n'.join(_lines(scenario)) + '\n'


def _lines(scenario: Scenario) -> Iterator[str]:
    yield f'name: {scenario.name}'
    for section in SECTIONS:
        yield f'\n{section}:'
        values = getattr(scenario, section)
        for name, declaration in declarations(type(values)).items():
            setting = f'  {name}: {_scalar(getattr(values, name))}'
            yield f'{setting:{COLUMN}}  # {_comment(declaration)}'


def _scalar(value: Any) -> str:
    """Return a value as YAML in one line."""
    if value is None:
        return 'none'
    return yaml.safe_dump(value, width=10_000).partition('\n...')[0].strip()


def _comment(declaration: Declaration) -> str:
    unit = f' [{declaration.unit}]' if declaration.unit else ''
    return f'{declaration.meaning}{unit}'
