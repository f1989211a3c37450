"""What becomes of the runs that come in, and what a person sees of them."""

import io

import pytest
from rich.console import Console

from soliton_encirclement_ros.cli.runs.sweep_output import MAX_LINES, SweepProgress
from soliton_encirclement_ros.experiments.run_store import RunResult, Store
from support.planned import a_plan, a_record

RUNS = a_plan(20)


class Stop:
    """An interrupt that a test asks for."""

    asked = False

    def __bool__(self):
        return self.asked


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path) as store:
        yield store


@pytest.fixture
def progress(store):
    console = Console(file=io.StringIO(), width=120, force_terminal=True)
    return SweepProgress(console, store, Stop(), RUNS, kept=5)


def test_finished_runs_are_on_disk_at_once_and_counted(progress, store):
    assert progress.line() == '5 of 25 runs (5 kept from before)'
    progress.take([(run, a_record(run)) for run in RUNS[:10]])
    assert store.missing(RUNS) == RUNS[10:]
    assert progress.flown == 10
    assert progress.line() == '15 of 25 runs (5 kept from before)  50 %  0:01 left'
    progress.take([(run, a_record(run)) for run in RUNS[10:]])
    assert progress.line().endswith('25 of 25 runs (5 kept from before)  100 %  0:00 left')


def test_failed_runs_are_told_each_in_a_line_and_not_kept(progress, store, capsys):
    progress.take([(run, RunResult(run.key, 'code', 'it broke')) for run in RUNS])
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == 'error: run failed: predictive, seed 0: it broke'
    assert len(lines) == MAX_LINES
    assert len(progress.failed) == 20 and store.missing(RUNS) == RUNS
    assert '20 failed' in progress.line()


def test_it_goes_on_until_somebody_wants_to_stop(progress):
    assert progress.turn()
    progress.interrupt.asked = True
    assert not progress.turn()


def test_on_a_terminal_there_is_a_bar(progress):
    progress.take([(run, a_record(run)) for run in RUNS[:10]])
    console = Console(file=io.StringIO(), width=120)
    console.print(progress.view())
    assert '━' in console.file.getvalue() and '15 of 25 runs' in console.file.getvalue()
