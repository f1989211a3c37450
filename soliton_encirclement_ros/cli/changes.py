"""Changes to a scenario from the command line: ``--set section.key=value``."""

from typing import Any

from velocity_mobility_ros.core.parameters import declarations

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario import SECTIONS, Scenario
from soliton_encirclement_ros.core.yaml_text import read_yaml

Changes = dict[str, dict[str, Any]]


def apply_changes(scenario: Scenario, settings: list[str], options: Changes) -> Scenario:
    """Return a scenario with the command line's changes.

    Args:
        scenario: As read from its file.
        settings: Texts of the form ``section.key=value``.
        options: Values of options such as ``--agents``, by section and key; None is left out.

    Raises:
        ScenarioError: A change is not understood or refused.
    """
    changes: Changes = {}
    for setting in settings:
        section, key, value = _parse(setting)
        changes.setdefault(section, {})[key] = value
    for section, values in options.items():
        given = {key: value for key, value in values.items() if value is not None}
        changes.setdefault(section, {}).update(given)
    return scenario.with_changes(changes, 'command line')


def _parse(setting: str) -> tuple[str, str, Any]:
    name, equals, text = setting.partition('=')
    section, dot, key = name.partition('.')
    if not (equals and dot) or section not in SECTIONS:
        raise ScenarioError(
            f'--set {setting!r}: write SECTION.KEY=VALUE with a section among '
            f'{", ".join(SECTIONS)}'
        )
    try:
        return section, key, _value(section, key, text)
    except ScenarioError as error:
        raise ScenarioError(f'--set {setting!r}: {error}') from None


def _value(section: str, key: str, text: str) -> Any:
    """Read a value as YAML; a schedule such as ``20..40: 3`` is a text even without quotes."""
    declaration = declarations(SECTIONS[section]).get(key)
    if declaration is None or declaration.kind is not str:
        return read_yaml(text)
    try:
        value = read_yaml(text)
    except ScenarioError:
        return text
    return value if isinstance(value, str) else text
