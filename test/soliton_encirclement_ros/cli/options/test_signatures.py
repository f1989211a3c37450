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


def test_every_number_and_path_is_of_the_strict_types():
    lax = (click.types.IntParamType, click.types.FloatParamType, click.Path)
    found = [one for name, verb in VERB_COMMANDS.items() for one in arguments_of(verb, name)]
    numbers = [name for name, kind in found if isinstance(kind, lax)]
    others = [name for name, kind in found if isinstance(kind, lax)
              and type(kind).__module__ != options.__name__]  # fmt: skip
    assert not others, f'Python reads digits of any script: use NUMBER, PATH, WHOLE: {others}'
    assert len(numbers) > 30
