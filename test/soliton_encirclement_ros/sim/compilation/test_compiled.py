"""Laws as machine code: never out of date, kept on disk if possible, and plain without numba."""

import importlib
import os
import pickle
import sys
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from soliton_encirclement_ros.controllers import kind_of
from soliton_encirclement_ros.controllers.soliton import PREDICTIVE, SOLITON
from soliton_encirclement_ros.controllers.turn_rate_laws import FRANCHI, KIM_SUGIE, WANG_XIE_CAO
from soliton_encirclement_ros.sim.compilation import call_graph, code_cache, numba_import
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.law_unit import over_rows
from soliton_encirclement_ros.sim.compilation.loaded_code import DEFAULT
from soliton_encirclement_ros.sim.flight_constants import setup_of
from soliton_encirclement_ros.sim.kernel import swarm_tick
from soliton_encirclement_ros.swarm import memory, rules
from support.probe import (
    NO_HOME, NO_NUMBA, NO_SPACE, SOURCES, SWARM, change, fly, kept, path_of, sources
)
from support.ready import NO_HURRY, laws

__all__ = ['laws', 'sources']

pytestmark = NO_HURRY

EXPECTED = [8.0, 8.0]
MACHINE_CODE, PLAIN = False, True


def digest(folder, monkeypatch):
    """Return the digest of the law as its files stand."""
    monkeypatch.syspath_prepend(str(folder))
    for name in SOURCES:
        sys.modules.pop(path_of(folder, name).stem, None)
        importlib.invalidate_caches()
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)
    return code_cache.digest_of(importlib.import_module(path_of(folder, 'law').stem).law)


CHANGES = {
    'a constant of the law': ('law', 'FACTOR = 2.0', 'FACTOR = 4.0'),
    'a part': ('part', 'return x', 'return 0.0 + x'),
    'the order of a record in it': ('record', 'a: float\n    b', 'b: float\n    a'),
}  # fmt: skip


@pytest.mark.parametrize('case', CHANGES)
def test_another_source_or_constant_is_another_digest(sources, monkeypatch, case):
    before = digest(sources, monkeypatch)
    change(sources, *CHANGES[case])
    assert digest(sources, monkeypatch) != before


def test_what_the_law_does_not_use_leaves_the_digest_alone(sources, monkeypatch):
    before = digest(sources, monkeypatch)
    change(sources, 'stranger', '0.0', '1.0')
    assert digest(sources, monkeypatch) == before


def test_laws_that_one_function_makes_in_one_file_are_told_apart():
    digests = {code_cache.digest_of(law.step) for law in (FRANCHI, KIM_SUGIE, WANG_XIE_CAO)}
    assert len(digests) == 3


def test_laws_that_share_a_step_record_what_is_theirs():
    setup = setup_of(DEFAULT.scenario(), 'uav_1')
    soliton, predictive = (over_rows(law, setup) for law in (SOLITON, PREDICTIVE))
    assert soliton.step is not predictive.step and soliton.record is not predictive.record
    memory = np.zeros(1000)
    rows = np.full(11, -1.0), np.full(11, -1.0)
    for functions, row in zip((soliton, predictive), rows, strict=True):
        functions.record(memory, row)
    assert [row[-1] for row in rows] == [-1.0, 0.0]


def test_a_constant_of_another_room_counts_by_its_value(monkeypatch):
    before = code_cache.digest_of(swarm_tick.fly)
    monkeypatch.setattr(swarm_tick, 'PER_LINK', 7)
    assert code_cache.digest_of(swarm_tick.fly) != before


def test_the_whole_kernel_is_in_the_digest_of_a_flight():
    files, values = set(), set()
    code_cache.reach(swarm_tick.fly, files, values)
    names = {Path(file).name for file in files}
    assert {'memory.py', 'rules.py', 'broadcast.py', 'agent.py'} <= names
    assert {'law.py', 'ring_geometry.py'} <= names
    assert {memory.__file__, rules.__file__} <= set(files)
    assert 'SLACK_NS = 1' in values


def test_a_whole_law_is_in_the_digest_of_its_step():
    kind = DEFAULT._replace(law='two_channel', layer='kdv')
    setup = setup_of(kind.scenario(), 'uav_1')
    step = over_rows(kind_of(kind.law).law(setup), setup).step
    found, values = set(), set()
    code_cache.reach(step, found, values)
    files = {'two_channel.py', 'kdv.py', 'ring_geometry.py'}
    assert files <= {Path(file).name for file in found}
    assert any('def unpack(row)' in text for text in values)


def test_compiled_code_is_kept_and_read_again(sources):
    found, said = fly(sources, afresh=True)
    assert found == [*EXPECTED, MACHINE_CODE]
    assert said == [numba_import.FIRST_TIME]
    once = kept(sources)
    assert once
    assert fly(sources, afresh=True) == (found, [])
    assert kept(sources) == once


@pytest.mark.nightly
def test_compiled_code_is_never_out_of_date(sources):
    fly(sources)
    change(sources, 'record', 'a: float\n    b', 'b: float\n    a')
    assert fly(sources)[0] == [*EXPECTED, MACHINE_CODE]
    change(sources, 'part', 'SHIFT = 1.0', 'SHIFT = 2.0')
    assert fly(sources)[0] == [10.0, 10.0, MACHINE_CODE]


def test_another_level_of_optimisation_is_another_digest(sources, monkeypatch):
    """It changes the instructions of functions, by which numba tells compiled code apart."""
    before = digest(sources, monkeypatch)
    told = SimpleNamespace(
        version=sys.version, flags=SimpleNamespace(optimize=2), modules=sys.modules
    )
    monkeypatch.setattr(code_cache, 'sys', told)
    assert digest(sources, monkeypatch) != before


DAMAGE = {'cut short': lambda data: data[:30], 'empty': lambda data: b'',
          'garbage': lambda data: b'garbage\n'}  # fmt: skip


@pytest.mark.nightly
@pytest.mark.parametrize(
    ('kind', 'damage'),
    [('nbi', 'empty'), ('nbc', 'cut short'), ('nbc', 'garbage')],
)
def test_damaged_code_is_compiled_anew(sources, kind, damage):
    fly(sources)
    (path,) = [path for path in kept(sources) if path.suffix == f'.{kind}']
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert fly(sources)[0] == [*EXPECTED, MACHINE_CODE]
    assert fly(sources)[0] == [*EXPECTED, MACHINE_CODE]


def test_an_index_that_another_version_writes_meanwhile_only_costs_time(tmp_path, monkeypatch):
    """Its types are in modules that this version does not have."""
    double = numba.njit(lambda x: 2.0 * x)
    double._cache = code_cache.disk_cache(double.py_func, tmp_path)
    double.compile('f8(f8)')
    (index,) = tmp_path.glob('*.nbi')
    index.write_bytes(pickle.dumps(numba.__version__) + b'cno_such_module\nno_such_type\n.')
    monkeypatch.setattr(code_cache, 'empty', lambda folder: None)  # it comes right after
    again = numba.njit(double.py_func)
    again._cache = code_cache.disk_cache(double.py_func, tmp_path)
    again.compile('f8(f8)')
    assert again(4.0) == 8.0


@pytest.mark.nightly
def test_a_full_disk_only_costs_time(sources):
    assert fly(sources, before=NO_SPACE, afresh=True)[0] == [*EXPECTED, MACHINE_CODE]


@pytest.mark.nightly
def test_a_folder_that_cannot_be_is_done_without(sources):
    (sources / 'file').write_text('in the way')
    found, _ = fly(sources, SWARM_CACHE_DIR=str(sources / 'file' / 'below'))
    assert found == [*EXPECTED, MACHINE_CODE]


@pytest.mark.nightly
def test_without_a_home_nothing_is_kept(sources):
    found, _ = fly(sources, before=NO_HOME, SWARM_CACHE_DIR='', XDG_CACHE_HOME='')
    assert found == [*EXPECTED, MACHINE_CODE]


@pytest.mark.nightly
def test_without_a_name_the_user_s_cache_is_used(sources):
    fly(sources, SWARM_CACHE_DIR='', XDG_CACHE_HOME=str(sources / 'cache'))
    assert {path.relative_to(sources).parts[1] for path in kept(sources)} == {
        'soliton_encirclement_ros'
    }


def test_without_numba_plain_python_flies_and_says_so_once(sources):
    found, said = fly(sources, before=NO_NUMBA, afresh=True)
    assert found == [*EXPECTED, PLAIN]
    assert said == [numba_import.NO_NUMBA]
    slow, said = fly(sources, before=NO_NUMBA, script=SWARM, afresh=True)
    assert said == [numba_import.NO_NUMBA]
    kept_there = os.environ.get('SWARM_CACHE_DIR', '')
    fast, _ = fly(sources, script=SWARM, afresh=True, SWARM_CACHE_DIR=kept_there)
    assert slow == fast


def test_with_the_compiler_switched_off_plain_python_flies_and_says_so_once(sources):
    found, said = fly(sources, afresh=True, NUMBA_DISABLE_JIT='1')
    assert found == [*EXPECTED, PLAIN]
    assert said == [numba_import.SWITCHED_OFF]
    assert not kept(sources)


def test_the_original_stays_what_the_nodes_run():
    before = dict(swarm_tick.__dict__)
    one = compiled(swarm_tick.is_reception_uniform)
    assert one is compiled(swarm_tick.is_reception_uniform)
    assert one is not swarm_tick.is_reception_uniform
    assert dict(swarm_tick.__dict__) == before
    assert one.__qualname__ == 'is_reception_uniform'


def test_attributes_are_no_global_names():
    def law(value: object) -> object:
        return value.sort_by, len(value.order)

    assert call_graph.global_names(law.__code__) == {'len'}
