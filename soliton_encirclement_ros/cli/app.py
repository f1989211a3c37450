"""The command line as a whole: verbs, errors in one line, exit codes.

Verbs are imported when used: the help needs none of their libraries.
"""

import importlib
import shutil
from typing import Any

import click
import typer
from typer.core import TyperGroup

from soliton_encirclement_ros import __version__
from soliton_encirclement_ros.cli.output import WRONG_INPUT, print_error
from velocity_mobility_ros.core.user_errors import MobilityError

VERBS = {
    'run': (
        'runs.run_verb:run',
        'Run a scenario with ROS nodes; exit with 1 if the swarm did not encircle.',
    ),
    'simulate': (
        'runs.simulate_verb:simulate',
        'Simulate scenarios without ROS, as fast as it goes; exit with 1 if a run failed.',
    ),
    'sweep': (
        'runs.sweep_verb:sweep',
        'Simulate the missing runs of a sweep, then write its tables and pictures.',
    ),
    'report': (
        'recordings.report_verb:report',
        'Report on a recording of a flight or a simulation; needs no ROS.',
    ),
    'compare': (
        'recordings.compare_verb:compare_runs',
        'Compare controllers over their runs, or recordings with each other.',
    ),
    'record': (
        'recordings.record_verb:record',
        'Record topics to a bag; ctrl-C closes it. Exit with 1 if data is missing.',
    ),
    'view': ('live.view_verb:view', 'Show a running swarm in the browser, simulated or real.'),
    'stop': (
        'operator.stop_verb:stop',
        'Stop all members in flight, or some, until released; exit with 1 if one does not.',
    ),
    'fly': (
        'fly.fly_verbs:app',
        'Take off, engage, hold and land vehicles with autopilots, all at once.',
    ),
    'param': (
        'operator.parameter_verbs:app',
        'List, read, explain and set parameters of running nodes.',
    ),
    'topics': (
        'operator.graph_verbs:topics',
        'List topics, print the messages of one until ctrl-C, or measure its rate.',
    ),
    'fail': (
        'operator.graph_verbs:fail',
        'Take agents down until they are asked to recover; exit with 1 if one is not.',
    ),
    'recover': (
        'operator.graph_verbs:recover',
        'Let agents that are down return; exit with 1 if one is not up then.',
    ),
    'doctor': (
        'doctor:doctor',
        'Examine this computer before a flight; exit with 1 if something will stop it.',
    ),
    'fit': (
        'recordings.fit_verb:fit',
        'Fit the mobility of a vehicle to a recording; exit with 1 if nothing is identifiable.',
    ),
    'warm-up': (
        'warm_up:warm_up',
        'Compile the laws ahead of their first use; exit with 1 if they cannot be stored.',
    ),
    'scenario': ('scenario_verbs:app', 'Check and explain scenarios.'),
    'vehicle': ('vehicle_verbs:app', 'List and compare vehicles.'),
}
"""Place of each verb, a function or an app with verbs of its own, and its line in the help."""


class VerbGroup(TyperGroup):
    """Verbs whose name and help line are known, imported only when used."""

    def __init__(self, **settings: Any) -> None:
        """Register every verb without importing it."""
        super().__init__(**settings)
        for name, (_, text) in VERBS.items():
            self.commands[name] = click.Command(name, help=text)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help, whatever the version of click."""
        return [*VERBS]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Import the verb that is used."""
        if args[0] == 'study':  # the name of earlier versions
            ctx.fail("No such command 'study'. Did you mean 'sweep'?")
        if args[0] in VERBS:
            self.commands[args[0]] = load(args[0], self.rich_markup_mode)
        return super().resolve_command(ctx, args)


def load(name: str, style: Any) -> click.Command:
    """Import a verb; return it with all its options.

    Args:
        name: One of ``VERBS``.
        style: Style of its help, as Typer has it.
    """
    module, _, own = VERBS[name][0].partition(':')
    verb = getattr(importlib.import_module(f'soliton_encirclement_ros.cli.{module}'), own)
    if not isinstance(verb, typer.Typer):
        alone = typer.Typer(add_completion=False)
        alone.command(name)(verb)
        verb = alone
    verb.rich_markup_mode = style
    command = typer.main.get_command(verb)
    command.name = name
    return command


def require_verb(context: typer.Context) -> None:
    """Show the help if no verb is given, and end with the exit code of wrong usage.

    click does so by itself from 8.2 on; before, it ends with 0.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(WRONG_INPUT)


INTERRUPTED = 130

NARROW = 80
"""Columns below which the boxes of the help would truncate option names."""


STYLE = 'rich' if shutil.get_terminal_size().columns >= NARROW else None
"""Of the help: in boxes if they fit."""

app = typer.Typer(
    name='swarm',
    cls=VerbGroup,
    help='Swarms of UAVs that surround a target, over real ROS 2.',
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=STYLE,
    context_settings={'help_option_names': ['-h', '--help']},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: bool = typer.Option(
        False, '--version', callback=_version, is_eager=True, help='Show the version.'
    ),
) -> None:
    """Swarms of UAVs that surround a target, over real ROS 2."""
    require_verb(context)


def run_command_line() -> int:
    """Run the command line and return the exit code."""
    try:
        code = app(standalone_mode=False)
    except MobilityError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        if not hasattr(error, 'format_message'):
            raise
        message = error.format_message()
        return _fail(message) if message else WRONG_INPUT
    return code if isinstance(code, int) else 0


def _fail(message: str) -> int:
    print_error(' '.join(message.split()))
    return WRONG_INPUT
