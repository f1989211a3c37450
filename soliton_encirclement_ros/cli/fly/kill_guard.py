"""Asks twice before motors are stopped in flight."""

import sys
from collections.abc import Sequence

import typer

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files.name_list import named

FALL = '--yes-let-it-fall'


def confirm_kill(names: Sequence[str], everybody: bool, is_sure: bool) -> None:
    """Return if the operator means it.

    Args:
        names: The vehicles.
        everybody: Whether all vehicles are meant.
        is_sure: Whether it was said in advance.

    Raises:
        RunError: It is not said whose motors are to stop, or nobody can be asked.
        Abort: The operator does not mean it.
    """
    if bool(names) == everybody:
        raise RunError('swarm fly kill stops motors in flight: name the vehicles, or --all')
    if is_sure:
        return
    if not sys.stdin.isatty():
        raise RunError(f'swarm fly kill asks twice, but there is no terminal: add {FALL}')
    who = named(names) if names else 'all vehicles'
    typer.confirm(f'Stop the motors of {who}? In the air that is a fall', abort=True)
    if typer.prompt(f'Type {names[0] if names else "all"} to let it fall') != (*names, 'all')[0]:
        raise typer.Abort
