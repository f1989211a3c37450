"""The compiler beside a flight: one process, of least priority, that goes on without it."""

import os
from pathlib import Path

import pytest

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.compilation import loaded_code
from soliton_encirclement_ros.sim.compilation.code_cache import compiler_lock
from soliton_encirclement_ros.sim.compilation.loaded_code import (
    DEFAULT, compile_beside, interpreted_time
)
from soliton_encirclement_ros.sim.forked_processes import FORK
from support.cli import wait_until


@pytest.fixture
def works(monkeypatch, tmp_path):
    """Return the file in which a compiler writes who it is; its code is ``tmp_path / code``."""
    found = tmp_path / 'works'

    def compile_it(kinds) -> None:
        lines = [os.getpid(), os.getppid(), os.getsid(0), os.nice(0), len(kinds)]
        (tmp_path / 'new').write_text(' '.join(map(str, lines)))
        (tmp_path / 'new').rename(found)

    monkeypatch.setenv('SWARM_CACHE_DIR', str(tmp_path))
    monkeypatch.setattr(loaded_code, 'get_ready', compile_it)
    monkeypatch.setattr(loaded_code, 'LOOK_PERIOD', 0.0)
    monkeypatch.setattr(loaded_code, 'cache_folder', lambda digest: tmp_path / 'code')
    return found


def test_it_works_in_a_session_of_its_own_and_tells_when_it_is_done(works, tmp_path):
    is_compiled = compile_beside([DEFAULT])
    assert not is_compiled()
    wait_until(works.exists, 'the compiler')
    pid, parent, session, priority, kinds = map(int, works.read_text().split())
    assert os.getpid() not in (pid, parent) and session != os.getsid(0)
    assert (priority, kinds) == (19, 1)
    (tmp_path / 'code').mkdir()
    assert not is_compiled()
    (tmp_path / 'code' / 'x.nbc').touch()
    assert is_compiled()


def ended_of(*call) -> int:
    """Return the exit code of a process that makes a call."""
    function, *arguments = call
    process = FORK.Process(target=function, args=arguments)
    process.start()
    process.join()
    return process.exitcode


def test_one_at_a_time_works(works):
    with compiler_lock() as is_ours:
        assert is_ours
        with compiler_lock(waits=False) as is_ours:
            assert not is_ours
        assert ended_of(loaded_code._compile, [DEFAULT]) == 0
        assert not works.exists()
    assert ended_of(loaded_code._compile, [DEFAULT]) == 0
    assert works.exists()


def test_without_a_folder_to_keep_code_in_nobody_compiles(works, monkeypatch):
    monkeypatch.setattr(loaded_code, 'cache_folder', lambda digest: None)
    monkeypatch.setattr(loaded_code, '_start', lambda kinds: pytest.fail('it has begun'))
    assert not compile_beside([DEFAULT])()


def test_the_lock_of_nowhere_is_free(monkeypatch):
    monkeypatch.setenv('SWARM_CACHE_DIR', str(Path('/proc/nowhere')))
    with compiler_lock(waits=False) as is_ours:
        assert is_ours


def test_more_agents_and_longer_flights_take_longer_interpreted():
    one, many = Scenario(), Scenario().with_changes({'run': {'num_agents': 40}}, 'test')
    assert interpreted_time([one]) < interpreted_time([one, one])
    assert interpreted_time([many]) > 4.0 * interpreted_time([one])
    assert interpreted_time([one, one], at_once=8) == interpreted_time([one])
