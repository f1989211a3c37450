"""Files of tables: whole or not at all, and both kinds say the same."""

import math
import sys

import numpy as np
import pytest
from pyarrow import parquet
from soliton_encirclement_ros.analysis import arrow_tables
from soliton_encirclement_ros.analysis.arrow_tables import (
    FLAG,
    FORMATS,
    TEXT,
    WHOLE,
    Column,
    Part,
    Table,
    write_table,
    write_units,
)
from soliton_encirclement_ros.analysis.sweep_tables import SweepTable, write_csv, write_parquet
from soliton_encirclement_ros.core.errors import RunError

COLUMNS = (Column('value', 'm'), Column('count', kind=WHOLE), Column('up', kind=FLAG),
           Column('name', kind=TEXT))  # fmt: skip


def table(*parts):
    return Table('things', COLUMNS, lambda: iter(parts))


def part(rows, **values):
    return Part(rows, values)


def test_long_parts_are_written_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(arrow_tables, 'BLOCK', 7)
    values = np.arange(50.0)
    values[::3] = np.nan
    whole = part(50, value=values, count=values, up=values % 2 == 0, name='a')
    path = write_table(tmp_path, 'parquet', table(whole, whole))
    found = parquet.read_table(path).to_pydict()
    expected = [None if np.isnan(value) else value for value in values]
    assert found['value'] == expected * 2 and found['count'] == expected * 2
    assert found['up'] == [*(values % 2 == 0)] * 2 and set(found['name']) == {'a'}


def test_names_with_commas_and_quotes_come_back(tmp_path):
    path = write_table(tmp_path, 'csv', table(part(1, name=['a,"b"'])))
    assert path.read_text(encoding='utf-8') == 'value,count,up,name\n,,,"a,""b"""\n'


@pytest.mark.parametrize('form', FORMATS)
def test_a_table_without_rows_has_its_columns(tmp_path, form):
    path = write_table(tmp_path, form, table())
    assert path.stat().st_size > 0 and [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize('form', FORMATS)
def test_a_table_that_cannot_be_written_leaves_nothing(tmp_path, form):
    (tmp_path / f'things.{form}').mkdir()
    with pytest.raises(RunError, match=rf'things\.{form}: cannot write: Is a directory'):
        write_table(tmp_path, form, table(part(1, value=1.0)))
    assert [path.name for path in tmp_path.iterdir()] == [f'things.{form}']


@pytest.mark.parametrize('form', FORMATS)
def test_an_old_table_stays_until_the_new_one_is_whole(tmp_path, form):
    path = write_table(tmp_path, form, table(part(1, value=1.0)))
    before = path.read_bytes()

    def broken():
        yield part(1, value=2.0)
        raise OSError(28, 'No space left on device')

    with pytest.raises(RunError, match='No space left on device; name another folder'):
        write_table(tmp_path, form, Table('things', COLUMNS, broken))
    assert path.read_bytes() == before and [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize('form', FORMATS)
def test_an_interrupt_leaves_no_half_table(tmp_path, form):
    def interrupted():
        yield part(1, value=2.0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_table(tmp_path, form, Table('things', COLUMNS, interrupted))
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / 'tables').write_text('')
    for write in (lambda: write_table(tmp_path / 'tables', 'csv', table()),
                  lambda: write_units(tmp_path / 'tables', [table()])):  # fmt: skip
        with pytest.raises(RunError, match='cannot write'):
            write()


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(RunError, match="'xls': must be one of csv, parquet"):
        write_table(tmp_path, 'xls', table())


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
