"""``swarm scenario``: check a scenario, list its parameters, list what comes along."""

import dataclasses
import json
from collections.abc import Iterator

import typer
from rich.console import Console
from rich.table import Table
from velocity_mobility_ros.core.parameters import declarations

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.plan import PlanOptions, swarm_plan
from soliton_encirclement_ros.core.scenario import SECTIONS, Scenario, load_scenario
from soliton_encirclement_ros.core.share import find_scenario, share_folder

HEAD = ('section.key', 'default', 'unit', 'bound', 'meaning')
RULE = ('---',) * len(HEAD)

app = typer.Typer(help='Check and explain scenarios.', no_args_is_help=True)


@app.command()
def check(
    scenario: str = typer.Argument(help='File, or name of a scenario that comes along.'),
    as_json: bool = typer.Option(False, '--json', help='Print every value as JSON.'),
) -> int:
    """Say whether a scenario is valid and what it would start."""
    checked = load_scenario(find_scenario(scenario))
    if as_json:
        typer.echo(json.dumps(dataclasses.asdict(checked), indent=2))
        return 0
    for warning in checked.warnings:
        typer.echo(f'warning: {warning}', err=True)
    typer.echo(
        f'{checked.name}: valid; {checked.run.num_agents} agents, {checked.run.sim_duration:g} s, '
        f'{checked.ticks} ticks, {_nodes(checked)}'
    )
    return 0


def _nodes(scenario: Scenario) -> str:
    """Return how many nodes a scenario starts, or why it starts none."""
    try:
        nodes = swarm_plan(scenario, PlanOptions(run_folder='runs/...'))
    except ScenarioError as error:
        return f'no nodes, only for `swarm simulate` and `swarm sweep`: {error}'
    return f'{len(nodes)} nodes'


@app.command('list')
def list_scenarios() -> int:
    """List the scenarios that come along."""
    for file in sorted((share_folder() / 'config' / 'scenarios').glob('*.yaml')):
        first = file.read_text(encoding='utf-8').splitlines()[0].lstrip('# ')
        typer.echo(f'{file.stem:20} {first}')
    return 0


@app.command()
def parameters(
    markdown: bool = typer.Option(False, '--markdown', help='As a table for the documentation.'),
) -> int:
    """Print every parameter of a scenario with unit, default, bound and meaning."""
    if markdown:
        typer.echo('\n'.join('| ' + ' | '.join(row) + ' |' for row in [HEAD, RULE, *_rows()]))
        return 0
    table = Table(*HEAD)
    for row in _rows():
        table.add_row(*row)
    Console().print(table)
    return 0


def _rows() -> Iterator[tuple[str, ...]]:
    for section, record in SECTIONS.items():
        for name, declaration in declarations(record).items():
            default = 'none' if declaration.default is None else str(declaration.default)
            bound = declaration.bound.removesuffix(declaration.unit).strip()
            row = (f'{section}.{name}', default, declaration.unit, bound)
            yield (*row, declaration.meaning)
