"""Behaviour of a group of verbs without a verb."""

import typer

WRONG_USAGE = 2


def need_verb(context: typer.Context) -> None:
    """Show the help if no verb is given, and end with the exit code of wrong usage.

    click does so by itself from 8.2 on; before, it ends with 0.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(WRONG_USAGE)
