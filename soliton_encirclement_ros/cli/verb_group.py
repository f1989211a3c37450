"""The verbs of ``swarm``, imported when used: the help needs none of their libraries."""

import importlib
from typing import Any, NamedTuple

import click
import typer
from typer.core import TyperGroup

from soliton_encirclement_ros.cli.options.repeated_options import VerbCommand


class Verb(NamedTuple):
    """Location of a verb: a function, or an app with its own verbs, and its line in the help."""

    module: str
    name: str
    help: str


VERBS = {
    'run': Verb(
        'run', 'run', 'Run a scenario with ROS nodes; exit with 1 if the swarm did not encircle.'
    ),
    'simulate': Verb(
        'simulate',
        'simulate',
        'Simulate scenarios without ROS, as fast as it goes; exit with 1 if a run failed.',
    ),
    'sweep': Verb(
        'sweep',
        'sweep',
        'Simulate the missing runs of a sweep, then write its tables and pictures.',
    ),
    'study': Verb(
        'law_study.study_verbs', 'app', 'Compare laws under many conditions, tuned alike.'
    ),
    'report': Verb(
        'report', 'report', 'Report on a recording of a flight or a simulation; needs no ROS.'
    ),
    'compare': Verb(
        'compare',
        'compare_runs',
        'Compare controllers over their runs, or recordings with each other.',
    ),
    'record': Verb(
        'record',
        'record',
        'Record topics to a bag; ctrl-C closes it. Exit with 1 if data is missing.',
    ),
    'view': Verb(
        'view', 'view', 'Show a running swarm in the browser, simulated or real.'
    ),
    'stop': Verb(
        'operator.stop',
        'stop',
        'Stop all members in flight, or some, until released; exit with 1 if one does not.',
    ),
    'fly': Verb(
        'fly.fly_verbs',
        'app',
        'Take off, engage, hold and land vehicles with autopilots, all at once.',
    ),
    'param': Verb(
        'graph.parameters', 'app', 'List, read, explain and set parameters of running nodes.'
    ),
    'topics': Verb(
        'graph.topics',
        'topics',
        'List topics, print the messages of one until ctrl-C, or measure its rate.',
    ),
    'fail': Verb(
        'graph.agent_failures',
        'fail',
        'Take agents down until they are asked to recover; exit with 1 if one is not.',
    ),
    'recover': Verb(
        'graph.agent_failures',
        'recover',
        'Let agents that are down return; exit with 1 if one is not up then.',
    ),
    'doctor': Verb(
        'doctor.doctor',
        'doctor',
        'Examine this computer before a flight; exit with 1 if something will stop it.',
    ),
    'fit': Verb(
        'fit',
        'fit',
        'Fit the mobility of a vehicle to a recording; exit with 1 if nothing is identifiable.',
    ),
    'warm-up': Verb(
        'warm_up',
        'warm_up',
        'Compile the laws ahead of their first use; exit with 1 if they cannot be stored.',
    ),
    'scenario': Verb('scenario_verbs', 'app', 'Check and explain scenarios.'),
    'vehicle': Verb('vehicle_verbs', 'app', 'List and compare vehicles.'),
}
"""In the order of the help."""


class VerbGroup(TyperGroup):
    """Verbs whose name and help line are known, imported only when used."""

    def __init__(self, **settings: Any) -> None:
        """Register every verb without importing it."""
        super().__init__(**settings)
        for name, verb in VERBS.items():
            self.commands[name] = click.Command(name, help=verb.help)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help, whatever the version of click."""
        return [*VERBS]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Import the verb that is used."""
        if args[0] in VERBS:
            self.commands[args[0]] = load(args[0], self.rich_markup_mode)
        return super().resolve_command(ctx, args)


def load(name: str, style: Any) -> click.Command:
    """Import a verb; return it with all its options.

    Args:
        name: One of ``VERBS``.
        style: Style of its help, as Typer has it.
    """
    verb = VERBS[name]
    module = importlib.import_module(f'soliton_encirclement_ros.cli.{verb.module}')
    found = getattr(module, verb.name)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False)
        alone.command(name, cls=VerbCommand)(found)
        found = alone
    found.rich_markup_mode = style
    command = typer.main.get_command(found)
    command.name = name
    return command
