"""One scenario flown into a run folder."""

import errno

import pytest
from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core import lasting_log
from soliton_encirclement_ros.core.run_folder import AGENT_CSV, TARGET_CSV, RunLog
from soliton_encirclement_ros.core.scenario import Scenario
from soliton_encirclement_ros.sim import Simulation
from support.run_folder import TARGET_COLUMNS, read_json, read_table

SMALL = Scenario('small').with_changes({'run': {'num_agents': 3, 'sim_duration': 3.0}}, 'test')
TICKS = 60


def test_tables_and_summary_are_those_of_a_lockstep_run(tmp_path):
    summary = Simulation(SMALL, tmp_path).fly()
    columns, rows = read_table(tmp_path / AGENT_CSV)
    names = CONTROLLERS[SMALL.control.controller].telemetry_names
    assert columns == ('node_id', 'timestamp', *names, 'velocity_norm')
    assert [row[0] for row in rows] == [1, 2, 3] * TICKS
    columns, rows = read_table(tmp_path / TARGET_CSV)
    assert columns == TARGET_COLUMNS
    assert [row[0] for row in rows] == [k * 50_000_000 / 1e9 for k in range(1, TICKS + 1)]
    on_disk = read_json(tmp_path / 'summary.json')
    timed = ('wall_s', 'real_time_factor')
    assert {k: v for k, v in on_disk.items() if k not in timed} == {
        k: v for k, v in summary.items() if k not in timed
    }
    assert (summary['ticks'], summary['duration_s'], summary['missed_answers']) == (TICKS, 3.0, 0)
    assert (summary['interrupted'], summary['complete']) == (False, True)
    assert summary['real_time_factor'] > 1.0
    assert summary['metrics_last']['E_gap'] == rows[-1][5]


def test_two_flights_leave_the_same_bytes(tmp_path):
    for name in ('a', 'b'):
        (tmp_path / name).mkdir()
        Simulation(SMALL, tmp_path / name).fly()
    for table in (AGENT_CSV, TARGET_CSV):
        assert (tmp_path / 'a' / table).read_bytes() == (tmp_path / 'b' / table).read_bytes()


def test_an_interrupted_flight_is_whole_up_to_then(tmp_path):
    turns = []
    flight = Simulation(SMALL, tmp_path)
    summary = flight.fly(lambda: len(turns) == 7, lambda: turns.append(1))
    assert (summary['interrupted'], summary['complete'], summary['ticks']) == (True, True, 7)
    assert read_json(tmp_path / 'summary.json')['ticks'] == 7
    assert len(read_table(tmp_path / AGENT_CSV)[1]) == 21
    assert len(read_table(tmp_path / TARGET_CSV)[1]) == 7


def test_a_long_flight_has_a_summary_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setattr(lasting_log, 'SUMMARY_PERIOD', 0.0)
    flight, found = Simulation(SMALL, tmp_path), []
    flight.fly(each_tick=lambda: found.append(read_json(tmp_path / 'summary.json')))
    assert [summary['ticks'] for summary in found] == list(range(1, TICKS + 1))
    assert all(summary['interrupted'] for summary in found)


@pytest.mark.parametrize('table', [AGENT_CSV, TARGET_CSV])
def test_a_full_disk_ends_the_tables_and_is_told_in_one_line(tmp_path, table):
    (tmp_path / table).symlink_to('/dev/full')
    flight = Simulation(SMALL, tmp_path)
    summary = flight.fly()
    assert (summary['ticks'], summary['complete']) == (TICKS, False)
    assert flight.error.startswith(f'{tmp_path}: cannot write: No space left on device')
    assert 'make room and run again' in flight.error
    assert '\n' not in flight.error


def test_a_disk_that_fills_up_in_flight_keeps_what_was_written(tmp_path, monkeypatch):
    add, calls = RunLog.add_sample, []

    def fill_up(log, sample):
        calls.append(sample)
        if len(calls) > 5:
            raise OSError(errno.ENOSPC, 'No space left on device')
        add(log, sample)

    monkeypatch.setattr(RunLog, 'add_sample', fill_up)
    summary = Simulation(SMALL, tmp_path).fly()
    assert summary['complete'] is False
    assert len(calls) == 6


def test_a_flight_that_breaks_leaves_a_summary_that_says_so(tmp_path):
    def break_down():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Simulation(SMALL, tmp_path).fly(each_tick=break_down)
    assert read_json(tmp_path / 'summary.json')['interrupted'] is True
    assert len(read_table(tmp_path / TARGET_CSV)[1]) == 1
