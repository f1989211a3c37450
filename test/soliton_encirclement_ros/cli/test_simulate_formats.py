"""The telemetry that ``swarm simulate`` leaves in every format, whole, thinned out and cut off."""

import json
import signal
import sys
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, PLACE, TARGET_CSV
from soliton_encirclement_ros.core.scenario.overrides import apply_changes
from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from support.cli import Process, only_run_folder, run_swarm, start_swarm, wait_until
from support.plain_run import fly_plainly, untimed
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import (
    read_bag_with_mcap, read_bag_with_rosbags, read_json, read_table, stream_log_times
)

__all__ = ['laws']

pytestmark = NO_HURRY

NOWHERE = 0
"""The ROS domain of a process that never asks for one."""

AGENTS, TICKS = 4, 160
CHANGES = ('failure.failure_mean_failures_per_min=20', 'failure.failure_off_time=1.0')
BUSY = (
    'simulate', 'demo', '--agents', str(AGENTS), '--duration', '8', '--seed', '5',
    '--no-pictures', '--set', CHANGES[0], '--set', CHANGES[1],
)  # fmt: skip
EVERY_FORMAT = ('--format', 'csv', '--format', 'parquet', '--format', 'bag')
ENDLESS = ('simulate', 'demo', '--agents', '3', '--duration', '90000', *EVERY_FORMAT)


def flown(folder: Path, *options: str) -> Path:
    """Fly the busy scenario and return its folder."""
    process = run_swarm(*BUSY, *options, domain=NOWHERE, folder=folder)
    assert (process.popen.returncode in (0, 1), process.err) == (True, '')
    return only_run_folder(folder)


@pytest.fixture(scope='module')
def full(tmp_path_factory):
    """Return the folder of a run with every format at every tick."""
    return flown(tmp_path_factory.mktemp('full'), *EVERY_FORMAT, '--study')


@pytest.fixture(scope='module')
def slow(tmp_path_factory):
    """Return the folder of the same run with every format at 2 Hz."""
    return flown(tmp_path_factory.mktemp('slow'), *EVERY_FORMAT, '--telemetry-rate', '2')


def test_tables_and_summary_are_those_of_the_plain_loop_byte_for_byte(full, tmp_path):
    run = {'run': {'num_agents': AGENTS, 'sim_duration': 8.0, 'seed': 5}}
    scenario = apply_changes(load_scenario(find_scenario('demo')), list(CHANGES), run)
    _, plain = fly_plainly(scenario, tmp_path)
    for table in (AGENT_CSV, TARGET_CSV):
        assert (full / table).read_bytes() == (tmp_path / table).read_bytes()
    summary = read_json(full / 'summary.json')
    del summary['study']
    assert untimed(summary) == untimed(plain)
    assert summary['failures'] > 0


@pytest.mark.parametrize('name', ['agents', 'target'])
def test_parquet_holds_what_the_tables_hold(full, name):
    header, rows = read_table(full / {'agents': AGENT_CSV, 'target': TARGET_CSV}[name])
    table = parquet.read_table(full / f'{name}.parquet')
    for key, column in zip(header, zip(*rows, strict=True), strict=True):
        told = f'target_{key}' if name == 'target' and key in PLACE else key
        assert np.array_equal(table[told].to_numpy(), column), key


@pytest.mark.parametrize('read', [read_bag_with_mcap, read_bag_with_rosbags])
def test_two_libraries_read_the_bag(full, read):
    bag = read(full / 'bag')
    _, rows = read_table(full / TARGET_CSV)
    metrics = bag['/swarm/metrics']
    told = [[m.stamp_ns / 1e9, *list(m.message.position)[:6]] for m in metrics]
    assert told == [row[:7] for row in rows]
    assert len(bag['/uav_1/odom']) == len(bag['/clock']) == TICKS


def test_a_lower_rate_leaves_fewer_samples_and_the_same_summary(full, slow):
    _, rows = read_table(full / TARGET_CSV)
    assert read_table(slow / TARGET_CSV)[1] == rows[9::10]
    _, rows = read_table(full / AGENT_CSV)
    kept = [row for i, row in enumerate(rows) if (i // AGENTS + 1) % 10 == 0]
    assert read_table(slow / AGENT_CSV)[1] == kept
    assert len(parquet.read_table(slow / 'agents.parquet')) == len(kept)
    stamps = [m.stamp_ns for m in read_bag_with_mcap(slow / 'bag')['/clock']]
    assert stamps == [k * 500_000_000 for k in range(1, 17)]
    mine, theirs = (read_json(folder / 'summary.json') for folder in (slow, full))
    del theirs['study']
    assert untimed(mine) == untimed(theirs)


def test_the_study_is_printed_and_in_the_summary(full, tmp_path):
    process = run_swarm(*BUSY, '--study', domain=NOWHERE, folder=tmp_path)
    for words in ('as published', 'corrected', 'M1_P95_e_pooled', 'M7_settled_frac'):
        assert words in process.out
    study = read_json(full / 'summary.json')['study']
    assert set(study) == {'as_published', 'corrected'}
    assert {len(figures) for figures in study.values()} == {9}
    assert read_json(only_run_folder(tmp_path) / 'summary.json')['study'] == study


def test_several_runs_have_all_of_it_too(full, tmp_path):
    options = ('--seeds', '2', '--format', 'parquet', '--telemetry-rate', '10', '--study')
    process = run_swarm(*BUSY, *options, '--json', domain=NOWHERE, folder=tmp_path)
    assert (process.popen.returncode, process.err) == (0, '')
    runs = json.loads(process.out)['runs']
    assert runs[0]['study'] == read_json(full / 'summary.json')['study'] != runs[1]['study']
    for run in runs:
        folder = tmp_path / run['run_folder']
        assert len(parquet.read_table(folder / 'target.parquet')) == TICKS / 2
        assert not (folder / TARGET_CSV).exists()


def last_times(folder: Path) -> dict[str, float]:
    """Return the time [s] of the last sample that can be read, by format."""
    text = (folder / TARGET_CSV).read_text()
    table = parquet.read_table(folder / 'target.parquet')
    return {
        'csv': float(text[: text.rindex('\n')].rpartition('\n')[2].partition(',')[0]),
        'parquet': table['timestamp'].to_pylist()[-1],
        'bag': max(stream_log_times(folder / 'bag' / 'bag.mcap')) / 1e9,
    }


def has_flown(folder: Path) -> bool:
    """Say whether a run has left a part of its Parquet table."""
    return any(folder.glob('runs/2*/target.parquet/*.parquet'))


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_cut_off_can_be_read_in_every_format(tmp_path, number):
    with start_swarm(*ENDLESS, '--no-pictures', domain=NOWHERE, folder=tmp_path) as process:
        wait_until(lambda: has_flown(tmp_path), 'a part on disk')
        folder = only_run_folder(tmp_path)
        begun = read_json(folder / 'summary.json')['ticks'] * 0.05
        due = min(last_times(folder).values())
        process.popen.send_signal(number)
        assert process.end() == (130 if number == signal.SIGINT else -number)
    assert process.err == ''
    summary, found = read_json(folder / 'summary.json'), last_times(folder)
    assert (summary['interrupted'], summary['missed_answers']) == (True, 0)
    assert summary['ticks'] * 0.05 >= begun > 0.0
    assert min(found.values()) >= due > 0.0
    if number == signal.SIGINT:
        assert found == pytest.approx(dict.fromkeys(found, summary['duration_s']))


@pytest.mark.parametrize('name', ['parquet', 'bag'])
def test_a_full_disk_ends_a_format_and_not_the_flight(tmp_path, name):
    """A limit on the size of a file stands in for a full disk."""
    words = ' '.join((*BUSY[:4], *BUSY[6:-4], '--format', name, '--duration', '100'))
    line = f'ulimit -f 40; exec {sys.executable} -m soliton_encirclement_ros.cli.main {words}'
    with Process(('bash', '-c', line), NOWHERE, tmp_path) as process:
        assert process.end() == 1
    assert process.err.startswith('error: runs/')
    assert 'cannot write: File too large' in process.err
    assert process.err.count('\n') == 1
    assert 'incomplete' in process.out
    summary = read_json(only_run_folder(tmp_path) / 'summary.json')
    assert (summary['ticks'], summary['complete'], summary['interrupted']) == (2000, False, False)
