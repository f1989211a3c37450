"""The signatures that typer reads: its oldest version understands them, the types are ours."""

import inspect
import types

import click
import pytest

from soliton_encirclement_ros.cli import options, scenario_verbs
from soliton_encirclement_ros.cli.app import VERBS, load

VERB_COMMANDS = {name: load(name, None) for name in VERBS}
COMMANDS = [
    *(command.callback for name, command in VERB_COMMANDS.items() if name != 'scenario'),
    *(command.callback for command in scenario_verbs.app.registered_commands),
]


@pytest.mark.parametrize('command', COMMANDS, ids=lambda command: command.__name__)
def test_no_option_is_declared_as_a_union_of_the_new_spelling(command):
    parameters = inspect.signature(command).parameters
    new = [name for name, one in parameters.items() if isinstance(one.annotation, types.UnionType)]
    assert not new, f'typer 0.9 of Ubuntu 24.04 reads Optional[X] only: {new}'


def arguments_of(command, name=''):
    """Yield everything that a command and those below it take."""
    for below, one in getattr(command, 'commands', {}).items():
        yield from arguments_of(one, f'{name} {below}')
    yield from ((f'{name} {one.name}', one.type) for one in command.params)


def test_no_path_may_be_empty():
    found = [one for name, verb in VERB_COMMANDS.items() for one in arguments_of(verb, name)]
    paths = {name: kind for name, kind in found if isinstance(kind, click.Path)}
    assert len(paths) > 10
    assert all(type(kind).__module__ == options.__name__ for kind in paths.values()), paths
