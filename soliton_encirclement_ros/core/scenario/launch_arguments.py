"""Arguments of a launch, which are texts: what they mean, and which of them nobody declared."""

import difflib
from collections.abc import Mapping, Sequence

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.overrides import (
    LAUNCH,
    asked_scenario,
    idle_settings,
    split_settings,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario

AUTO = 'auto'
NEW = ':='

OF_LAUNCH = (
    'emulate_tty', 'launch-prefix', 'launch-prefix-filter', 'sigkill_timeout', 'sigterm_timeout',
)  # fmt: skip
"""Arguments that launch itself reads, whatever a launch file declares."""

RUN_VALUES = {
    'agents': 'num_agents',
    'duration': 'sim_duration',
    'seed': 'seed',
    'real_time_factor': 'real_time_factor',
}
"""Arguments that replace a value in the scenario's section ``run``."""


def launched_scenario(given: Mapping[str, str]) -> Scenario:
    """Return the scenario that the arguments of a launch ask for; an empty one asks for nothing.

    Raises:
        ScenarioError: There is no such file, or a value is refused.
    """
    run = {key: number(given[name]) for name, key in RUN_VALUES.items() if given.get(name)}
    control = {'controller': given.get('controller') or None}
    settings = split_settings(given.get('set', ''))
    options = {'run': run, 'control': control}
    return asked_scenario(
        given['scenario'], settings, given.get('vehicle_file', ''), options, LAUNCH
    )


def launch_warnings(scenario: Scenario, given: Mapping[str, str]) -> list[str]:
    """Return what is allowed but hardly meant, of the scenario and of what was set in it."""
    settings = split_settings(given.get('set', ''))
    return [*scenario.warnings, *idle_settings(scenario, settings)]


def number(text: str) -> int | float | str:
    """Return the number that a text stands for, else the text, which the scenario then refuses."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue  # the next kind
    return text


def chosen(text: str) -> bool | None:
    """Return what ``true`` and ``false`` stand for; None for ``auto``."""
    return None if text == AUTO else text == 'true'


def refuse_undeclared(file: str, given: Sequence[str], declared: Sequence[str]) -> None:
    """Refuse arguments that a launch file does not declare: launch drops them without a word.

    Args:
        file: Name of the launch file.
        given: Arguments of the command line, as ``agents:=3``.
        declared: Names that the file declares.

    Raises:
        RunError: An argument is unknown.
    """
    for argument in given:
        name = argument.partition(NEW)[0]
        if name in declared or name in OF_LAUNCH:
            continue
        close = difflib.get_close_matches(name, declared, n=1)
        hint = f'did you mean {close[0]}{NEW}?' if close else f'there are {", ".join(declared)}'
        raise RunError(f'{argument}: {file} has no argument {name!r}; {hint}')
