"""``swarm scenario``: check, show and copy scenarios, list them and their parameters.

Options by which other verbs select a scenario are here as well.
"""

import dataclasses
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Optional

import click
import typer

from soliton_encirclement_ros.cli.app import require_verb
from soliton_encirclement_ros.cli.options import INTEGER, NUMBER, PATH, SCENARIOS, TEXT
from soliton_encirclement_ros.cli.output import print_json
from soliton_encirclement_ros.cli.streams.streaming import STREAMS
from soliton_encirclement_ros.cli.views.terminal_display import print_rows
from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.files import is_folder, is_there, replacing, writing
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.scenario.overrides import idle_settings, requested_scenario
from soliton_encirclement_ros.core.scenario.placement import check_starts
from soliton_encirclement_ros.core.scenario.scenario import (
    SECTIONS, Scenario, full_text, load_scenario
)
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan
from soliton_encirclement_ros.core.scenario.user_files import (
    find_scenario, read_text, share_folder
)
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.user_errors import counted

NOTHING: Mapping[str, str] = MappingProxyType({})

SCENARIO_HELP = 'Scenario file, or name of an installed scenario.'
LAWS = ', '.join(CONTROLLER_NAMES)

AGENTS = typer.Option(None, click_type=INTEGER, help='Number of agents.')
DURATION = typer.Option(None, click_type=NUMBER, help='Simulated time in seconds.')
SEED = typer.Option(None, click_type=INTEGER, help='Seed of every random stream.')
CONTROLLER = typer.Option(None, help=f'Control law: {LAWS}, or your own FILE.py.')
SETTINGS = typer.Option(
    [], '--set', help='SECTION.KEY=VALUE; may be repeated.', show_default=False
)
VEHICLE = typer.Option(
    None,
    click_type=TEXT,
    help="Vehicle file, or name of an installed one; replaces the scenario's mobility.",
)
NAMESPACE = typer.Option(
    '', help='Namespace of the swarm, so that several can share a ROS domain.'
)
STREAM = typer.Option(
    None, '--stream', click_type=click.Choice(list(STREAMS)),
    help='Send it live to another viewer: Foxglove (or Lichtblick), or Rerun.',
)  # fmt: skip
OUT = typer.Option(Path('runs'), click_type=PATH, help='Folder for the run folders.')


def read_scenario(
    name: str,
    settings: list[str],
    controller: str | None = None,
    vehicle: str | None = None,
    unused: Mapping[str, str] = NOTHING,
    warned: Optional[set[str]] = None,
    **run: Any,
) -> Scenario:
    """Return a scenario with the overrides of the command line; warn about unlikely values.

    Args:
        name: File, or name of an installed scenario.
        settings: Texts of the form ``section.key=value``.
        controller: Name of the law; None: as the scenario says.
        vehicle: File of a vehicle; ``--set`` overrides its values, these those of the scenario.
        unused: Values without effect in this verb, by section and key, and why.
        warned: Earlier warnings, which are not repeated; new ones are added.
        **run: Values of the section ``run``; None is left out.

    Raises:
        ScenarioError: There is no such scenario, or a value is refused.
    """
    options = {'run': run, 'control': {'controller': controller}}
    scenario = requested_scenario(name, settings, vehicle or '', options)
    given = dict.fromkeys(setting.partition('=')[0] for setting in settings)
    unused_lines = [
        f'{name} has no effect here: {unused[name]}' for name in given if name in unused
    ]
    known = set() if warned is None else warned
    for warning in [*scenario.warnings, *idle_settings(scenario, settings), *unused_lines]:
        if warning in known:
            continue
        known.add(warning)
        print(f'warning: {warning}', file=sys.stderr)
    check_starts(scenario)
    return scenario


HEAD = ('section.key', 'default', 'unit', 'bound', 'meaning')
RULE = ('---',) * len(HEAD)

app = typer.Typer(help='Check and explain scenarios.', add_completion=False)
app.callback(invoke_without_command=True)(require_verb)


@app.command('check')
def check_scenario(
    scenario: str = typer.Argument(help=SCENARIO_HELP),
    as_json: bool = typer.Option(False, '--json', help='Print every value as JSON.'),
) -> int:
    """Check a scenario, and print the number of agents, ticks and nodes."""
    checked = load_scenario(find_scenario(scenario))
    check_starts(checked)
    if as_json:
        print_json(dataclasses.asdict(checked))
        return 0
    for warning in [*checked.warnings, *checked.idle.values()]:
        typer.echo(f'warning: {warning}', err=True)
    typer.echo(
        f'{checked.name}: valid; {counted(checked.run.num_agents, "agent")}, '
        f'{checked.run.sim_duration:g} s, {counted(checked.ticks, "tick")}, {_nodes(checked)}'
    )
    return 0


def _nodes(scenario: Scenario) -> str:
    """Return how many nodes a scenario starts, or why it starts none."""
    try:
        nodes = swarm_plan(scenario, PlanOptions(run_folder='runs/...'))
    except ScenarioError as error:
        return f'no nodes, only for `swarm simulate` and `swarm sweep`: {error}'
    return f'{len(nodes)} nodes'


@app.command()
def show(
    scenario: str = typer.Argument(help=SCENARIO_HELP),
    everything: bool = typer.Option(
        False, '--all', help='All values, defaults included, with unit and meaning.'
    ),
) -> int:
    """Print a scenario file."""
    path = find_scenario(scenario)
    text = full_text(load_scenario(path)) if everything else read_text(path, 'scenario')
    typer.echo(text, nl=not text.endswith('\n'))
    return 0


@app.command()
def copy(
    scenario: str = typer.Argument(help=SCENARIO_HELP),
    to: Optional[Path] = typer.Argument(
        None,
        metavar='[FILE]',
        click_type=PATH,
        help='File or folder of the copy.',
        show_default='./NAME.yaml',
    ),
) -> int:
    """Copy a scenario to a new file for editing; no file is overwritten."""
    path = find_scenario(scenario)
    text = read_text(path, 'scenario')
    load_scenario(path)
    target = Path(path.name) if to is None else to / path.name if is_folder(to) else to
    if target.suffix.lower() not in SCENARIOS:
        raise RunError(f'{target}: the name must end in one of {", ".join(SCENARIOS)}')
    if is_there(target):
        raise RunError(f'{target}: already exists; name another file')
    with writing(target, advice='; name another file'), replacing(target) as part:
        part.write_text(text, encoding='utf-8')  # an empty file would be a scenario
    typer.echo(f'{target}: edit it, then run: swarm simulate {shlex.quote(str(target))}')
    return 0


@app.command('list')
def list_scenarios() -> int:
    """List the installed scenarios."""
    for file in sorted((share_folder() / 'config' / 'scenarios').glob('*.yaml')):
        first = file.read_text(encoding='utf-8').splitlines()[0].lstrip('# ')
        typer.echo(f'{file.stem:20} {first}')
    return 0


@app.command()
def parameters(
    markdown: bool = typer.Option(False, '--markdown', help='Print a Markdown table.'),
    controller: Optional[str] = typer.Option(None, help='Also list the parameters of this law.'),
) -> int:
    """Print every parameter of a scenario with unit, default, bound and meaning."""
    if markdown:
        for row in (HEAD, RULE, *_rows(controller)):
            typer.echo('| ' + ' | '.join(cell.replace('|', '\\|') for cell in row) + ' |')
        return 0
    print_rows(HEAD, _rows(controller))
    return 0


def _rows(controller: Optional[str]) -> Iterator[tuple[str, ...]]:
    asked = {'control': {'controller': controller}} if controller else {}
    scenario = Scenario().with_changes(asked, f'--controller {controller}')
    for section in SECTIONS:
        for name, declaration in declarations(type(getattr(scenario, section))).items():
            default = 'none' if declaration.default is None else str(declaration.default)
            bound = declaration.bound.removesuffix(declaration.unit).strip()
            row = (f'{section}.{name}', default, declaration.unit, bound)
            yield (*row, declaration.meaning)
