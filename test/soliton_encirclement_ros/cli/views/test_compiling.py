"""The first compilation: a line says how long it takes, and ctrl-C ends it at any moment."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from soliton_encirclement_ros.sim.compilation.numba_import import FIRST_TIME
from support.cli import start_swarm, wait_until
from support.probe import FLY, fly, kept, sources
from support.terminal import Terminal

__all__ = ['sources']

VISIBLY = """
from soliton_encirclement_ros.cli.views.compilation_progress import compile_visibly
from soliton_encirclement_ros_probe_law import law as program
from soliton_encirclement_ros.sim.compilation.compiled import compiled as machine_code
from soliton_encirclement_ros_probe_record import Inner as In, Pair as Two
load = lambda: machine_code(program)(Two(In(3.0, 30.0), 300.0))
compile_visibly([program], load)
"""
INTERRUPTED_BEFORE_A_FILE = """
import os, signal, time
replace, calls = os.replace, []
def at_the_worst_moment(*paths):
    calls.append(paths)
    if len(calls) == {number}:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(30.0)
    replace(*paths)
os.replace = at_the_worst_moment
"""


@pytest.mark.nightly
def test_compiling_visibly_gives_the_same_code(sources):
    found, said = fly(sources, before=VISIBLY)
    assert found[:2] == [8.0, 8.0]
    assert said[0] == FIRST_TIME
    assert fly(sources, before=VISIBLY) == (found, [])


def cut_short(path):
    path.write_bytes(path.read_bytes()[:1000])


ANOTHER_PROCESSOR = """
import numba
numba.config.CPU_NAME = 'generic'
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ('damage', 'before'),
    [(Path.unlink, ''), (cut_short, ''), (Path.exists, ANOTHER_PROCESSOR)],
    ids=['code gone', 'code cut short', 'code for another processor'],
)
def test_whatever_is_compiled_is_told(sources, damage, before):
    """Also where the index of the compiled code promises that it is there."""
    assert fly(sources, before=VISIBLY)[1] == [FIRST_TIME]
    (code,) = [path for path in kept(sources) if path.suffix == '.nbc']
    damage(code)
    assert fly(sources, before=before + VISIBLY)[1] == [FIRST_TIME]
    assert fly(sources, before=before + VISIBLY)[1] == []


@pytest.mark.parametrize('number', [1, 2], ids=['index', 'data'])
def test_an_interrupt_while_code_is_kept_leaves_a_sound_cache(sources, number):
    trap = INTERRUPTED_BEFORE_A_FILE.format(number=number)
    with pytest.raises(AssertionError, match=f'-{signal.SIGINT:d}') as caught:
        fly(sources, before=trap + VISIBLY + 'raise SystemExit("not interrupted")')
    assert 'Traceback' not in str(caught.value)
    assert len([path for path in kept(sources) if path.suffix in ('.nbi', '.nbc')]) == number - 1
    assert fly(sources)[0][:2] == [8.0, 8.0]
    assert fly(sources, script=FLY) == (fly(sources)[0], [])


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """Return the empty folder for compiled code of the processes that are started."""
    monkeypatch.setenv('SWARM_CACHE_DIR', str(tmp_path / 'cache'))
    return tmp_path / 'cache'


SLOW = """
import time
from pathlib import Path
from soliton_encirclement_ros.cli.views import compilation_progress as progress
def load():
    while not Path('compiled').exists():
        time.sleep(0.01)
progress.to_compile = lambda programs: True
progress.compile_visibly([], load)
print('compiled')
"""


@pytest.mark.parametrize('is_interrupted', [False, True])
def test_a_terminal_shows_the_seconds_and_stays_sound_whenever_it_ends(
    empty_cache, tmp_path, is_interrupted
):
    with Terminal([sys.executable, '-c', SLOW], os.environ, tmp_path) as terminal:
        terminal.wait_for(lambda _: re.search(rb'\r\d+ s', terminal.written), 'the seconds')
        if is_interrupted:
            terminal.press('\x03')
            assert terminal.end() == -signal.SIGINT
        else:
            (tmp_path / 'compiled').touch()
            assert terminal.end() == 0
            shown = [line.strip() for line in terminal.screen.display if line.strip()]
            assert shown == [FIRST_TIME, 'compiled']
        assert b'\x1b[?25l' not in terminal.written, 'the cursor was hidden'


@pytest.mark.one_in(2)
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('words', [('sweep', 'laws'), ('warm-up',)], ids=' '.join)
def test_a_signal_ends_a_compilation_at_once(words, number, empty_cache, tmp_path):
    with start_swarm(*words, domain=0, folder=tmp_path) as process:
        wait_until(lambda: FIRST_TIME in process.err, 'the compiler to be at work')
        process.popen.send_signal(number)
        assert process.end() == -number
        assert 'Traceback' not in process.err + process.out
    kept = [path for path in empty_cache.rglob('*') if path.is_file()]
    assert {path.suffix for path in kept} <= {'.nbi', '.nbc', '.lock'}, 'a file is half written'
    assert not (tmp_path / 'runs').exists()
