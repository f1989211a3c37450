"""Laws as machine code: never out of date, kept on disk if possible, and plain without numba."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from soliton_encirclement_ros.sim import compiled as room
from soliton_encirclement_ros.sim.kernel import flying, records, rules

RECORD = """from typing import NamedTuple
class Inner(NamedTuple):
    a: float
    b: float
class Pair(NamedTuple):
    inner: Inner
    c: float
"""
LAW = """from soliton_encirclement_ros_probe_part import helper
from soliton_encirclement_ros_probe_record import Pair
FACTOR = 2.0
def law(pair: Pair) -> float:
    return helper(pair.inner.a) * FACTOR
"""
PART = """SHIFT = 1.0
class a: pass
def helper(x: float) -> float:
    return x + SHIFT
"""
STRANGER = """def stranger() -> float:
    return 0.0
"""
SOURCES = {'record': RECORD, 'law': LAW, 'part': PART, 'stranger': STRANGER}

FLY = """
import inspect
import json
from soliton_encirclement_ros_probe_law import law
from soliton_encirclement_ros_probe_record import Inner, Pair
from soliton_encirclement_ros.sim.compiled import compiled
pair = Pair(inner=Inner(a=3.0, b=30.0), c=300.0)
print(json.dumps([compiled(law)(pair), law(pair), inspect.unwrap(compiled(law)) is law]))
"""
EXPECTED = [8.0, 8.0]
MACHINE_CODE, PLAIN = False, True

NO_NUMBA = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] == 'numba':
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocker())
"""
NO_SPACE = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
"""
NO_HOME = """
from pathlib import Path
def nowhere():
    raise RuntimeError('Could not determine home directory.')
Path.home = staticmethod(nowhere)
"""


@pytest.fixture
def sources(tmp_path):
    """Return the folder of a law of three files, and of a file that it has nothing to do with."""
    for name, text in SOURCES.items():
        path_of(tmp_path, name).write_text(text)
    return tmp_path


def path_of(folder, name):
    return folder / f'soliton_encirclement_ros_probe_{name}.py'


def change(folder, name, old, new):
    path = path_of(folder, name)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def fly(folder, before='', script=FLY, **variables):
    """Fly in a process of its own; return what it gives and what it says."""
    environment = {
        **os.environ, 'PYTHONPATH': os.pathsep.join([str(folder), *sys.path]),
        'PYTHONDONTWRITEBYTECODE': '1', 'SWARM_CACHE_DIR': str(folder / 'cache'), **variables,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, '-c', before + script], env=environment, capture_output=True, text=True,
        timeout=110,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr.splitlines()


def kept(folder):
    """Return the files of compiled code with their contents."""
    found = sorted((folder / 'cache').rglob('*.nb?'))
    return {path: path.read_bytes() for path in found}


def digest(folder, monkeypatch):
    """Return the digest of the law as its files stand."""
    monkeypatch.syspath_prepend(str(folder))
    for name in SOURCES:
        sys.modules.pop(path_of(folder, name).stem, None)
        importlib.invalidate_caches()
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)
    return room.digest_of(importlib.import_module(path_of(folder, 'law').stem).law)


CHANGES = {
    'the law': ('law', 'return helper', 'return 1.0 * helper'),
    'a constant of the law': ('law', 'FACTOR = 2.0', 'FACTOR = 4.0'),
    'a part': ('part', 'return x', 'return 0.0 + x'),
    'a constant of a part': ('part', 'SHIFT = 1.0', 'SHIFT = 2.0'),
    'the order of a record': (
        'record', 'Pair(NamedTuple):\n    inner: Inner\n    c: float',
        'Pair(NamedTuple):\n    c: float\n    inner: Inner'),
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


def test_a_constant_of_another_room_counts_by_its_value(monkeypatch):
    before = room.digest_of(flying.fly)
    monkeypatch.setattr(flying, 'UNCLEAR', 7)
    assert room.digest_of(flying.fly) != before


def test_the_whole_kernel_is_in_the_digest_of_a_flight():
    files, constants = set(), set()
    room.reach(flying.fly, files, constants)
    names = {Path(file).name for file in files}
    assert {'records.py', 'rules.py', 'speaking.py', 'model.py', 'pursuit.py', 'kdv.py'} <= names
    assert {records.__file__, rules.__file__} <= set(files)
    assert 'SLACK_NS = 1' in constants


def test_compiled_code_is_kept_and_read_again(sources):
    found, said = fly(sources)
    assert found == [*EXPECTED, MACHINE_CODE]
    assert said == [room.FIRST_TIME]
    once = kept(sources)
    assert once
    assert fly(sources) == (found, [])
    assert kept(sources) == once


def test_compiled_code_is_never_out_of_date(sources):
    fly(sources)
    change(sources, 'record', 'a: float\n    b', 'b: float\n    a')
    assert fly(sources)[0] == [*EXPECTED, MACHINE_CODE]
    change(sources, 'part', 'SHIFT = 1.0', 'SHIFT = 2.0')
    assert fly(sources)[0] == [10.0, 10.0, MACHINE_CODE]


DAMAGE = {'cut short': lambda data: data[:30], 'empty': lambda data: b'',
          'garbage': lambda data: b'garbage\n'}  # fmt: skip


@pytest.mark.parametrize('damage', DAMAGE)
@pytest.mark.parametrize('kind', ['nbi', 'nbc'])
def test_damaged_code_is_compiled_anew(sources, kind, damage):
    fly(sources)
    (path,) = [path for path in kept(sources) if path.suffix == f'.{kind}']
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert fly(sources)[0] == [*EXPECTED, MACHINE_CODE]
    assert fly(sources)[0] == [*EXPECTED, MACHINE_CODE]


def test_a_full_disk_only_costs_time(sources):
    assert fly(sources, before=NO_SPACE)[0] == [*EXPECTED, MACHINE_CODE]


@pytest.mark.parametrize('place', ['file', 'file/below'])
def test_a_folder_that_cannot_be_is_done_without(sources, place):
    (sources / 'file').write_text('in the way')
    found, _ = fly(sources, SWARM_CACHE_DIR=str(sources / place))
    assert found == [*EXPECTED, MACHINE_CODE]


def test_without_a_home_nothing_is_kept(sources):
    found, _ = fly(sources, before=NO_HOME, SWARM_CACHE_DIR='', XDG_CACHE_HOME='')
    assert found == [*EXPECTED, MACHINE_CODE]


def test_without_a_home_the_named_folder_is_used(sources):
    assert fly(sources, before=NO_HOME)[0] == [*EXPECTED, MACHINE_CODE]
    assert kept(sources)


def test_without_a_name_the_user_s_cache_is_used(sources):
    fly(sources, SWARM_CACHE_DIR='', XDG_CACHE_HOME=str(sources / 'cache'))
    assert {path.relative_to(sources).parts[1] for path in kept(sources)} == {
        'soliton_encirclement_ros'
    }


SWARM = """
import json
import numpy as np
from support.identity import by_engine, scenario
rough = {'communication_failure_rate': 0.2, 'byzantine': '0..: 3 random 8'}
flown = scenario({'run': {'sim_duration': 1.0}, 'radio': rough})
for _ in range(2):
    found = by_engine(flown)
print(json.dumps(np.nansum(found.chunk.agents, axis=(0, 1)).tolist()))
"""


def test_without_numba_plain_python_flies_and_says_so_once(sources):
    found, said = fly(sources, before=NO_NUMBA)
    assert found == [*EXPECTED, PLAIN]
    assert said == [room.NO_NUMBA]
    slow, said = fly(sources, before=NO_NUMBA, script=SWARM)
    assert said == [room.NO_NUMBA]
    fast, _ = fly(sources, script=SWARM, SWARM_CACHE_DIR=os.environ.get('SWARM_CACHE_DIR', ''))
    assert slow == fast


def test_the_original_stays_what_the_nodes_run():
    before = dict(flying.__dict__)
    one = room.compiled(flying.is_clear)
    assert one is room.compiled(flying.is_clear)
    assert one is not flying.is_clear
    assert dict(flying.__dict__) == before
    assert one.__qualname__ == 'is_clear'


def test_attributes_are_no_global_names():
    def law(value: object) -> object:
        return value.sort_by, len(value.order)

    assert room.global_names(law.__code__) == {'len'}
