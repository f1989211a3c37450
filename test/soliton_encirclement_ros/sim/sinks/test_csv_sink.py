"""The CSV tables of chunks are those of the plain simulation, byte for byte."""

from pathlib import Path

import numpy as np
import pytest
from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import Simulation
from soliton_encirclement_ros.sim.sinks.csv_sink import CsvSink, CsvTable
from support.chunks import fly_in_chunks, fly_into, lively
from support.recorded.run_folder import read_table


@pytest.mark.parametrize('law', ['soliton', 'two_channel', 'soliton_v1'])
@pytest.mark.parametrize('size', [1, 7, 1000])
def test_the_bytes_are_those_of_the_simulation(tmp_path: Path, law: str, size: int) -> None:
    scenario = lively(control={'controller': law})
    for name in ('loop', 'sink'):
        (tmp_path / name).mkdir()
    Simulation(scenario, tmp_path / 'loop').fly()
    fly_into(CsvSink(tmp_path / 'sink', scenario), scenario, size)
    for table in (AGENT_CSV, TARGET_CSV):
        expected = (tmp_path / 'loop' / table).read_bytes()
        assert (tmp_path / 'sink' / table).read_bytes() == expected
        assert expected.count(b'\n') > scenario.ticks


def test_rows_are_on_disk_as_soon_as_they_are_written(tmp_path: Path) -> None:
    sink, rows = CsvSink(tmp_path, lively()), 0
    for chunk in fly_in_chunks(lively(), 10):
        sink.write(chunk)
        rows += len(chunk.times)
        assert len(read_table(tmp_path / TARGET_CSV)[1]) == rows
        assert len(read_table(tmp_path / AGENT_CSV)[1]) == rows * chunk.agents.shape[1]


def test_a_flight_without_samples_has_headers(tmp_path: Path) -> None:
    CsvSink(tmp_path, Scenario()).close()
    assert read_table(tmp_path / TARGET_CSV)[1] == []
    assert read_table(tmp_path / AGENT_CSV)[0][:2] == ('node_id', 'timestamp')


@pytest.mark.parametrize(
    ('value', 'text'),
    [
        (0.1, '0.1'), (-0.0, '-0.0'), (3.0, '3.0'), (1e16, '1e+16'), (1e-5, '1e-05'),
        (5e-324, '5e-324'), (float('inf'), 'inf'), (float('nan'), 'nan'),
    ],
)  # fmt: skip
def test_numbers_are_the_shortest_that_read_back(tmp_path: Path, value: float, text: str) -> None:
    table = CsvTable(tmp_path / 'x.csv', ('a', 'b', 'c'))
    table.append([b'\n7,', b'\n8,'], np.array([[value, 1.0], [0.5, value]]))
    table.append([], np.empty((0, 2)))
    table.close()
    assert (tmp_path / 'x.csv').read_text() == f'a,b,c\n7,{text},1.0\n8,0.5,{text}\n'


def test_a_table_that_is_gone_is_an_error_when_it_is_closed(tmp_path: Path) -> None:
    table = CsvTable(tmp_path / 'x.csv', ('a',))
    (tmp_path / 'x.csv').unlink()
    with pytest.raises(FileNotFoundError, match='No such file'):
        table.close()


def test_a_full_disk_is_an_error_at_once(tmp_path: Path) -> None:
    (tmp_path / 'x.csv').symlink_to('/dev/full')
    with pytest.raises(OSError, match='No space left'):
        CsvTable(tmp_path / 'x.csv', ('a',))
