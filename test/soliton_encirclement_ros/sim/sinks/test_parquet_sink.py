"""The Parquet tables of chunks."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

from soliton_encirclement_ros.controllers import recorded_names
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.chunk import ADVERSARY_COLUMNS, AGENT_COLUMNS, TARGET_COLUMNS
from soliton_encirclement_ros.sim.sinks import parquet_sink
from soliton_encirclement_ros.sim.sinks.parquet_sink import TRUE, ParquetSink
from support.chunks import fly_in_chunks, fly_into, lively

LAW = 'two_channel'


def leave_tables(scenario: Scenario, folder: Path) -> Path:
    """Write the tables of a scenario and return their folder."""
    fly_into(ParquetSink(folder, scenario), scenario)
    return folder


def test_every_number_of_a_chunk_is_there_under_its_name(tmp_path: Path) -> None:
    scenario = lively(control={'controller': LAW})
    leave_tables(scenario, tmp_path)
    (chunk,) = fly_in_chunks(scenario, 1000)
    names = recorded_names(LAW, scenario.is_filtered)
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
    count = chunk.agents.shape[1]
    assert agents['node_id'].to_pylist() == [1, 2, 3, 4] * len(chunk.times)
    assert agents['timestamp'].to_pylist() == np.repeat(chunk.times, count).tolist()
    speeds = [math.sqrt(x * x + y * y + z * z) for x, y, z in rows[:, 3:6].tolist()]
    assert agents['velocity_norm'].to_pylist() == speeds
    target = parquet.read_table(tmp_path / 'target.parquet')
    assert target['timestamp'].to_pylist() == chunk.times.tolist()
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
    of_it = [name for name in target.column_names if name.startswith('adversary')]
    assert ('adversary_true_x' in of_it) == bool(of_it) == adversary


@pytest.mark.parametrize('law', [LAW, 'soliton_v1'])
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
    assert (units['x'], units['target_omega_ref'], units['E_vr']) == ('m', 'rad/s', 'm/s')
    assert units['node_id'] == units['failed'] == units['E_r'] == ''
    assert (units['target_age'], units['filter_change']) == ('s', 'm/s')
    age = parquet.read_table(tmp_path / 'agents.parquet').schema.field('target_age')
    assert age.metadata[b'meaning'] == b'age of the target state in use'


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
    monkeypatch.setattr(parquet_sink, 'PART_PERIOD', 0.0)
    sink, rows = ParquetSink(tmp_path, lively()), 0
    for chunk in fly_in_chunks(lively()):
        sink.write(chunk)
        rows += len(chunk.times)
        assert parquet.read_table(tmp_path / 'target.parquet').num_rows == rows
    parts = sorted(path.name for path in (tmp_path / 'target.parquet').iterdir())
    assert parts == [f'target-{k:05d}.parquet' for k in range(len(parts))]
    assert len(parts) == 8


def test_many_rows_end_a_file(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(parquet_sink, 'PART_ROWS', 100)
    leave_tables(lively(), tmp_path)
    parts = list((tmp_path / 'agents.parquet').iterdir())
    assert [parquet.read_metadata(path).num_rows for path in sorted(parts)] == [128, 128, 128, 96]
