"""What README.md and docs/ print can be typed: programs, verbs, options, parameters exist."""

import re
from collections.abc import Iterator
from typing import Any

import click
import pytest
import typer

from soliton_encirclement_ros.cli import executables
from soliton_encirclement_ros.cli.app import app
from soliton_encirclement_ros.cli.runs.batch_runs import laws_of
from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.parameters.target_parameters import (
    AdversaryParameters, TargetParameters
)
from soliton_encirclement_ros.core.scenario.overrides import requested_scenario
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of, settings_of_law
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS
from soliton_encirclement_ros.core.scenario.user_files import find_scenario, read_yaml
from soliton_encirclement_ros.nodes.node_parameters import FleetParameters
from support.pages import (
    PAGES, REPOSITORY, TUTORIALS, Command, blocks, commands, inline_commands, prose, text_of
)
from support.ros.node_names import NODE_NAMES
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.vehicles.vehicle import VEHICLES

SWARM = typer.main.get_command(app)
LABELS = {'mermaid', 'python', 'sh', 'text', 'yaml'}
PROGRAMS = ('dask', 'export', 'make', 'python', 'ros2', 'swarm')
OMITTED = re.compile(r'\.\.\.$|\[.*\]$|^\.\.\.')


@pytest.mark.parametrize('page', [*PAGES, *TUTORIALS])
def test_every_block_says_what_it_is(page: str) -> None:
    """So that none is left out here; commands stand in blocks that are `sh`."""
    assert {block.language for block in blocks(page)} <= LABELS
    assert not re.findall(rf'^    (?:{"|".join(PROGRAMS)}) .*', prose(page), re.MULTILINE)


def parsed(words: tuple[str, ...], is_whole: bool = True) -> tuple[str, dict[str, Any]]:
    """Return verb and options of a `swarm` command as its command line understands them.

    Args:
        words: What is typed.
        is_whole: Whether it is more than the name of a verb with some of its options.

    Raises:
        click.UsageError: It does not understand them.
    """
    context, command, rest = click.Context(SWARM, info_name='swarm'), SWARM, [*words[1:]]
    while isinstance(command, click.Group) and rest[:1] not in ([], ['--help'], ['--version']):
        name, command, rest = command.resolve_command(context, rest)
        assert name and command
        context = click.Context(command, context, name)
    if '--help' not in rest and not isinstance(command, click.Group):
        try:
            command.parse_args(context, [word for word in rest if not OMITTED.search(word)])
        except (click.BadOptionUsage, click.MissingParameter):
            if is_whole:
                raise
    return context.command_path, context.params


def swarm_commands(page: str) -> Iterator[tuple[Command, bool]]:
    """Iterate over the `swarm` commands of a page, and whether each is whole."""
    for command in commands(page):
        if command.words[0] == 'swarm':
            yield command, True
        elif command.words[:2] == ('make', 'sim'):
            yield made(command), True
    for command in inline_commands(page, 'swarm'):
        yield command, False
    for command in inline_commands(page, 'make'):
        if command.words[1:2] == ('sim',):
            yield made(command), True


def made(command: Command) -> Command:
    """Return what `make sim` types."""
    given = ' '.join(word for word in command.words if word.startswith('ARGS='))
    return command._replace(words=('swarm', 'run', 'demo', *given[len('ARGS=') :].split()))


@pytest.mark.parametrize('page', PAGES)
def test_the_command_line_understands_every_swarm_command(page: str) -> None:
    """And scenario, law, vehicle and settings of a run are there and accepted."""
    for command, is_whole in swarm_commands(page):
        try:
            verb, options = parsed(command.words, is_whole)
        except click.UsageError as error:
            pytest.fail(f'{command.place}: {" ".join(command.words)}: {error.format_message()}')
        if verb in ('swarm run', 'swarm simulate') and options:
            plan(options)


def plan(options: dict[str, Any]) -> None:
    """Read what a run would fly, unless a file of the reader's is in it.

    Raises:
        ScenarioError: It would be refused.
    """
    names = options['scenarios'] if 'scenarios' in options else [options['scenario']]
    laws = laws_of(options['controllers'] if 'controllers' in options else
                   [one for one in [options['controller']] if one])  # fmt: skip
    given = [*(names or ['demo']), *laws, *options['changes'], options['vehicle'] or '']
    if any(word.isupper() or re.search(r'\.(py|yaml|\.\.)$', word) for word in given):
        return
    run = {
        'num_agents': options['agents'], 'sim_duration': options['duration'],
        'seed': options['seed'],
    }  # fmt: skip
    for law in laws or [None]:
        changes = options['changes']
        mine = settings_of_law(changes, law, laws) if law else changes
        for name in names or ['demo']:
            asked = {'run': run, 'control': {'controller': law}}
            requested_scenario(str(find_scenario(name)), mine, options['vehicle'] or '', asked)


OWN = re.compile(r'^    (\w+): \w+ = parameter\(', re.MULTILINE)


def own_parameters(page: str) -> set[str]:
    """Return the parameters that Python code of a page declares."""
    return {name for block in blocks(page, 'python') for name in OWN.findall(block.text)}


SETTING = re.compile(r'--set ([a-z]\w*)\.(\w+)=')


@pytest.mark.parametrize('page', PAGES)
def test_every_setting_is_a_parameter_of_a_scenario(page: str) -> None:
    known = {f'{section}.{name}' for section in SECTIONS for name in declarations(
        SECTIONS[section])}  # fmt: skip
    for law in CONTROLLERS:
        known |= {f'control.{name}' for name in declarations(record_of('control', law))}
    known |= {f'{section}.{name}' for section in SECTIONS for name in own_parameters(page)}
    wanted = {f'{section}.{name}' for section, name in SETTING.findall(text_of(page))}
    assert wanted - known - {'section.key'} == set()


RECORDS = {
    'target_node': (FleetParameters, TargetParameters),
    'adversary_node': (FleetParameters, AdversaryParameters),
    'monitor_node': (FleetParameters,),
}
"""Parameters of nodes without a file in config/nodes, as far as pages name them."""


def parameters_of(executable: str) -> set[str]:
    """Return the names of the parameters of a node."""
    file = REPOSITORY / 'config' / 'nodes' / f'{executable}.yaml'
    if file.exists():
        names = {*read_yaml(file.read_text())['/**']['ros__parameters']}
    else:
        names = {name for one in RECORDS[executable] for name in declarations(one)}
    if executable == 'mobility_node':
        names |= {name for one in VEHICLES.values() for name in declarations(one.parameters)}
    return names | {'use_sim_time'}


OURS = ('soliton_encirclement_ros',), ('velocity_mobility_ros',)
"""Packages whose executables are ours."""


@pytest.mark.parametrize('page', PAGES)
def test_nodes_have_the_parameters_that_they_are_started_with(page: str) -> None:
    """After ``-p``, of ours and only of ours; every node is one that there is."""
    for command in [*commands(page), *inline_commands(page, 'ros2')]:
        words = command.words
        name = words[3] if words[:2] == ('ros2', 'run') and len(words) > 3 else words[0]
        if words[:2] == ('ros2', 'run') and words[2:3] in OURS:
            assert hasattr(executables, name) or name == 'swarm', command
        if hasattr(executables, name) and name in NODE_NAMES:
            given = {words[k + 1].partition(':=')[0] for k, w in enumerate(words) if w == '-p'}
            assert given <= parameters_of(name), command


@pytest.mark.parametrize('page', PAGES)
def test_nodes_have_the_parameters_that_are_set_in_flight(page: str) -> None:
    """By `swarm param` and by `ros2 param`."""
    executable = {name: one for one, name in NODE_NAMES.items()}
    both = [*inline_commands(page, 'swarm'), *inline_commands(page, 'ros2')]
    for command in [*commands(page), *both]:
        if len(command.words) > 4 and command.words[1] == 'param' and command.words[2] != 'load':
            node = executable[command.words[3].rpartition('/')[2]]
            assert command.words[4] in parameters_of(node) | own_parameters(page), command


@pytest.mark.parametrize('page', PAGES)
def test_what_make_is_told_is_in_the_makefile(page: str) -> None:
    """Its targets and its variables."""
    text = (REPOSITORY / 'Makefile').read_text(encoding='utf-8')
    targets = {*re.findall(r'^([\w-]+):(?!=)', text, re.MULTILINE)}
    variables = {*re.findall(r'^(\w+) :?\??=', text, re.MULTILINE)}
    for command in [*commands(page), *inline_commands(page, 'make')]:
        if command.words[0] == 'make':
            given = {word.partition('=')[0] for word in command.words[1:] if '=' in word}
            asked = {word for word in command.words[1:] if '=' not in word}
            is_message = len(asked) > 1  # 'make no sense'
            assert is_message or (given <= variables and asked <= targets), command
