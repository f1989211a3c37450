"""The signatures that typer reads are ones that the oldest supported typer understands."""

import inspect
import types

import pytest
from soliton_encirclement_ros.cli import scenario
from soliton_encirclement_ros.cli.app import app

COMMANDS = [
    command.callback
    for group in (app, scenario.app)
    for command in group.registered_commands
]  # fmt: skip


@pytest.mark.parametrize('command', COMMANDS, ids=lambda command: command.__name__)
def test_no_option_is_declared_as_a_union_of_the_new_spelling(command):
    parameters = inspect.signature(command).parameters
    new = [name for name, one in parameters.items() if isinstance(one.annotation, types.UnionType)]
    assert not new, f'typer 0.9 of Ubuntu 24.04 reads Optional[X] only: {new}'
