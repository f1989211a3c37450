"""Converts the text arguments of a launch, and refuses undeclared ones."""

import difflib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

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
"""Arguments of launch itself, valid for every launch file."""

NO_BRIDGE = 'bridge:=false'

BESIDE_AGENTS = ('bridge', 'monitor', 'record', 'rviz', 'target')
"""Arguments that start something besides agents."""

RUN_VALUES = {
    'agents': 'num_agents',
    'duration': 'sim_duration',
    'seed': 'seed',
    'real_time_factor': 'real_time_factor',
}
"""Arguments that replace a value in the scenario's section ``run``."""


def launched_scenario(given: Mapping[str, str]) -> Scenario:
    """Return the scenario from the arguments of a launch; empty arguments are ignored.

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
    """Return the warnings of the scenario, and settings without effect."""
    settings = split_settings(given.get('set', ''))
    return [*scenario.warnings, *idle_settings(scenario, settings)]


def number(text: str) -> int | float | str:
    """Return a text as a number, else unchanged; the scenario then refuses it."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue  # the next kind
    return text


def chosen(text: str) -> bool | None:
    """Return ``true`` or ``false`` as bool; None for ``auto``."""
    return None if text == AUTO else text == 'true'


def agent_again(file: str, words: Sequence[str]) -> str:
    """Return the command that starts the agent of a launch again, beside the bridge that runs.

    Args:
        file: Name of the launch file.
        words: Words of the command line. Those of another program, or of a launch file that
            includes this one, are not repeated.
    """
    names = [Path(word).name for word in words]
    if names[:1] != ['ros2'] or file not in names:
        return f'{file} with the same arguments and {NO_BRIDGE}'
    kept = [word for word in words[1:] if word.partition(NEW)[0] not in BESIDE_AGENTS]
    return shlex.join(['ros2', *kept, NO_BRIDGE])


def refuse_undeclared(file: str, given: Sequence[str], declared: Sequence[str]) -> None:
    """Refuse arguments that a launch file does not declare: launch ignores them silently.

    Args:
        file: Name of the launch file.
        given: Arguments of the command line, such as ``agents:=3``.
        declared: Names declared by the file.

    Raises:
        RunError: An argument is unknown.
    """
    for argument in given:
        name = argument.partition(NEW)[0]
        if name in declared or name in OF_LAUNCH:
            continue
        close = difflib.get_close_matches(name, declared, n=1)
        hint = (
            f'did you mean {close[0]}{NEW}?' if close else f'arguments are {", ".join(declared)}'
        )
        raise RunError(f'{argument}: {file} has no argument {name!r}; {hint}')
