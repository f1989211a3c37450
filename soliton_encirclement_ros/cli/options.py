"""Options that several verbs share, and the scenario they ask for."""

import sys
from pathlib import Path
from typing import Any

import typer

from soliton_encirclement_ros.cli.changes import apply_changes
from soliton_encirclement_ros.core.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.share import find_scenario

SCENARIO_HELP = 'File, or name of a scenario that comes along.'

AGENTS = typer.Option(None, help='Number of agents.')
DURATION = typer.Option(None, help='Simulated time [s].')
SEED = typer.Option(None, help='Seed of every random stream.')
SETTINGS = typer.Option(
    [], '--set', help='SECTION.KEY=VALUE; may be repeated.', show_default=False
)
OUT = typer.Option(Path('runs'), help='Folder for the run folders.')


def read_scenario(name: str, settings: list[str], **run: Any) -> Scenario:
    """Return a scenario with the changes of the command line; warn about what is hardly meant.

    Args:
        name: File, or name of a scenario that comes along.
        settings: Texts of the form ``section.key=value``.
        **run: Values of the section ``run``; None is left out.

    Raises:
        ScenarioError: There is no such scenario, or a value is refused.
    """
    scenario = apply_changes(load_scenario(find_scenario(name)), settings, {'run': run})
    for warning in scenario.warnings:
        print(f'warning: {warning}', file=sys.stderr)
    return scenario
