"""Reads one section of a scenario from plain data."""

from collections.abc import Mapping
from typing import Any

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import Parameters, build, declarations
from velocity_mobility_ros.core.shown import shown

from soliton_encirclement_ros.core.errors import LawError, ScenarioError
from soliton_encirclement_ros.core.scenario.section_records import (
    SELECTORS,
    chosen_record,
    owners,
)


def read_section(record: type, content: Mapping[str, Any], key: str, source: str) -> Any:
    """Return the record of a section; missing values are the defaults.

    Args:
        record: The section's record class, unless its content selects another.
        content: The whole scenario, as plain data.
        key: Name of the section.
        source: Where the content comes from, named in errors.

    Raises:
        ScenarioError: The section, a key or a value is refused.
    """
    values = content.get(key)
    if values is None:
        values = {}
    if not isinstance(values, Mapping):
        raise ScenarioError(
            f'{source}: {key} must be a mapping of parameters, not {shown(values)}'
        )
    try:
        record, values = chosen_record(key, record, values)
        _check_owners(key, record, values, source)
        return build(record, values, f'{source}: {key}')
    except ParameterError as error:
        raise ScenarioError(str(error)) from None
    except LawError as error:
        raise ScenarioError(f'{source}: {key}.{SELECTORS[key].key}: {error}') from None


def _check_owners(
    key: str, record: type[Parameters], values: Mapping[str, Any], source: str
) -> None:
    """Refuse a parameter that only other laws, layers, vehicles or estimators have.

    Raises:
        ScenarioError: There is one.
    """
    known = declarations(record)
    for name, value in values.items():
        others = () if name in known else owners(key, name)
        if others:
            selector = SELECTORS[key].key
            chosen = values.get(selector, known[selector].default)
            raise ScenarioError(
                f'{source}: {key}.{name} = {shown(value)} is a parameter of {selector} '
                f'{" and ".join(others)}, not of {chosen}: remove it, or set {key}.{selector}'
            )
