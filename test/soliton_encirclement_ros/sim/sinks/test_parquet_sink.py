"""The Parquet tables of chunks, read by Arrow and by pandas."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet
from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.chunk import ADVERSARY_COLUMNS, AGENT_COLUMNS, TARGET_COLUMNS
from soliton_encirclement_ros.sim.sinks import parquet_parts
from soliton_encirclement_ros.sim.sinks.parquet_sink import TRUE, ParquetSink
from support.chunks import fly_in_chunks, fly_into, lively

LAWS = ('soliton', 'two_channel', 'soliton_v1')


def leave_tables(scenario: Scenario, folder: Path) -> Path:
    """Write the tables of a scenario and return their folder."""
    fly_into(ParquetSink(folder, scenario), scenario)
    return folder


@pytest.mark.parametrize('law', LAWS)
def test_the_tables_hold_what_the_csv_tables_hold_to_the_last_bit(
    tmp_path: Path, law: str
) -> None:
    scenario = lively(control={'controller': law})
    leave_tables(scenario, tmp_path)
    Simulation(scenario, tmp_path).fly()
    for table, csv in (('agents', 'agent_telemetry.csv'), ('target', 'target_telemetry.csv')):
        found = pd.read_parquet(tmp_path / f'{table}.parquet')
        expected = pd.read_csv(tmp_path / csv, float_precision='round_trip')
        assert len(found) == len(expected) > 100
        for name in expected:
            assert (found[name] == expected[name]).all(), name


@pytest.mark.parametrize('law', LAWS)
def test_every_number_of_a_chunk_is_there_under_its_name(tmp_path: Path, law: str) -> None:
    scenario = lively(control={'controller': law})
    leave_tables(scenario, tmp_path)
    (chunk,) = fly_in_chunks(scenario, 1000)
    names = recorded_names(law, scenario.is_filtered)
    agents = parquet.read_table(tmp_path / 'agents.parquet')
    rows = chunk.agents.reshape(-1, chunk.agents.shape[2])
    for i, name in enumerate((*AGENT_COLUMNS, *names)):
        if i < len(AGENT_COLUMNS) and name in names:
            continue
        assert np.array_equal(agents[name].to_numpy(), rows[:, i], equal_nan=True), name
    assert set(agents.column_names) == {
        'node_id', 'timestamp', *AGENT_COLUMNS, *names, 'velocity_norm'
    }  # fmt: skip
    assert agents['failed'].to_numpy().any() and str(agents.schema.field('failed').type) == 'bool'
    target = parquet.read_table(tmp_path / 'target.parquet')
    for prefix, table, columns in (
        ('target_', chunk.target, TARGET_COLUMNS),
        ('adversary_', chunk.adversary, ADVERSARY_COLUMNS),
        ('', chunk.metrics, METRIC_NAMES),
        ('', np.column_stack([chunk.alive, chunk.separation]), ('alive', 'min_separation')),
    ):
        for i, name in enumerate(columns):
            assert np.array_equal(target[prefix + name].to_numpy(), table[:, i]), name


@pytest.mark.parametrize('adversary', [False, True])
def test_the_truth_is_beside_what_is_measured(tmp_path: Path, adversary: bool) -> None:
    blurred = {'mobility': {'position_noise_xy': 0.5}}
    scenario = lively(adversary={'adversary_enable': adversary}, **blurred)
    leave_tables(scenario, tmp_path)
    (chunk,) = fly_in_chunks(scenario, 1000)
    agents = parquet.read_table(tmp_path / 'agents.parquet')
    target = parquet.read_table(tmp_path / 'target.parquet')
    count = chunk.agents.shape[1]
    for i, name in enumerate(TRUE):
        assert np.array_equal(agents[name].to_numpy(), chunk.truth[:, :count, i].ravel()), name
        assert np.array_equal(target[f'target_{name}'].to_numpy(), chunk.truth[:, count, i]), name
    assert agents.schema.field('true_vx').metadata[b'unit'] == b'm/s'
    assert not np.allclose(agents['true_x'].to_numpy(), agents['x'].to_numpy(), atol=0.1)
    assert ('adversary_true_x' in target.column_names) == adversary


@pytest.mark.parametrize('law', LAWS)
def test_what_a_law_publishes_as_u_is_what_it_says(law: str) -> None:
    (chunk,) = fly_in_chunks(lively(control={'controller': law}), 1000)
    names = recorded_names(law, True)
    up = chunk.agents[:, :, AGENT_COLUMNS.index('failed')] == 0.0
    assert 'u' in names
    for name in {'u', 'u_ss'} & set(names):
        said = chunk.agents[:, :, AGENT_COLUMNS.index(name)][up]
        own = chunk.agents[:, :, len(AGENT_COLUMNS) + names.index(name)][up]
        assert np.array_equal(said, own), name


def test_columns_name_their_units(tmp_path: Path) -> None:
    leave_tables(lively(), tmp_path)
    units = {
        field.name: field.metadata[b'unit'].decode()
        for table in ('agents', 'target')
        for field in parquet.read_table(tmp_path / f'{table}.parquet').schema
    }
    assert units['timestamp'] == 's'
    assert (units['x'], units['vy'], units['velocity_norm']) == ('m', 'm/s', 'm/s')
    assert (units['target_z'], units['adversary_vx']) == ('m', 'm/s')
    assert (units['target_omega_ref'], units['E_vr'], units['min_separation']) == (
        'rad/s', 'm/s', 'm'
    )  # fmt: skip
    assert units['node_id'] == units['failed'] == units['E_r'] == ''


def test_without_an_adversary_there_are_no_columns_of_it(tmp_path: Path) -> None:
    leave_tables(lively(adversary={'adversary_enable': False}), tmp_path)
    names = parquet.read_table(tmp_path / 'target.parquet').column_names
    assert not [name for name in names if name.startswith('adversary')]


def test_chunks_that_are_overwritten_afterwards_do_no_harm(tmp_path: Path) -> None:
    scenario = lively()
    sink, times = ParquetSink(tmp_path, scenario), []
    for chunk in fly_in_chunks(scenario):
        times += chunk.times.tolist()
        sink.write(chunk)
        for column in chunk:
            column.fill(-1.0)
    sink.close()
    assert parquet.read_table(tmp_path / 'target.parquet')['timestamp'].to_pylist() == times


def test_a_flight_without_samples_is_a_table_without_rows(tmp_path: Path) -> None:
    ParquetSink(tmp_path, lively()).close()
    assert len(pd.read_parquet(tmp_path / 'agents.parquet')) == 0


def test_what_was_written_can_be_read_before_the_end(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(parquet_parts, 'PART_PERIOD', 0.0)
    sink, rows = ParquetSink(tmp_path, lively()), 0
    for chunk in fly_in_chunks(lively()):
        sink.write(chunk)
        rows += len(chunk.times)
        assert parquet.read_table(tmp_path / 'target.parquet').num_rows == rows
    parts = sorted(path.name for path in (tmp_path / 'target.parquet').iterdir())
    assert parts == [f'target-{k:05d}.parquet' for k in range(len(parts))]
    assert len(parts) == 8


def test_many_rows_end_a_file(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(parquet_parts, 'PART_ROWS', 100)
    leave_tables(lively(), tmp_path)
    parts = list((tmp_path / 'agents.parquet').iterdir())
    assert [parquet.read_metadata(path).num_rows for path in sorted(parts)] == [128, 128, 128, 96]
