"""One call of ``swarm study run``: tuning round by round, the test, the statistics.

A study leaves tables, findings, the page, pictures, and its Markdown in a folder that belongs to
one study file. Before the first flight it is forecast how many there are and how long they take,
and refused what does not fit into the memory of the machine.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from velocity_mobility_ros.core.environment.unix_process import Interrupt
from velocity_mobility_ros.core.user_errors import counted

from soliton_encirclement_ros.analysis.law_study.law_contrasts import tallies
from soliton_encirclement_ros.analysis.law_study.study_findings import (
    FILE,
    StudyFindings,
    candidates_of,
    contrast_table,
    findings_of,
    flight_table,
    tuning_table,
    write_findings,
)
from soliton_encirclement_ros.analysis.law_study.study_page import (
    SHOWN,
    gain_lines,
    study_markdown,
    study_page,
    tally_lines,
)
from soliton_encirclement_ros.analysis.law_study.study_plots import forest_plot, law_map
from soliton_encirclement_ros.analysis.report.page_markup import write_whole
from soliton_encirclement_ros.analysis.sweep_tables import write_csv, write_parquet
from soliton_encirclement_ros.cli.output import print_error, print_json
from soliton_encirclement_ros.cli.runs.run_start import check_machine, this_machine, wall_time
from soliton_encirclement_ros.cli.studies.sweep_output import SweepProgress, core_time
from soliton_encirclement_ros.cli.studies.sweep_verb import print_line
from soliton_encirclement_ros.cli.views.compilation_progress import get_ready_visibly
from soliton_encirclement_ros.cli.views.terminal_display import print_table, wide_console
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import is_there, replacing
from soliton_encirclement_ros.core.run.experiment_records import (
    StudyFlight,
    TunedLaw,
    metric_values,
)
from soliton_encirclement_ros.core.run.finished_run import FAILED, INTERRUPTED
from soliton_encirclement_ros.core.run.machine_resources import Needs, simulation_needs
from soliton_encirclement_ros.core.run.summary import Summary
from soliton_encirclement_ros.sim.sweeps.local_runs import fly_locally
from soliton_encirclement_ros.sim.sweeps.run_store import BrokenOffError, Finished, Store
from soliton_encirclement_ros.sim.sweeps.study import (
    AS_IT_IS,
    Study,
    StudyRun,
    TuningRace,
    gains_of,
    planned,
    runs_of_test,
    scenario_of,
)
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun

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


COPY = 'study.yaml'
OTHERS = ('sweep.yaml', 'runs.sqlite')
"""Files of a sweep."""


def check_owner(folder: Path, study: Any) -> None:
    """Refuse a folder that holds another study, or a sweep.

    A study that has been changed is another one: flights of the test would be seen before it.

    Raises:
        RunError: It does.
    """
    copy = folder / COPY
    try:
        known = copy.read_text(encoding='utf-8')
    except FileNotFoundError:
        for name in OTHERS:
            if is_there(folder / name):
                raise RunError(f'--out {folder}: holds a sweep: use another folder') from None
        return
    except (OSError, UnicodeDecodeError):
        raise RunError(f'{copy}: cannot be read: use another --out') from None
    if known != study.text:
        raise RunError(
            f'--out {folder}: holds another study, {COPY} differs from {study.source}: use '
            'another folder, or remove this one'
        )


def write_copy(folder: Path, study: Any) -> None:
    """Keep a copy of the study file.

    Raises:
        RunError: It cannot be written.
    """
    path = folder / COPY
    try:
        with replacing(path) as part:
            part.write_text(study.text, encoding='utf-8')
    except OSError as error:
        raise RunError(f'{path}: cannot write: {error.strerror}') from None


def print_forecast(study: Study, jobs: int, console: Console) -> None:
    """Print what a study flies, and how long that takes from the beginning.

    Args:
        study: The study.
        jobs: Number of parallel flights.
        console: The console.
    """
    laws, seeds = len(study.laws) + len(study.ablations), len(study.seeds)
    searched, conditions = len(study.searched), len(study.conditions)
    test = [one.run for one in runs_of_test(study, {}, study.seeds[:1])]
    expected = seeds * core_time(test) + _tuning_time(study)
    flights = laws * conditions * seeds
    lines = (
        f'{study.name}: tuning of {counted(searched, "law")} x {study.budget} flights, then '
        f'{laws} x {conditions} x {seeds} (laws x conditions x seeds) = {flights} flights',
        f'time: about {wall_time(expected / jobs)} from the beginning, {jobs} in parallel',
    )
    for line in lines:
        print_line(line, console)


def _tuning_time(study: Study) -> float:
    """Return the core time [s] of tuning, whose gains are not known yet."""
    return sum(study.budget / len(runs) * core_time(runs) for runs in _tuning_runs(study))


def _tuning_runs(study: Study) -> list[list[PlannedRun]]:
    """Return a flight of every law's shipped gains under every condition of the tuning."""
    tuning = study.tuning
    return [
        [
            run
            for condition in tuning.conditions
            for run in planned(study, law, condition, AS_IT_IS, tuning.seeds[:1])
        ]
        for law in study.searched
        if tuning
    ]


class StudyProgress(SweepProgress):
    """Stores the summaries of finished flights alone: nobody looks at their curves."""

    def take(self, finished: Finished) -> None:
        """Store finished flights; a failed one is reported in one line."""
        super().take([
            (run, result._replace(study='{}', curves=b'')) for run, result in finished
        ])  # fmt: skip


class StopError(Exception):
    """The study ends early, with an exit code."""

    def __init__(self, code: int) -> None:
        """Keep the exit code."""
        super().__init__(code)
        self.code = code


class StudySession:
    """One call of the verb, from the forecast to the page."""

    def __init__(self, study: Study, folder: Path, jobs: int, json_wanted: bool) -> None:
        """Prepare a call.

        Args:
            study: The study.
            folder: Its output folder.
            jobs: Number of parallel flights.
            json_wanted: Whether JSON is printed instead of progress and tables.
        """
        self._study = study
        self._folder = folder
        self._jobs = jobs
        self._json = json_wanted
        self._console = wide_console(json_wanted)
        self._failed = 0

    def forecast(self) -> int:
        """Print what the study takes; write nothing."""
        print_forecast(self._study, self._jobs, self._console)
        return 0

    def go(self) -> int:
        """Execute all steps and return the exit code."""
        print_forecast(self._study, self._jobs, self._console)
        with Store(self._folder) as store:
            write_copy(self._folder, self._study)
            self._store = store
            try:
                tuned = self._tune()
                runs = runs_of_test(self._study, gains_of(tuned))
                self._fly([one.run for one in runs], 'test')
            except StopError as end:
                return end.code
            flights = self._flights(runs)
        ending = StudyEnding(self._study, self._folder, flights, tuned, self._failed)
        finish(ending, self._console, self._json)
        return FAILED if self._failed else 0

    def _tune(self) -> dict[str, TunedLaw]:
        """Tune all laws."""
        race = TuningRace(self._study)
        while runs := race.runs():
            self._fly(runs, f'tuning, round {race.round + 1} of {race.rounds}')
            race.advance(self._summary)
        return race.results()

    def _summary(self, run: PlannedRun) -> Summary | None:
        return next((kept.summary for kept in self._store.read([run])), None)

    def _flights(self, runs: list[StudyRun]) -> list[StudyFlight]:
        """Return the flights of the test; those that failed are left out."""
        found = []
        for one in runs:
            summary = self._summary(one.run)
            if summary is not None:
                values = metric_values(summary, self._study.metrics, self._study.resolution)
                seed = one.run.scenario.run.seed
                found.append(StudyFlight(one.law, one.condition, seed, values))
        return found

    def _fly(self, runs: list[PlannedRun], what: str) -> None:
        """Fly those of some runs that are not stored.

        Raises:
            StopError: It was interrupted, or the flights broke off.
        """
        unique = list({run.key: run for run in runs}.values())
        missing = self._store.missing(unique)
        kept = len(unique) - len(missing)
        shown = f', {kept} of them kept from before' if kept else ''
        print_line(f'{what}: {len(unique)} flights{shown}', self._console)
        if not missing:
            return
        get_ready_visibly(run.scenario for run in missing)
        self._interrupt = Interrupt()
        monitor = StudyProgress(self._console, self._store, self._interrupt, missing, kept)
        try:
            with monitor:
                fly_locally(missing, self._jobs, monitor)
        except BrokenOffError as error:
            print_error(str(error))
            raise StopError(FAILED) from None
        self._failed += len(monitor.failed)
        if self._interrupt:
            print_error(
                f'interrupted; finished flights are kept in {self._folder}: the same command '
                'resumes the study'
            )
            raise StopError(INTERRUPTED)


def check_memory(study: Study, at_once: int, folder: Path) -> None:
    """Refuse or warn by the largest condition, which all seeds fly at about the same time.

    Args:
        study: The study.
        at_once: Number of parallel flights.
        folder: Its output folder.

    Raises:
        RunError: The flights do not fit.
    """
    law = study.laws[0]  # what a flight needs depends on its condition
    largest = max(
        simulation_needs(scenario_of(study, law, condition, AS_IT_IS), study=True).memory
        for condition in study.conditions
    )
    needs = Needs(at_once * largest, 0.0, processes=at_once)
    what = f'{study.name}: {at_once} flights in parallel'
    check_machine(needs, this_machine(folder), what, 'reduce --jobs')


def warn_of_few_seeds(study: Any) -> None:
    """Warn if no comparison can become significant, whatever the flights show."""
    from soliton_encirclement_ros.analysis.law_study.law_contrasts import LEVEL, smallest_p

    conditions, seeds = len(study.conditions), len(study.seeds)
    comparisons = max(len(study.laws) - 1, len(study.ablations)) * conditions
    if smallest_p(seeds) * comparisons < LEVEL:
        return
    needed = next(n for n in range(1, 1000) if smallest_p(n) * comparisons < LEVEL)
    print(
        f'warning: {seeds} seeds cannot show a significant difference in {comparisons} '
        f'comparisons of a metric: use at least {needed}',
        file=sys.stderr,
    )
