"""One scenario flown into a run folder."""

import errno

import pytest

from soliton_encirclement_ros.core.flight_statistics.original_study import study
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import RecordedData, Simulation, simulation
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.sinks.csv_sink import CsvTable
from soliton_encirclement_ros.sim.sinks.telemetry_sinks import MAX_WAITING
from support.chunks import lively
from support.plain_run import fly_plainly, untimed
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import TARGET_COLUMNS, read_json, read_table

__all__ = ['laws']

pytestmark = NO_HURRY

SMALL = Scenario('small').with_changes({'run': {'num_agents': 3, 'sim_duration': 3.0}}, 'test')
TICKS = 60
LONG = SMALL.with_changes({'run': {'sim_duration': 30.0}}, 'test')
TABLES = (AGENT_CSV, TARGET_CSV)


def test_the_summary_is_that_of_a_lockstep_run(tmp_path):
    summary = Simulation(SMALL, tmp_path).fly()
    columns, rows = read_table(tmp_path / TARGET_CSV)
    assert columns == TARGET_COLUMNS
    assert [row[0] for row in rows] == [k * 50_000_000 / 1e9 for k in range(1, TICKS + 1)]
    assert untimed(read_json(tmp_path / 'summary.json')) == untimed(summary)
    assert (summary['ticks'], summary['duration_s'], summary['missed_answers']) == (TICKS, 3.0, 0)
    assert (summary['interrupted'], summary['complete']) == (False, True)
    assert summary['real_time_factor'] > 0.0
    assert summary['metrics_last']['E_gap'] == rows[-1][5]


@pytest.mark.parametrize(
    ('law', 'more'),
    [
        ('predictive', {'radio': {'communication_failure_rate': 0.3}}),
        ('two_channel', {'adversary': {'adversary_enable': False}}),
        ('soliton_v1', {}),
    ],
    ids=['lossy', 'without adversary', 'ideal'],
)
def test_the_bytes_are_those_of_the_plain_loop(tmp_path, law, more):
    scenario = lively(control={'controller': law}, **more)
    for name in ('plain', 'simulated'):
        (tmp_path / name).mkdir()
    _, plain = fly_plainly(scenario, tmp_path / 'plain')
    summary = Simulation(scenario, tmp_path / 'simulated').fly()
    assert untimed(summary) == untimed(plain)
    for table in TABLES:
        expected = (tmp_path / 'plain' / table).read_bytes()
        assert (tmp_path / 'simulated' / table).read_bytes() == expected
        assert expected.count(b'\n') > scenario.ticks


@pytest.mark.parametrize('more', [{}, {'adversary': {'adversary_enable': False}}], ids=str)
def test_a_lower_rate_thins_the_tables_out_and_leaves_the_summary_alone(tmp_path, more):
    """Whatever pieces the engine flies in."""
    flown, found, every = LONG.with_changes(more, 'test'), [], 7
    for name, recording in (('all', RecordedData()), ('some', RecordedData(every=every))):
        (tmp_path / name).mkdir()
        found.append(untimed(Simulation(flown, tmp_path / name, recording).fly()))
    assert found[0] == found[1]
    for table, agents in zip(TABLES, (3, 1), strict=True):
        (header, rows), some = (read_table(tmp_path / name / table) for name in ('all', 'some'))
        kept = [row for i, row in enumerate(rows) if (i // agents + 1) % every == 0]
        assert some == (header, kept)


def test_without_a_format_there_is_a_summary_alone(tmp_path):
    summary = Simulation(LONG, tmp_path, RecordedData(formats=())).fly()
    assert [path.name for path in tmp_path.iterdir()] == ['summary.json']
    (tmp_path / 'csv').mkdir()
    assert untimed(summary) == untimed(Simulation(LONG, tmp_path / 'csv').fly())


def test_pictures_have_paths_to_draw(tmp_path):
    flight = Simulation(LONG, tmp_path, RecordedData((), pictures=True))
    flight.fly()
    assert set(flight.seen.trails) == {'uav_1', 'uav_2', 'uav_3', 'target', 'adversary'}


def test_the_study_is_in_the_summary_of_a_whole_flight_only(tmp_path):
    summary = Simulation(LONG, tmp_path, RecordedData(study=True)).fly()
    engine = Engine(LONG, study=True)
    engine.fly()
    flat = {f'{k}/{name}': v for k, found in summary['study'].items() for name, v in found.items()}
    assert flat == {k: None if v != v else v for k, v in study(engine.study).items()}
    assert read_json(tmp_path / 'summary.json')['study'] == summary['study']
    again = Simulation(LONG, tmp_path, RecordedData(study=True))
    assert 'study' not in again.fly(lambda: again.ticks > 0)
    assert 'study' not in Simulation(LONG, tmp_path).fly()
    never = LONG.with_changes({'run': {'sim_duration': 0.1}}, 'test')
    summary = Simulation(never, tmp_path, RecordedData(study=True)).fly()
    assert summary['study']['corrected']['M7_settle_median'] is None
    assert read_json(tmp_path / 'summary.json')['study'] == summary['study']


def test_an_interrupted_flight_is_whole_up_to_then(tmp_path):
    turns = []
    flight = Simulation(LONG, tmp_path)
    summary = flight.fly(lambda: len(turns) == 1, lambda: turns.append(1))
    ticks = flight.ticks
    assert 0 < ticks < LONG.ticks
    assert (summary['interrupted'], summary['complete'], summary['ticks']) == (True, True, ticks)
    assert read_json(tmp_path / 'summary.json')['ticks'] == ticks
    assert len(read_table(tmp_path / AGENT_CSV)[1]) == 3 * ticks
    assert len(read_table(tmp_path / TARGET_CSV)[1]) == ticks


def test_a_flight_has_tables_and_a_summary_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setattr(simulation, 'SUMMARY_PERIOD', 0.0)
    monkeypatch.setattr(simulation, 'LARGEST_SHARE', 1e9)
    flight, found = Simulation(LONG, tmp_path), []

    def look():
        summary, rows = read_json(tmp_path / 'summary.json'), read_table(tmp_path / TARGET_CSV)[1]
        found.append((flight.ticks, summary['ticks'], len(rows), summary['interrupted']))

    flight.fly(each_turn=look)
    assert found[-1][0] == LONG.ticks
    assert len(found) > 1
    for i, (ticks, in_summary, rows, interrupted) in enumerate(found):
        assert (in_summary, interrupted) == (ticks, True)
        written = found[i - MAX_WAITING - 2][0] if i > MAX_WAITING + 1 else 0
        assert written <= rows <= ticks


@pytest.mark.parametrize('table', TABLES)
def test_a_full_disk_ends_the_tables_and_is_told_in_one_line(tmp_path, table):
    (tmp_path / table).symlink_to('/dev/full')
    flight = Simulation(SMALL, tmp_path)
    summary = flight.fly()
    assert (summary['ticks'], summary['complete']) == (TICKS, False)
    assert read_json(tmp_path / 'summary.json')['complete'] is False
    (error,) = flight.errors
    assert error.startswith(f'{tmp_path}: cannot write: No space left on device')
    assert 'free disk space and run again' in error
    assert '\n' not in error


def test_a_disk_that_fills_up_in_flight_keeps_what_was_written(tmp_path, monkeypatch):
    append, calls = CsvTable.append, []

    def fill_up(table, *rows):
        calls.append(rows)
        if len(calls) > 2:
            raise OSError(errno.ENOSPC, 'No space left on device')
        append(table, *rows)

    monkeypatch.setattr(CsvTable, 'append', fill_up)
    summary = Simulation(LONG, tmp_path).fly()
    assert (summary['complete'], summary['ticks']) == (False, LONG.ticks)
    assert len(calls) == 3
    assert 0 < len(read_table(tmp_path / TARGET_CSV)[1]) < LONG.ticks


def test_one_format_that_ends_leaves_the_others_alone(tmp_path):
    (tmp_path / 'bag').mkdir()
    flight = Simulation(SMALL, tmp_path, RecordedData(('bag', 'csv')))
    assert flight.fly()['complete'] is False
    assert len(flight.errors) == 1
    assert len(read_table(tmp_path / TARGET_CSV)[1]) == TICKS


def test_a_folder_that_vanishes_is_told_in_one_line(tmp_path):
    folder = tmp_path / 'run'
    folder.mkdir()
    flight = Simulation(LONG, folder)
    summary = flight.fly(each_turn=lambda: folder.exists() and folder.rename(tmp_path / 'gone'))
    assert summary['complete'] is False
    assert flight.errors[0].startswith(f'{folder}: cannot write: No such file or directory')
    assert len(flight.errors) == 1


def test_a_flight_that_breaks_leaves_a_summary_that_says_so(tmp_path):
    def break_down():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Simulation(SMALL, tmp_path).fly(each_turn=break_down)
    summary = read_json(tmp_path / 'summary.json')
    assert summary['interrupted'] is True
    assert len(read_table(tmp_path / TARGET_CSV)[1]) == summary['ticks'] > 0
