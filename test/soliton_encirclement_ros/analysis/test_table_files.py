"""Tables as files: both kinds say the same, whole or not at all."""

import math
import sys

import pytest
from soliton_encirclement_ros.analysis.sweep.sweep_tables import SweepTable
from soliton_encirclement_ros.analysis.table_files import write_csv, write_parquet
from soliton_encirclement_ros.core.errors import RunError

ROWS = [
    {'n': 1, 'x': 0.1, 'law': 'soliton', 'yes': True, 'mixed': 1, 'none': None},
    {'n': 2, 'x': math.inf, 'law': None, 'yes': False, 'mixed': 'a', 'none': None},
    {'n': None, 'x': None, 'law': 'v1', 'yes': None, 'mixed': 2.5, 'none': None},
]
TABLE = SweepTable(ROWS, list(ROWS[0]))


def test_csv_has_empty_cells_and_inf(tmp_path):
    write_csv(tmp_path / 'a.csv', TABLE)
    assert (tmp_path / 'a.csv').read_text() == (
        'n,x,law,yes,mixed,none\n1,0.1,soliton,true,1,\n2,inf,,false,a,\n,,v1,,2.5,\n'
    )


def test_parquet_has_the_same_with_types(tmp_path):
    from pyarrow import parquet

    assert write_parquet(tmp_path / 'a.parquet', TABLE)
    found = parquet.read_table(tmp_path / 'a.parquet')
    assert [str(kind) for kind in found.schema.types] == [
        'int64', 'double', 'string', 'bool', 'string', 'double',
    ]  # fmt: skip
    assert found.column('x').to_pylist() == [0.1, math.inf, None]
    assert found.column('mixed').to_pylist() == ['1', 'a', '2.5']


def test_without_pyarrow_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'pyarrow', None)
    assert not write_parquet(tmp_path / 'a.parquet', TABLE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize('write', [write_csv, write_parquet])
def test_a_full_disk_is_told_in_one_line_and_leaves_the_old_table(tmp_path, write):
    path = tmp_path / 'a'
    path.write_text('old')
    (tmp_path / 'a.part').symlink_to('/dev/full')
    with pytest.raises(RunError, match=r'a: cannot write: .*; finished .* kept: free disk space'):
        write(path, SweepTable(ROWS * 10_000, TABLE.columns))
    assert path.read_text() == 'old'
