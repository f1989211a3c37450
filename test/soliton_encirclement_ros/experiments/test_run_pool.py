"""Workers of this machine: all runs, in any order, whoever dies."""

import os
import signal
import time
from pathlib import Path

import pytest

from soliton_encirclement_ros.experiments import run_pool
from soliton_encirclement_ros.experiments.run_pool import fly_locally
from soliton_encirclement_ros.experiments.run_store import BrokenOffError
from soliton_encirclement_ros.sim import simulation
from soliton_encirclement_ros.sim.simulation import FlightResult
from support.cli import wait_until
from support.planned import Desk, a_plan


@pytest.fixture
def flights(monkeypatch, tmp_path):
    """Return a function that replaces the flight; forked workers inherit it. Flights are noted."""

    def install(fly):
        def noted(scenario):
            (tmp_path / f'{scenario.run.seed}-{time.monotonic_ns()}').touch()
            fly(scenario)
            return FlightResult({'seed': scenario.run.seed}, {}, {})

        monkeypatch.setattr(simulation, 'fly', noted)

    def flown():
        return sorted(int(path.name.partition('-')[0]) for path in tmp_path.iterdir())

    install.flown = flown
    return install


def results(desk):
    return sorted(run.scenario.run.seed for run, record in desk.finished if not record.error)


def errors(desk):
    return {run.scenario.run.seed: record.error for run, record in desk.finished if record.error}


@pytest.mark.parametrize(('count', 'jobs'), [(1, 4), (25, 1), (25, 3)])
def test_every_run_is_flown_once_and_has_its_own_result(flights, count, jobs):
    """And no process is left behind."""
    flights(lambda scenario: None)
    before, desk = children(), Desk()
    fly_locally(a_plan(count), jobs, desk)
    assert results(desk) == flights.flown() == list(range(count))
    assert desk.lines == []
    assert children() <= before
    assert all(record.summary == f'{{"seed": {run.scenario.run.seed}}}'
               for run, record in desk.finished)  # fmt: skip


def test_several_fly_at_once(flights):
    """Each waits for all others to fly."""
    flights(lambda scenario: wait_until(lambda: len(flights.flown()) == 8, 'the others'))
    desk = Desk()
    fly_locally(a_plan(8), 8, desk)
    assert results(desk) == list(range(8))
    assert errors(desk) == {}


def test_a_run_that_raises_is_left_out_and_the_others_are_not(flights):
    def fly(scenario):
        if scenario.run.seed == 2:
            raise ValueError('two is too much')

    flights(fly)
    desk = Desk()
    fly_locally(a_plan(5), 2, desk)
    assert results(desk) == [0, 1, 3, 4]
    assert errors(desk) == {2: 'ValueError: two is too much'}


def test_a_worker_that_dies_once_costs_one_line(flights, tmp_path):
    def fly(scenario):
        if scenario.run.seed == 3 and flights.flown().count(3) == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    flights(fly)
    desk = Desk()
    fly_locally(a_plan(10), 2, desk)
    assert results(desk) == list(range(10))
    (line,) = desk.lines
    assert line.startswith('its worker died; repeated, each alone: ')
    assert 'predictive, seed 3' in line
    assert flights.flown().count(3) == 2


def test_a_run_that_kills_its_worker_twice_is_left_out(flights):
    def fly(scenario):
        if scenario.run.seed == 3:
            os._exit(7)

    flights(fly)
    desk = Desk()
    fly_locally(a_plan(6), 1, desk)
    assert results(desk) == [0, 1, 2, 4, 5]
    assert errors(desk) == {3: 'its worker died'}
    assert (len(desk.finished), flights.flown().count(3)) == (6, 2)


def test_workers_that_die_and_die_end_the_sweep(flights):
    flights(lambda scenario: os._exit(7))
    with pytest.raises(BrokenOffError, match='6 workers died without finishing a run'):
        fly_locally(a_plan(20), 2, Desk())


def test_no_room_for_a_process_ends_the_sweep_in_one_line(monkeypatch):
    def refuse(*_):
        raise OSError(11, 'Resource temporarily unavailable')

    monkeypatch.setattr(run_pool, 'ProcessPoolExecutor', refuse)
    with pytest.raises(BrokenOffError, match='cannot start a worker: Resource temporarily'):
        fly_locally(a_plan(2), 2, Desk())


def test_a_desk_that_does_not_want_to_go_on_ends_it_at_once(flights):
    flights(lambda scenario: time.sleep(10_000.0))  # longer than any test may take
    desk = Desk(turns=2)
    fly_locally(a_plan(4), 2, desk)
    assert not desk.finished and len(flights.flown()) <= 2


def children() -> set[str]:
    """Return the processes that this one has; a library may have started one of its own."""
    tasks = Path('/proc/self/task').glob('*/children')
    return {pid for task in tasks for pid in task.read_text().split()}
