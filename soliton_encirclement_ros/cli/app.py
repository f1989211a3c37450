"""The command line as a whole: verbs, errors in one line, exit codes."""

import shutil
import sys
from typing import Optional

import typer
from velocity_mobility_ros.core.errors import MobilityError
from velocity_mobility_ros.core.shortage import ShortageError, end_for_shortage

from soliton_encirclement_ros import __version__
from soliton_encirclement_ros.cli.verb_group import VerbGroup
from soliton_encirclement_ros.cli.verbs import need_verb

INTERRUPTED = 130
WRONG_INPUT = 2
UTF_8 = 'utf8'

MAX_WORD_LENGTH = 250
"""Maximum number of characters of a word shown in an error."""

NARROW = 80
"""Columns below which the boxes of the help would truncate option names."""


def _style() -> Optional[str]:
    """Return the style of the help: in boxes if they fit."""
    return 'rich' if shutil.get_terminal_size().columns >= NARROW else None


app = typer.Typer(
    name='swarm',
    cls=VerbGroup,
    help='Swarms of UAVs that surround a target, over real ROS 2.',
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=_style(),
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
    need_verb(context)


def run_command_line() -> int:
    """Run the command line and return the exit code."""
    try:
        code = app(standalone_mode=False)
    except ShortageError as error:
        end_for_shortage(str(error))
    except MobilityError as error:
        return _fail(str(error))
    except UnicodeEncodeError as error:
        return _fail(_of_locale(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        if not hasattr(error, 'format_message'):
            raise
        message = error.format_message()
        return _fail(message) if message else WRONG_INPUT
    return code if isinstance(code, int) else 0


def _of_locale(error: UnicodeEncodeError) -> str:
    """Return the error for a text that the locale cannot encode.

    Raises:
        UnicodeEncodeError: It is not the locale's fault: UTF-8 has bytes for every text.
    """
    if error.encoding.lower().replace('-', '') == UTF_8:
        raise error
    text = error.object[error.start : error.end]
    return (
        f'{text!r} cannot be written in this locale ({error.encoding}): use one with UTF-8, such '
        'as LC_ALL=C.UTF-8'
    )


def _fail(message: str) -> int:
    print('error: ' + ' '.join(map(_cut, message.split())), file=sys.stderr)
    return WRONG_INPUT


def _cut(word: str) -> str:
    """Return a word without its middle if it is too long, for example a path."""
    return word if len(word) <= MAX_WORD_LENGTH else f'{word[:150]}...{word[-50:]}'
