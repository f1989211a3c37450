"""Result of a study on the terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.analysis.law_study.study_counts import tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.analysis.law_study.study_markdown import gain_lines, tally_lines
from soliton_encirclement_ros.cli.views.terminal_tables import print_table

TITLE = 'conditions in which {chosen} is significantly better or worse, {seeds} seeds each'


def print_summary(findings: StudyFindings, console: Console) -> None:
    """Print how the chosen law does against each other, and the tuned gains."""
    outline = findings.outline
    title = TITLE.format(chosen=outline.chosen, seeds=outline.seeds)
    _print(title, tally_lines(tallies(findings.laws), outline.chosen), console)
    if outline.ablations:
        lines = tally_lines(tallies(findings.ablations), outline.chosen)
        _print(f'the same against {outline.chosen} with a part switched off', lines, console)
    if findings.tuned:
        _print('gains that tuning found', gain_lines(findings.tuned), console)


def _print(title: str, lines: Iterable[Sequence[str]], console: Console) -> None:
    head, *rows = lines
    table = Table(*(_plain(text) for text in head), title=escape(title))
    for row in rows:
        table.add_row(*(_plain(text) for text in row))
    print_table(table, console)


def _plain(text: str) -> str:
    return escape(text.replace('`', ''))
