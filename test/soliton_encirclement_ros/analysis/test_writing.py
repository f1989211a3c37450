"""Files of tables: whole or not at all, and both kinds say the same."""

import sys

import numpy as np
import pytest
from pyarrow import parquet

from soliton_encirclement_ros.analysis.table_files import (
    FLAG, FORMATS, TEXT, WHOLE, Column, Table, write_table, write_units
)
from soliton_encirclement_ros.core.errors import RunError

COLUMNS = (Column('value', 'm'), Column('count', kind=WHOLE), Column('up', kind=FLAG),
           Column('name', kind=TEXT))  # fmt: skip


def table(*parts):
    return Table('things', COLUMNS, lambda: iter(parts))


def test_parts_follow_each_other_and_unknown_values_are_null(tmp_path):
    values = np.arange(50.0)
    values[::3] = np.nan
    whole = dict(value=values, count=values, up=values % 2 == 0, name='a')
    path = write_table(tmp_path, 'parquet', table(whole, whole))
    found = parquet.read_table(path).to_pydict()
    expected = [None if np.isnan(value) else value for value in values]
    assert found['value'] == expected * 2 and found['count'] == expected * 2
    assert found['up'] == [*(values % 2 == 0)] * 2 and set(found['name']) == {'a'}


def test_names_with_commas_and_quotes_come_back(tmp_path):
    path = write_table(tmp_path, 'csv', table(dict(name=['a,"b"'])))
    assert path.read_text(encoding='utf-8') == 'value,count,up,name\n,,,"a,""b"""\n'


@pytest.mark.parametrize('form', FORMATS)
def test_a_table_without_rows_has_its_columns(tmp_path, form):
    path = write_table(tmp_path, form, table())
    assert path.stat().st_size > 0 and [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize('form', FORMATS)
def test_a_table_that_cannot_be_written_leaves_nothing(tmp_path, form):
    (tmp_path / f'things.{form}').mkdir()
    with pytest.raises(RunError, match=rf'things\.{form}: cannot write: Is a directory'):
        write_table(tmp_path, form, table({'value': [1.0]}))
    assert [path.name for path in tmp_path.iterdir()] == [f'things.{form}']


@pytest.mark.parametrize('form', FORMATS)
def test_an_old_table_stays_until_the_new_one_is_whole(tmp_path, form):
    path = write_table(tmp_path, form, table({'value': [1.0]}))
    before = path.read_bytes()

    def broken():
        yield {'value': [2.0]}
        raise OSError(28, 'No space left on device')

    with pytest.raises(RunError, match='No space left on device; name another folder'):
        write_table(tmp_path, form, Table('things', COLUMNS, broken))
    assert path.read_bytes() == before and [*tmp_path.iterdir()] == [path]


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / 'tables').write_text('')
    for write in (lambda: write_table(tmp_path / 'tables', 'csv', table()),
                  lambda: write_units(tmp_path / 'tables', [table()])):  # fmt: skip
        with pytest.raises(RunError, match='cannot write'):
            write()


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(RunError, match="'xls': must be one of csv, parquet"):
        write_table(tmp_path, 'xls', table())


def test_csv_needs_no_pyarrow_and_parquet_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'pyarrow', None)
    rows = dict(value=[0.5, None], count=[None, 3.0], up=[True, None], name='a')
    path = write_table(tmp_path, 'csv', table(rows))
    assert path.read_text() == 'value,count,up,name\n0.5,,true,a\n,3,,a\n'
    with pytest.raises(RunError, match="'parquet' needs pyarrow: pip install pyarrow"):
        write_table(tmp_path, 'parquet', table(rows))
