"""Applies the vehicle, settings and options of a command or launch to a scenario."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.renamed_parameters import (
    present_name, present_section
)
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario, read_yaml
from soliton_encirclement_ros.core.scenario.vehicle_file import find_vehicle, read_vehicle
from velocity_mobility_ros.core.parameter_declaration import Parameters, declarations
from velocity_mobility_ros.core.user_errors import counted, cut, shown

Changes = dict[str, dict[str, Any]]

NEXT_SETTING = re.compile(r'(?:^|[\s;]+)(?=[A-Za-z_]\w*\.[A-Za-z_]\w*=)')
"""Separator before each setting; a value may itself contain spaces and ``;``."""


OPTIONS = {
    'run.num_agents': 'agents',
    'run.sim_duration': 'duration',
    'run.seed': 'seed',
    'run.real_time_factor': 'real_time_factor',
    'control.controller': 'controller',
}
"""Parameters with their own option, and its name."""


class OverrideSource(NamedTuple):
    """Source of changes, as named in errors."""

    name: str
    settings: str

    def option(self, key: str, value: Any) -> str:
        """Return the option of a key as the user writes it."""
        if self == LAUNCH:
            return f'{OPTIONS[key]}:={cut(str(value))}'
        return f'--{OPTIONS[key].replace("_", "-")} {cut(str(value))}'


COMMAND_LINE = OverrideSource('command line', '--set ')
LAUNCH = OverrideSource('launch arguments', 'set:=')


def requested_scenario(
    name: str,
    settings: list[str],
    vehicle: str,
    options: Changes,
    source: OverrideSource = COMMAND_LINE,
) -> Scenario:
    """Return a scenario with the requested changes.

    Args:
        name: File, or name of an included scenario.
        settings: Texts of the form ``section.key=value``.
        vehicle: File, or name, of a vehicle; settings override its values, these the scenario's.
            Empty: no vehicle file.
        options: Values of options such as ``--agents``, by section and key; None is left out.
        source: Where the changes come from.

    Raises:
        ScenarioError: There is no such file, or a change is not understood or refused.
    """
    scenario = load_scenario(find_scenario(name))
    if vehicle:
        path = find_vehicle(vehicle)
        scenario = scenario.with_changes({'mobility': read_vehicle(path).mobility}, str(path))
    return apply_changes(scenario, settings, options, source)


def nested(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return values that are named ``section.key`` by section and key."""
    sections: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        section, _, key = name.partition('.')
        sections.setdefault(section, {})[key] = value
    return sections


def idle_settings(scenario: Scenario, settings: list[str]) -> list[str]:
    """Return one line per setting without effect, because of another value of the scenario.

    Args:
        scenario: The changed scenario.
        settings: Texts of the form ``section.key=value``.
    """
    idle, law = scenario.idle, scenario.control.controller
    given = (setting.partition('=')[0] for setting in settings)
    names = dict.fromkeys(present_name(name, law) for name in given)
    return [idle[name] for name in names if name in idle]


def no_effect_warnings(keys: Sequence[str], scenarios: Collection[Scenario]) -> list[str]:
    """Return one line per key of a design without effect at any of its points.

    Args:
        keys: Varied parameters, as ``section.key``.
        scenarios: One scenario per point.
    """
    lines = []
    for key in keys:
        section, _, name = key.partition('.')
        varied = [point for point in scenarios if _is_varied(getattr(point, section), name)]
        if varied and all(key in point.ineffective for point in varied):
            lines.append(f'design: {key} has no effect {varied[0].ineffective[key]}')
    return lines


def same_flight_warnings(
    keys: Sequence[str], scenarios: Collection[Scenario], seeds: int
) -> list[str]:
    """Return one line per reason why points of a design are the same flight.

    Args:
        keys: Varied parameters, as ``section.key``.
        scenarios: One scenario per point.
        seeds: Number of seeds with which each is flown.
    """
    groups: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        groups.setdefault(str(_effective(scenario)), []).append(scenario)
    sizes: dict[str, list[int]] = {}
    for alike in groups.values():
        if len(alike) > 1:
            sizes.setdefault(_why_alike(keys, alike), []).append(len(alike))
    runs = len(scenarios) * seeds
    return [
        f'design: {why}: {sum(counts)} points are only {counted(len(counts), "flight")}; a block '
        f'without it for them saves {(sum(counts) - len(counts)) * seeds} of {runs} runs'
        for why, counts in sizes.items()
    ]


def _effective(scenario: Scenario) -> dict[str, Any]:
    """Return every value of a scenario; those without effect as if they were not given."""
    content = scenario.as_dict()
    for full in scenario.ineffective:
        section, _, key = full.partition('.')
        content[section][key] = None
    return content


def _why_alike(keys: Sequence[str], alike: Sequence[Scenario]) -> str:
    first, *others = (scenario.as_dict() for scenario in alike)
    varied = [
        key for key in keys
        if any(value_at(other, key) != value_at(first, key) for other in others)
    ]  # fmt: skip
    reasons = alike[0].ineffective
    return ' and '.join(f'{key} has no effect {reasons[key]}' for key in varied)


def value_at(content: Mapping[str, Any], full: str) -> Any:
    """Return the value of a parameter, as ``section.key``; None: only another law has it."""
    section, _, key = full.partition('.')
    return content[section].get(key)


def _is_varied(record: Parameters, name: str) -> bool:
    """Return whether a section has a parameter and its value is not the default."""
    declared = declarations(type(record)).get(name)
    return declared is not None and getattr(record, name) != declared.default


def split_settings(text: str) -> list[str]:
    """Return the settings in a text, separated by spaces or ``;``."""
    pieces = (piece.strip().rstrip('; \t\n') for piece in NEXT_SETTING.split(text))
    return [piece for piece in pieces if piece]


def apply_changes(
    scenario: Scenario,
    settings: list[str],
    options: Changes,
    source: OverrideSource = COMMAND_LINE,
) -> Scenario:
    """Return a scenario with the changes of a command line or a launch.

    Args:
        scenario: As read from its file.
        settings: Texts of the form ``section.key=value``.
        options: Values of options such as ``--agents``, by section and key; None is left out.
        source: Where the changes come from.

    Raises:
        ScenarioError: A change is not understood or refused, or two contradict each other.
    """
    changes: Changes = {}
    texts: dict[tuple[str, str], str] = {}
    for setting in settings:
        section, key, value = _parse(setting, source)
        known = changes.setdefault(section, {})
        text = f'{source.settings}{cut(" ".join(setting.split()))}'
        _refuse_other(known, key, value, texts.setdefault((section, key), text), text)
        known[key] = value
    for section, values in options.items():
        known = changes.setdefault(section, {})
        for key, value in values.items():
            if value is None:
                continue
            if key in known:
                text = source.option(f'{section}.{key}', value)
                _refuse_other(known, key, value, text, texts[section, key])
            known[key] = value
    return scenario.with_changes(changes, source.name)


def _refuse_other(known: dict[str, Any], key: str, value: Any, text: str, other: str) -> None:
    """Refuse a second value for the same parameter.

    Raises:
        ScenarioError: The values differ.
    """
    if key in known and known[key] != value:
        raise ScenarioError(f'{text} and {other} contradict each other: give one of them')


def _parse(setting: str, source: OverrideSource) -> tuple[str, str, Any]:
    name, equals, text = setting.partition('=')
    section, dot, key = name.partition('.')
    if not (equals and dot) or present_section(section) not in SECTIONS:
        raise ScenarioError(
            f'{source.settings}{shown(setting)}: write SECTION.KEY=VALUE with a section among '
            f'{", ".join(SECTIONS)}'
        )
    try:
        return section, key, _value(name, text)
    except ScenarioError as error:
        raise ScenarioError(f'{source.settings}{shown(setting)}: {error}') from None


def _value(name: str, text: str) -> Any:
    """Read a value as YAML; a schedule such as ``20..40: 3`` needs no quotes."""
    section, _, key = present_name(name).partition('.')
    declaration = declarations(SECTIONS[section]).get(key)
    if declaration is None or declaration.kind is not str:
        return read_yaml(text)
    try:
        value = read_yaml(text)
    except ScenarioError:
        return text
    return value if isinstance(value, str) else text
