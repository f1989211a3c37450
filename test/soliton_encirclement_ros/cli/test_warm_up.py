"""``swarm warm-up`` leaves nothing to compile for flights, sweeps and fits."""

import sys
from functools import partial

import numpy as np
import pytest
from numba.core import event

from soliton_encirclement_ros.analysis.fit import fit, roll_out
from soliton_encirclement_ros.cli import warm_up
from soliton_encirclement_ros.sim.compilation import numba_import
from soliton_encirclement_ros.sim.compilation.code_cache import cache_root
from soliton_encirclement_ros.sim.compilation.compiled import compiled, to_compile
from support.here import swarm_here
from support.ready import NO_HURRY, laws
from support.recorded.planted import QUAD, flight, steps

__all__ = ['laws', 'swarm_here']

pytestmark = NO_HURRY

EVERYTHING = warm_up.everything()


@pytest.fixture
def swarm(swarm_here):
    """Return the command as a function."""
    return partial(swarm_here, 'warm-up')


def test_it_compiles_everything_and_says_where_it_is(swarm):
    code, out, _ = swarm()
    assert code == 0
    assert out.startswith(f'{len(EVERYTHING)} compiled programs: ')
    assert f'kept in {cache_root()}: ' in out and ' MB in use, ' in out
    assert to_compile(EVERYTHING) == []
    code, out, err = swarm()
    assert (code, err) == (0, '')
    assert out.startswith(f'{len(EVERYTHING)} compiled programs: all up to date\n')


def test_a_fit_has_nothing_left_to_compile(swarm):
    assert swarm()[0] == 0
    with event.install_recorder('numba:compile') as found:
        fit([flight(steps(np.random.default_rng(3)), QUAD, rate=25.0)], fly=compiled(roll_out))
    assert found.buffer == [] and len(compiled(roll_out).signatures) == 1


def test_where_nothing_can_be_kept_it_says_so(swarm, monkeypatch, tmp_path):
    (tmp_path / 'file').write_text('in the way')
    monkeypatch.setenv('SWARM_CACHE_DIR', str(tmp_path / 'file'))
    monkeypatch.setattr(warm_up, 'compile_in_parallel', lambda *_: pytest.fail('compiles in vain'))
    code, out, err = swarm()
    assert (code, out) == (1, '')
    assert err.startswith(f'error: {tmp_path}/file: compiled code cannot be stored there; set ')
    assert err.endswith('set SWARM_CACHE_DIR to a writable folder\n')


def test_without_a_compiler_it_says_what_to_install(swarm, monkeypatch):
    monkeypatch.setitem(sys.modules, 'numba', None)
    numba_import.has_numba.cache_clear()
    try:
        assert swarm() == (2, '', numba_import.NO_NUMBA + '\n')
    finally:
        numba_import.has_numba.cache_clear()


def test_a_broken_compiler_says_why(capsys, monkeypatch, tmp_path):
    (tmp_path / 'numba.py').write_text('raise ImportError("Numba needs NumPy 2.0 or less")')
    monkeypatch.delitem(sys.modules, 'numba')
    monkeypatch.syspath_prepend(tmp_path)
    numba_import.has_numba.cache_clear()
    try:
        assert not numba_import.has_numba()
    finally:
        numba_import.has_numba.cache_clear()
    why = 'Numba needs NumPy 2.0 or less'
    assert capsys.readouterr().err == numba_import.BROKEN_NUMBA.format(why) + '\n'
