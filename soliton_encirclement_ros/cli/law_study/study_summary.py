"""Result of a study on the terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from soliton_encirclement_ros.analysis.law_study.study_counts import tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.analysis.law_study.study_texts import gain_lines, tally_lines
from soliton_encirclement_ros.cli.views.terminal_tables import print_table

TITLE = (
    'in how many of {conditions} conditions {chosen} is significantly better (+) and worse (−); '
    'median ratio to the other'
)


def print_summary(findings: StudyFindings, console: Console) -> None:
    """Print how the chosen law does against each other, and the tuned gains."""
    outline = findings.outline
    title = TITLE.format(chosen=outline.chosen, conditions=len(outline.conditions))
    _print(title, tally_lines(tallies(findings.laws)), console)
    if outline.ablations:
        lines = tally_lines(tallies(findings.ablations))
        _print(f'the same against {outline.chosen} with a part switched off', lines, console)
    if findings.tuned:
        _print('gains that tuning found', gain_lines(findings.tuned), console)


def _print(title: str, lines: Iterable[Sequence[str]], console: Console) -> None:
    head, *rows = lines
    table = Table(*map(escape, head), title=escape(title))
    for row in rows:
        table.add_row(*map(escape, row))
    print_table(table, console)
