"""What is given twice: of options the last one counts, as usual, but with a warning."""

import sys
from collections import Counter
from collections.abc import Iterable

import click
from typer.core import TyperCommand


def named_once(names: Iterable[str]) -> list[str]:
    """Return different names, and warn of those that are named more than once."""
    counts = Counter(names)
    for name, count in counts.items():
        if count > 1:
            print(f'warning: {name} is named {count} times, flown once', file=sys.stderr)
    return list(counts)


class VerbCommand(TyperCommand):
    """A verb that warns about single options that are given more than once."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, and warn on standard error."""
        for name, count in _repeated(self, ctx, args).items():
            print(f'warning: {name} is given {count} times: the last one counts', file=sys.stderr)
        return super().parse_args(ctx, args)


def _repeated(command: click.Command, ctx: click.Context, args: list[str]) -> dict[str, int]:
    """Return how often single options are given, by name, if more than once."""
    try:
        _, _, order = command.make_parser(ctx).parse_args(args=[*args])
    except click.UsageError:
        return {}  # the command itself will say so
    counts = Counter(
        one.opts[0]
        for one in order
        if isinstance(one, click.Option) and not (one.multiple or one.is_eager)
    )
    return {name: count for name, count in counts.items() if count > 1}
