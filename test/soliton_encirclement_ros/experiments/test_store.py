"""The store: what is in it once stays there, and only one sweep writes to it."""

import sqlite3
from contextlib import closing

import pytest

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.experiments.run_store import DATABASE, BrokenOffError, Store
from support.planned import CURVES, a_plan, a_record


def test_what_was_kept_is_read_back_in_the_order_asked_for(tmp_path):
    runs = a_plan(3)
    with Store(tmp_path / 'new' / 'folder') as store:
        store.keep([(run, a_record(run, e_gap=0.1 * i)) for i, run in enumerate(runs[:2])])
    with Store(tmp_path / 'new' / 'folder') as store:
        assert store.missing(runs) == [runs[2]]
        found = list(store.read(runs[::-1]))
        assert [kept.seed for kept in found] == [1, 0]
        assert found[0].summary['metrics_mean']['E_gap'] == 0.1
        assert found[0].study == {'x/M1': 0.5}
        assert store.curves(runs[0])['E_gap'] == CURVES['E_gap']


def test_infinite_and_missing_numbers_of_a_study_survive(tmp_path):
    (run,) = a_plan(1)
    with Store(tmp_path) as store:
        store.keep([(run, a_record(run)._replace(study='{"a": NaN, "b": Infinity}'))])
        ((*_, study),) = store.read([run])
    assert study['a'] != study['a'] and study['b'] == float('inf')


def test_runs_of_other_code_are_missing_and_stay_until_they_are_replaced(tmp_path):
    old, new = a_plan(2, 'old'), a_plan(2, 'new')
    with Store(tmp_path) as store:
        store.keep([(run, a_record(run, 'old')) for run in old])
        assert store.missing(new) == new
        assert store.outdated(new) == 2
        store.keep([(new[0], a_record(new[0], 'new'))])
        assert store.missing(new) == [new[1]]
        assert store.missing(old) == [old[0]]
        assert store.outdated(store.missing(new)) == 1


def test_a_second_store_in_the_folder_is_refused(tmp_path):
    with Store(tmp_path), pytest.raises(RunError, match='another sweep'):
        Store(tmp_path)
    Store(tmp_path).close()


def test_a_store_that_cannot_be_written_keeps_what_it_has(tmp_path):
    runs = a_plan(2)
    with Store(tmp_path) as store:
        store.keep([(runs[0], a_record(runs[0]))])
        store._base.execute('PRAGMA max_page_count = 1')
        big = a_record(runs[1])._replace(curves=bytes(1_000_000))
        with pytest.raises(BrokenOffError, match='cannot write: database or disk is full; fin'):
            store.keep([(runs[1], big)])
        store._base.execute('PRAGMA max_page_count = 100000')
        assert store.missing(runs) == [runs[1]]
        store.keep([(runs[1], big)])
        assert store.missing(runs) == []


def test_a_database_of_something_else_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / 'runs.sqlite'
    with closing(sqlite3.connect(path)) as base:
        base.execute('CREATE TABLE mine (x)')
        base.commit()
    before = path.read_bytes()
    with pytest.raises(RunError, match=r'runs\.sqlite: is not a sweep database'):
        Store(tmp_path)
    assert path.read_bytes() == before


def test_a_store_of_another_layout_is_refused(tmp_path):
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as base:
        base.execute('PRAGMA user_version = 7')
    with pytest.raises(RunError, match='layout 7 must be 1: use another --out'):
        Store(tmp_path)


def test_a_damaged_store_is_refused_in_one_line(tmp_path):
    (tmp_path / DATABASE).write_bytes(b'x' * 5000)
    with pytest.raises(RunError, match='cannot be used: file is not a database') as caught:
        Store(tmp_path)
    assert '\n' not in str(caught.value)
