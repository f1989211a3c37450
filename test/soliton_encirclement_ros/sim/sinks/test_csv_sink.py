"""The CSV tables of chunks are those of the plain loop, byte for byte; any number is its repr."""

import struct
from pathlib import Path

import numpy as np
from hypothesis import given, strategies as st

from soliton_encirclement_ros.core.run.run_folder import AGENT_CSV, TARGET_CSV
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.sinks.csv_sink import CsvSink, CsvTable, rows_of
from support.chunks import fly_in_chunks, lively
from support.plain_run import fly_plainly
from support.recorded.run_folder import read_table

ANY_BITS = st.binary(min_size=8, max_size=8).map(lambda bits: struct.unpack('<d', bits)[0])
DIGITS = st.integers(-(10**6), 10**6)
NUMBERS = st.one_of(
    ANY_BITS,
    st.floats(),
    st.floats(-1.0, 1.0),
    st.integers(-(2**60), 2**60).map(float),
    st.builds(lambda digits, power: digits * 10.0**power, DIGITS, st.integers(-25, 25)),
)  # fmt: skip


def test_rows_are_on_disk_as_soon_as_they_are_written_and_are_those_of_the_loop(
    tmp_path: Path,
) -> None:
    scenario, rows = lively(control={'controller': 'two_channel'}), 0
    (tmp_path / 'loop').mkdir()
    fly_plainly(scenario, tmp_path / 'loop')
    sink = CsvSink(tmp_path, scenario)
    for chunk in fly_in_chunks(scenario, 7):
        sink.write(chunk)
        rows += len(chunk.times)
        assert len(read_table(tmp_path / TARGET_CSV)[1]) == rows
        assert len(read_table(tmp_path / AGENT_CSV)[1]) == rows * chunk.agents.shape[1]
    sink.close()
    for table in (AGENT_CSV, TARGET_CSV):
        assert (tmp_path / table).read_bytes() == (tmp_path / 'loop' / table).read_bytes()


def test_a_flight_without_samples_has_headers(tmp_path: Path) -> None:
    CsvSink(tmp_path, Scenario()).close()
    assert read_table(tmp_path / TARGET_CSV)[1] == []
    assert read_table(tmp_path / AGENT_CSV)[0][:2] == ('node_id', 'timestamp')


def test_cells_that_are_no_floats_stand_before_those_that_are(tmp_path: Path) -> None:
    table = CsvTable(tmp_path / 'x.csv', ('a', 'b', 'c'))
    table.append([b'\n7,', b'\n8,'], np.array([[-0.0, 1.0], [0.5, np.nan]]))
    table.append([], np.empty((0, 2)))
    table.close()
    assert (tmp_path / 'x.csv').read_text() == 'a,b,c\n7,-0.0,1.0\n8,0.5,nan\n'


def expected(numbers: np.ndarray) -> list[bytes]:
    """Return the rows as ``repr`` has them."""
    return [','.join(map(repr, row)).encode('ascii') for row in numbers.tolist()]


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=8))
def test_any_numbers(rows: list[tuple[float, ...]]) -> None:
    numbers = np.array(rows)
    assert rows_of(numbers) == expected(numbers)


def test_many_bit_patterns() -> None:
    numbers = np.random.default_rng(1).integers(0, 2**64, (20_000, 5), np.uint64).view(float)
    assert rows_of(numbers) == expected(numbers)


def test_where_exponents_begin() -> None:
    for edge in (1e-4, 1e-5, 1e15, 1e16, 1e17, 2.0**53, 5e-324):
        near = np.array([[np.nextafter(edge, 0.0), edge, np.nextafter(edge, np.inf), -edge]])
        assert rows_of(near) == expected(near)
