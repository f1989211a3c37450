"""The command line as a whole: verbs, errors in one line, exit codes."""

import sys

import typer
from velocity_mobility_ros.core.errors import MobilityError

from soliton_encirclement_ros import __version__
from soliton_encirclement_ros.cli import (
    compare,
    fit,
    record,
    report,
    run,
    scenario,
    simulate,
    sweep,
)

INTERRUPTED = 130
WRONG_INPUT = 2

app = typer.Typer(
    name='swarm',
    help='Swarms of UAVs that surround a target, over real ROS 2.',
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command('run')(run.run)
app.command('simulate')(simulate.simulate)
app.command('sweep')(sweep.sweep)
app.command('report')(report.report)
app.command('compare')(compare.compare_runs)
app.command('record')(record.record)
app.command('fit')(fit.fit)
app.add_typer(scenario.app, name='scenario')


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, '--version', callback=_version, is_eager=True, help='Show the version.'
    ),
) -> None:
    """Swarms of UAVs that surround a target, over real ROS 2."""


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
    print('error: ' + ' '.join(message.split()), file=sys.stderr)
    return WRONG_INPUT
