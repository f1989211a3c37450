"""``swarm study``: tune laws alike, fly them under many conditions, compare them."""

import os
from pathlib import Path
from typing import Optional

import typer

from soliton_encirclement_ros.cli.app import need_verb
from soliton_encirclement_ros.cli.options import (
    PATH,
    Count,
    check_ending,
    check_folder,
)
from soliton_encirclement_ros.cli.views.terminal_display import wide_console

MARKDOWN = ('.md',)

app = typer.Typer(help='Compare laws under many conditions, tuned alike.', add_completion=False)
app.callback(invoke_without_command=True)(need_verb)


@app.command()
def run(
    file: str = typer.Argument(
        help='Study file, or name of an installed study.', show_default=False
    ),
    out: Optional[Path] = typer.Option(
        None, '--out', '-o', click_type=PATH, help='Output folder of the study.',
        show_default='studies/NAME',
    ),
    jobs: Optional[int] = typer.Option(
        None, click_type=Count(min=1), help='Parallel flights.', show_default='one per core'
    ),
    dry_run: bool = typer.Option(
        False, '--dry-run', help='Only print the number of flights and the expected time.'
    ),
    json_wanted: bool = typer.Option(False, '--json', help='Print JSON, no progress.'),
) -> int:
    """Fly a study, then write its tables, its page and its pictures.

    Finished flights are never repeated: the same command resumes an interrupted study.

    Exits with 1 if a flight failed.
    """  # fmt: skip
    from soliton_encirclement_ros.cli.studies.study_session import (
        StudySession,
        check_memory,
        check_owner,
        warn_of_few_seeds,
    )
    from soliton_encirclement_ros.core.run.run_folder import code_version
    from soliton_encirclement_ros.sim.sweeps.study import find_study, load_study

    study = load_study(find_study(file), code_version())
    folder = Path('studies', study.name) if out is None else out
    check_folder('--out', folder)
    check_owner(folder, study)
    warn_of_few_seeds(study)
    at_once = jobs or len(os.sched_getaffinity(0))
    check_memory(study, at_once, folder)
    session = StudySession(study, folder, at_once, json_wanted)
    return session.forecast() if dry_run else session.go()


@app.command()
def show(
    folder: Path = typer.Argument(
        click_type=PATH, help='Folder of a finished study.', show_default=False
    ),
    markdown: Optional[Path] = typer.Option(
        None, click_type=PATH,
        help='Markdown file for the tables; the pictures are put beside it.',
    ),
) -> int:
    """Print the result of a study."""  # fmt: skip
    check_ending('--markdown', markdown, MARKDOWN)
    from soliton_encirclement_ros.analysis.law_study.study_findings import read_findings
    from soliton_encirclement_ros.cli.studies.study_session import print_summary

    findings = read_findings(folder)
    if markdown is None:
        print_summary(findings, wide_console(False))
        return 0
    from soliton_encirclement_ros.cli.studies.study_session import write_markdown

    for path in write_markdown(markdown, findings):
        typer.echo(str(path))
    return 0
