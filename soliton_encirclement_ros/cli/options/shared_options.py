"""Options that several verbs share, and the scenario that they select."""

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Optional

import click
import typer

from soliton_encirclement_ros.cli.options.option_types import NUMBER, PATH, TEXT, WHOLE
from soliton_encirclement_ros.cli.streams.streaming import STREAMS
from soliton_encirclement_ros.core.parameters.control_parameters import CONTROLLER_NAMES
from soliton_encirclement_ros.core.scenario.overrides import asked_scenario, idle_settings
from soliton_encirclement_ros.core.scenario.placement import check_starts
from soliton_encirclement_ros.core.scenario.scenario import Scenario

NOTHING: Mapping[str, str] = MappingProxyType({})

SCENARIO_HELP = 'Scenario file, or name of an installed scenario.'
LAWS = ', '.join(CONTROLLER_NAMES)

AGENTS = typer.Option(None, click_type=WHOLE, help='Number of agents.')
DURATION = typer.Option(None, click_type=NUMBER, help='Simulated time in seconds.')
SEED = typer.Option(None, click_type=WHOLE, help='Seed of every random stream.')
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
    scenario = asked_scenario(name, settings, vehicle or '', options)
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
