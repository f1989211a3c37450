"""What a study leaves: tables, findings, the page, pictures; and its Markdown."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from soliton_encirclement_ros.analysis.law_study.forest_plot import forest_plot
from soliton_encirclement_ros.analysis.law_study.heat_map import law_map
from soliton_encirclement_ros.analysis.law_study.study_counts import tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import (
    FILE,
    StudyFindings,
    candidates_of,
    findings_of,
    write_findings,
)
from soliton_encirclement_ros.analysis.law_study.study_markdown import SHOWN, study_markdown
from soliton_encirclement_ros.analysis.law_study.study_tables import (
    contrast_table,
    flight_table,
    tuning_table,
)
from soliton_encirclement_ros.analysis.report.study_page import study_page
from soliton_encirclement_ros.analysis.report.template import write_whole
from soliton_encirclement_ros.analysis.table_files import write_csv, write_parquet
from soliton_encirclement_ros.cli.law_study.study_summary import print_summary
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.views.sweep_report import print_line
from soliton_encirclement_ros.core.law_study.study_records import StudyFlight, TunedLaw
from soliton_encirclement_ros.sim.law_study import Study

PAGE = 'study.html'
PICTURES = {'heat map': law_map, 'forest plot': forest_plot}


class StudyEnding(NamedTuple):
    """What there is at the end of a study.

    Attributes:
        study: The study.
        folder: Its folder.
        flights: All flights of the test.
        tuned: Results of tuning by law.
        failed: Number of flights that failed.
    """

    study: Study
    folder: Path
    flights: list[StudyFlight]
    tuned: Mapping[str, TunedLaw]
    failed: int


def finish(ending: StudyEnding, console: Console, json_wanted: bool) -> None:
    """Write everything, and print the result.

    Raises:
        RunError: A file cannot be written.
    """
    with console.status('statistics'):
        findings = findings_of(ending.study.outline, ending.flights, ending.tuned)
        files = [
            *_tables(ending, findings), write_findings(ending.folder / FILE, findings),
        ]  # fmt: skip
    files.append(write_whole(ending.folder / PAGE, study_page(findings)))
    print_summary(findings, console)
    text = f'{findings.flights} flights, {ending.failed} failed; {ending.folder}: '
    print_line(text + '  '.join(path.name for path in files), console)
    if json_wanted:
        _print_json(ending, findings, files)


def write_markdown(path: Path, findings: StudyFindings) -> list[Path]:
    """Write the tables as Markdown, with the pictures beside; return all files.

    Raises:
        RunError: A file cannot be written.
    """
    pictures, files = {}, []
    for metric in findings.outline.metrics[:SHOWN]:
        for kind, draw in PICTURES.items():
            name = f'{path.stem}_{kind.replace(" ", "_")}_{metric}.svg'
            files.append(write_whole(path.with_name(name), draw(findings, metric)))
            pictures[f'{kind} of {metric}'] = name
    return [write_whole(path, study_markdown(findings, pictures)), *files]


def _tables(ending: StudyEnding, findings: StudyFindings) -> list[Path]:
    """Write the tables as CSV and Parquet; an empty one is left out."""
    tables = {
        'flights': flight_table(findings.outline, ending.flights),
        'comparisons': contrast_table(findings),
        'tuning': tuning_table(candidates_of(ending.tuned)),
    }
    written, parquet = [], True
    for name, table in tables.items():
        if not table.rows:
            continue
        comma, columnar = (ending.folder / f'{name}.{kind}' for kind in ('csv', 'parquet'))
        write_csv(comma, table)
        written.append(comma)
        parquet = parquet and write_parquet(columnar, table)
        written += [columnar] if parquet else []
    if not parquet:
        print_error('no Parquet tables, only CSV: pip install pyarrow and run the same again')
    return written


def _print_json(ending: StudyEnding, findings: StudyFindings, files: list[Path]) -> None:
    content = {
        'study': ending.study.name,
        'folder': str(ending.folder),
        'flights': findings.flights,
        'failed': ending.failed,
        'files': [str(path) for path in files],
        'tuned': [one._asdict() for one in findings.tuned],
        'laws': [one._asdict() for one in tallies(findings.laws)],
        'ablations': [one._asdict() for one in tallies(findings.ablations)],
    }
    print_json(content)
