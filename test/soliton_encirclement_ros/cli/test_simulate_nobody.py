"""Flights in which few agents, or none, are alive: no false verdict, and no number for nobody."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pyarrow import parquet

from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.run.run_folder import PLACE, TARGET_CSV
from support.cli import only_run_folder, run_swarm
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.run_folder import read_bag_with_rosbags, read_json, read_table

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

STILL = ('simulate', 'still', '--duration', '20')
NOWHERE = 0
DOWN = slice(110, 178)
"""Samples in which nobody is heard: down from 5 s, silent a quarter of a second, back at 9 s."""


def outage(schedule: str) -> tuple[str, str]:
    return '--set', f'failure.failure_schedule={schedule}'


@pytest.fixture(scope='module')
def silence(tmp_path_factory) -> Path:
    """Return the folder of a flight with nobody alive for four seconds of twenty."""
    folder = tmp_path_factory.mktemp('silence')
    formats = ('--format', 'csv', '--format', 'parquet', '--format', 'bag')
    options = (*STILL, *outage('5..9: 1 2 3 4 5'), *formats, '--no-pictures')
    process = run_swarm(*options, domain=NOWHERE, folder=folder)
    assert process.end() == 0, process.err
    return only_run_folder(folder)


def test_one_of_five_alive_does_not_encircle(swarm_here, tmp_path):
    done = swarm_here(*STILL, *outage('5..: 1 2 3 4'), '--no-pictures')
    assert done.code == 1
    assert 'NOT ENCIRCLED: alive = 0.200 < 0.5 (1.0 of 5 agents)' in done.out
    summary = read_json(only_run_folder(tmp_path) / 'summary.json')
    assert summary['verdict']['encircled'] is False and summary['alive_share_mean'] == 0.2


def test_nobody_at_the_end_has_no_metrics(swarm_here, tmp_path):
    done = swarm_here(*STILL, *outage('5..: 1 2 3 4 5'))
    assert done.code == 1
    assert 'NOT ENCIRCLED: no agent was alive at the end' in done.out
    assert 'nan' not in done.out
    summary = read_json(only_run_folder(tmp_path) / 'summary.json')
    assert set(summary['metrics_mean'].values()) == {None} == set(summary['metrics_last'].values())
    with Image.open(only_run_folder(tmp_path) / 'overview.png') as picture:
        picture.verify()


def test_the_tables_say_nan(silence):
    header, rows = read_table(silence / TARGET_CSV)
    values = np.array(rows)[:, 1 : 1 + len(METRIC_NAMES)]
    assert np.isnan(values[DOWN]).all()
    assert np.isfinite(values[: DOWN.start - 10]).all()
    assert np.isfinite(values[DOWN.stop + 10 :]).all()
    assert ',nan,nan,nan,nan,nan' in (silence / TARGET_CSV).read_text()
    table = parquet.read_table(silence / 'target.parquet')
    for name, column in zip(header, np.array(rows).T, strict=True):
        told = f'target_{name}' if name in PLACE else name
        np.testing.assert_array_equal(table[told].to_numpy(), column, name)
    assert set(table['alive'].to_numpy()[DOWN]) == {0}


def test_other_readers_find_nan_in_the_bag(silence):
    metrics = read_bag_with_rosbags(silence / 'bag')['/swarm/metrics']
    values = np.array([list(one.message.position) for one in metrics])
    assert np.isnan(values[DOWN, :6]).all() and (values[DOWN, 6] == 0.0).all()
    assert np.isfinite(values[: DOWN.start - 10]).all()


def test_a_report_of_it_agrees_with_what_was_published(silence, swarm_here, tmp_path):
    done = swarm_here('report', silence, '--out', tmp_path / 'r', '--table', 'csv')
    assert done.code == 0, done.err
    assert 'published in flight: 0.0e+00 in ' in done.out
    assert 'nan' not in done.out
    figures = read_json(tmp_path / 'r' / 'findings.json')
    assert figures['summary']['alive_share_mean'] == 1.0
    table = (tmp_path / 'r' / 'tables' / 'metrics.csv').read_text().splitlines()
    assert ',,,,,0,' in table[150]
