"""``swarm scenario``: check, show and copy scenarios, list them and their parameters."""

import dataclasses
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Optional

import typer
from rich.table import Table
from velocity_mobility_ros.core.parameters import declarations
from velocity_mobility_ros.core.shown import counted

from soliton_encirclement_ros.cli.options.option_checks import SCENARIOS
from soliton_encirclement_ros.cli.options.option_types import PATH
from soliton_encirclement_ros.cli.options.shared_options import SCENARIO_HELP
from soliton_encirclement_ros.cli.output import print_json
from soliton_encirclement_ros.cli.verbs import need_verb
from soliton_encirclement_ros.cli.views.terminal_tables import print_table, wide_console
from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.files.package_share import find_scenario, share_folder
from soliton_encirclement_ros.core.files.path_kind import is_folder
from soliton_encirclement_ros.core.files.yaml_text import read_text
from soliton_encirclement_ros.core.scenario.placement import check_starts
from soliton_encirclement_ros.core.scenario.scenario import SECTIONS, Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.scenario_text import full_text
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions, swarm_plan

HEAD = ('section.key', 'default', 'unit', 'bound', 'meaning')
RULE = ('---',) * len(HEAD)

app = typer.Typer(help='Check and explain scenarios.', add_completion=False)
app.callback(invoke_without_command=True)(need_verb)


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
    text, target = read_text(path, 'scenario'), _copy_path(path, to)
    load_scenario(path)
    try:
        file = target.open('x', encoding='utf-8')
    except FileExistsError:
        raise RunError(f'{target}: already exists; name another file') from None
    except OSError as error:
        raise RunError(f'{target}: cannot write: {error.strerror}; name another file') from None
    try:
        with file:
            file.write(text)
    except OSError as error:
        target.unlink(missing_ok=True)  # an empty file would be a scenario, all of defaults
        raise RunError(f'{target}: cannot write: {error.strerror}; name another file') from None
    typer.echo(f'{target}: edit it, then run: swarm simulate {shlex.quote(str(target))}')
    return 0


def _copy_path(path: Path, to: Optional[Path]) -> Path:
    """Return the path for the copy of a file.

    Raises:
        RunError: The name is not that of a scenario file.
    """
    target = Path(path.name) if to is None else to / path.name if is_folder(to) else to
    if target.suffix.lower() not in SCENARIOS:
        raise RunError(f'{target}: the name must end in one of {", ".join(SCENARIOS)}')
    return target


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
        typer.echo(
            '\n'.join('| ' + ' | '.join(row) + ' |' for row in [HEAD, RULE, *_rows(controller)])
        )
        return 0
    table = Table(*HEAD)
    for row in _rows(controller):
        table.add_row(*row)
    print_table(table, wide_console(False))
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
