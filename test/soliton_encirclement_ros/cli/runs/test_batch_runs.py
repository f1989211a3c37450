"""Many runs at once, each in a process of its own."""

import os
import signal

import pytest

from soliton_encirclement_ros.cli.runs import batch_runs
from soliton_encirclement_ros.cli.runs.batch_runs import BatchRunner, Job
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import RecordedData
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY


class Asked:
    """Stands in for the request to stop."""

    count = 0

    def __bool__(self):
        return self.count > 0


@pytest.fixture
def make_jobs(tmp_path):
    """Return a maker of short jobs with seeds from 0 on."""

    def make(count, duration=1.0):
        return [job(tmp_path / str(seed), seed, duration) for seed in range(count)]

    def job(folder, seed, duration):
        def create():
            folder.mkdir()
            return folder

        changes = {'run': {'num_agents': 3, 'sim_duration': duration, 'seed': seed}}
        return Job(Scenario().with_changes(changes, 'test'), create, RecordedData())

    return make


def nothing():
    """Do nothing at a turn."""


@pytest.mark.parametrize('at_once', [1, 9])
def test_results_come_in_the_order_of_jobs(make_jobs, at_once):
    flown = BatchRunner(make_jobs(5), at_once, Asked())
    results = flown.fly(nothing)
    assert [result.summary['seed'] for result in results] == [0, 1, 2, 3, 4]
    assert not any(result.errors for result in results)
    assert (flown.ticks, flown.total_ticks, flown.finished) == (100, 100, 5)


def break_for_seed_1(kind):
    """Return a stand-in for a flight that goes wrong for one of the seeds."""
    simulate = batch_runs._simulate

    def broken(job, *rest):
        if job.scenario.run.seed == 1:
            kind()
        return simulate(job, *rest)

    return broken


def raise_an_error():
    raise ZeroDivisionError('one\nover none')


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def leave():
    os._exit(3)


@pytest.mark.parametrize(
    ('kind', 'expected'),
    [
        (raise_an_error, 'the run failed (ZeroDivisionError: one over none)'),
        (die, 'the process of this run died (signal 9)'),
        (leave, 'the process of this run died (exit code 3)'),
    ],
)
def test_one_that_fails_is_told_in_one_line_and_costs_nothing_but_itself(
    make_jobs, monkeypatch, tmp_path, kind, expected
):
    monkeypatch.setattr(batch_runs, '_simulate', break_for_seed_1(kind))
    results = BatchRunner(make_jobs(3), 2, Asked()).fly(nothing)
    (line,) = results[1].errors
    assert line == f'{tmp_path / "1"}: {expected}; the other runs continue'
    assert [bool(result.summary) for result in results] == [True, False, True]


def test_a_folder_that_cannot_be_created_costs_nothing_but_its_run(make_jobs):
    def refuse():
        raise RunError('no room')

    jobs = make_jobs(3)
    jobs[0] = jobs[0]._replace(folder=refuse)
    results = BatchRunner(jobs, 1, Asked()).fly(nothing)
    assert results[0].errors == ['default: no room']
    assert all(result.summary for result in results[1:])


def test_an_interrupt_ends_what_flies_and_begins_nothing_more(make_jobs, monkeypatch):
    """A run that is asked to stop ends soon and says so."""
    asked = Asked()
    flown = BatchRunner(make_jobs(4, 36000.0), 2, asked)
    before = signal.getsignal(signal.SIGTERM)

    def stop(*_):
        asked.count += 1

    signal.signal(signal.SIGTERM, stop)
    try:
        results = flown.fly(lambda: flown.ticks > 0 and stop())
    finally:
        signal.signal(signal.SIGTERM, before)
    assert [result.summary['interrupted'] for result in results] == [True, True]
    assert all(result.summary['ticks'] > 0 for result in results)


def test_nobody_is_left_behind_when_the_progress_breaks(make_jobs):
    flown = BatchRunner(make_jobs(2, 3600.0), 2, Asked())
    with pytest.raises(ZeroDivisionError):
        flown.fly(raise_an_error)
    assert all(not flight.process.is_alive() for flight in flown._flights.values())
