"""A run or a bag in frames of pandas, as the report has them."""

import json
import shutil

import pandas as pd
import pytest

from soliton_encirclement_ros.analysis.findings import as_json
from soliton_encirclement_ros.analysis.recording_tables import tables_of
from soliton_encirclement_ros.analysis.table_files import write_table
from soliton_encirclement_ros.api.flight_data import load
from soliton_encirclement_ros.core.errors import RunError
from support.cli import only_run_folder, run_swarm
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

FLOWN = (
    'simulate', 'ground_target', '--agents', '3', '--duration', '4', '--no-pictures',
    '--format', 'bag', '--format', 'csv',
)  # fmt: skip


@pytest.fixture(scope='module')
def runs(tmp_path_factory, laws):
    """Return a folder with a run that left a bag, and the same one without."""
    folder = tmp_path_factory.mktemp('flown')
    run_swarm(*FLOWN, domain=0, folder=folder)
    run = only_run_folder(folder)
    shutil.copytree(run, folder / 'csv', ignore=shutil.ignore_patterns('bag'))
    return run.rename(folder / 'bag').parent


def test_frames_are_the_tables_of_the_report(runs, tmp_path):
    flown = load(runs / 'bag')
    tables = {table.name: table for table in tables_of(flown._findings)}
    for name, frame in flown.frames.items():
        file = write_table(tmp_path, 'parquet', tables[name])
        written = pd.read_parquet(file).astype(frame.dtypes.to_dict())
        pd.testing.assert_frame_equal(frame, written, check_exact=True)
        assert set(frame.attrs['units']) == set(frame.columns) == set(frame.attrs['meanings'])
    assert list(flown.frames) == ['agents', 'target', 'commands', 'metrics', 'events']
    assert flown.agents.attrs['units']['vx'] == 'm/s'
    assert flown.findings == json.loads(json.dumps(as_json(flown._findings)))


def test_a_run_without_a_bag_is_flown_again(runs):
    kept, again = (load(runs / form) for form in ('bag', 'csv'))
    for name, frame in kept.frames.items():
        pd.testing.assert_frame_equal(frame, again.frames[name], check_exact=True)
    assert again.recording.path == runs / 'csv'
    assert not (runs / 'csv' / 'bag').exists()


def test_the_tables_of_a_run_have_the_same_positions(runs):
    run = runs / 'csv'
    flown = load(run)
    target = flown.target[flown.target.name == 'target']
    for table, frame in (('agent', flown.agents), ('target', target)):
        told = pd.read_csv(run / f'{table}_telemetry.csv')
        columns = ['timestamp', 'x', 'y', 'z', 'vx', 'vy', 'vz']
        keys = ['node_id', 'timestamp'] if table == 'agent' else ['timestamp']
        found = told.merge(frame, on=keys, suffixes=('', '_frame'))
        assert len(found) >= len(told) - 6
        for column in columns[1:]:
            assert found[column].to_numpy() == pytest.approx(found[f'{column}_frame'].to_numpy())


def test_a_run_that_was_changed_says_so(runs):
    run = runs / 'csv'
    summary = json.loads((run / 'summary.json').read_text())
    (run / 'summary.json').write_text(json.dumps({**summary, 'failures': 99}))
    with pytest.warns(UserWarning, match='flown again it differs from summary.json'):
        load(run)
    (run / 'summary.json').write_text(json.dumps(summary))


def test_a_part_a_target_and_a_radius_are_chosen(runs):
    flown = load(runs / 'bag', window=(1.0, 2.0), target=(0.0, 0.0, 0.0), radius=7.0)
    assert flown.metrics.timestamp.between(1.0, 2.0).all()
    assert flown.findings['settings']['radius_m'] == 7.0


def test_what_is_missing_is_named(runs, tmp_path):
    with pytest.raises(RunError, match='nowhere: no such file'):
        load(tmp_path / 'nowhere')
    with pytest.raises(RunError, match='nobody'):
        load(runs / 'bag', target='nobody')
