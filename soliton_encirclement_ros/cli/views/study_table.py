"""The figures of the original's study in one table."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from soliton_encirclement_ros.cli.views.terminal_tables import plain, print_table

Figures = Mapping[str, float | None]


def print_study(study: Mapping[str, Figures], console: Console) -> None:
    """Print a row per figure and a column per variant.

    Args:
        study: Variants by name, such as ``corrected``, each with its figures by name.
        console: The console.
    """
    table = Table('', *[name.replace('_', ' ') for name in study], title="the original's study")
    names = dict.fromkeys(name for figures in study.values() for name in figures)
    for name in names:
        table.add_row(name, *[plain(figures[name], '.4g') for figures in study.values()])
    print_table(table, console)
