"""The first compilation: a line or a bar with what is done, and ctrl-C at any moment."""

import contextlib
import io
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from soliton_encirclement_ros.cli.views import compilation_progress, terminal_display
from soliton_encirclement_ros.cli.views.compilation_progress import CompilationProgress
from soliton_encirclement_ros.sim.compilation.call_graph import functions_of
from soliton_encirclement_ros.sim.compilation.numba_import import FIRST_TIME
from soliton_encirclement_ros.sim.kernel.swarm_tick import fly as program
from support.cli import PATIENCE, REPOSITORY, SWARM, environment, start_swarm, wait_until
from support.probe import FLY, fly, kept, sources

__all__ = ['sources']

VISIBLY = """
from soliton_encirclement_ros.cli.views.compilation_progress import compile_visibly
from soliton_encirclement_ros_probe_law import law as program
from soliton_encirclement_ros.sim.compilation.compiled import compiled as machine_code
from soliton_encirclement_ros_probe_record import Inner as In, Pair as Two
from soliton_encirclement_ros.cli.views import compilation_progress, terminal_display
compilation_progress.REFRESH_PERIOD, terminal_display.PLAIN_PERIOD = 0.01, 0.0
load = lambda: machine_code(program)(Two(In(3.0, 30.0), 300.0))
fresh = compile_visibly([program], load)
"""
COUNTED = (
    VISIBLY
    + """
import sys
print(fresh, 'fresh', file=sys.stderr)
"""
)
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


def test_functions_are_counted(monkeypatch):
    """From the first program on; another variant of a function, or a stranger, is no news."""
    monkeypatch.setattr(terminal_display, 'PLAIN_PERIOD', 0.0)
    out = io.StringIO()
    with CompilationProgress(Console(file=out, width=80), [program], []) as progress:
        progress.update()
        assert out.getvalue() == '', 'nothing is compiled yet'
        progress.begin(program.__code__)
        total = len(functions_of([program]))
        for _ in range(2):
            progress.done(program.__code__)
            progress.done(cut_short.__code__)
        progress.update()
        assert progress.view() is not None
    assert out.getvalue().startswith(f'compiling {total} functions: 1 done')


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
def test_whatever_is_compiled_is_shown(sources, damage, before):
    """Also where the index of the compiled code promises that it is there."""
    assert fly(sources, before=COUNTED)[1][-1] == '1 fresh'
    (code,) = [path for path in kept(sources) if path.suffix == '.nbc']
    damage(code)
    _, said = fly(sources, before=before + COUNTED)
    assert (said[0], said[-1]) == (FIRST_TIME, '1 fresh')
    assert said[1].startswith('compiling 2 functions: ')
    assert fly(sources, before=before + COUNTED)[1] == ['0 fresh']


@pytest.mark.parametrize('number', [1, 2], ids=['index', 'data'])
def test_an_interrupt_while_code_is_kept_leaves_a_sound_cache(sources, number):
    trap = INTERRUPTED_BEFORE_A_FILE.format(number=number)
    with pytest.raises(AssertionError, match='130') as caught:
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


@pytest.mark.one_in(2)
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_compilation_at_once(number, empty_cache, tmp_path):
    with start_swarm('sweep', 'laws', domain=0, folder=tmp_path) as process:
        wait_until(lambda: ' functions: ' in process.err, 'the compiler to be at work')
        process.popen.send_signal(number)
        assert process.end() == compilation_progress.INTERRUPTED
        assert 'Traceback' not in process.err + process.out
    kept = [path for path in empty_cache.rglob('*') if path.is_file()]
    assert {path.suffix for path in kept} <= {'.nbi', '.nbc', '.lock'}, 'a file is half written'
    assert not (tmp_path / 'runs').exists()


AT_ONCE = """
import os, signal, sys
from soliton_encirclement_ros.cli import main
from soliton_encirclement_ros.cli.views import compilation_progress

class AtOnce(compilation_progress.CompilationProgress):
    def begin(self, code):
        super().begin(code)
        os.kill(os.getpid(), signal.SIGINT)

compilation_progress.CompilationProgress = AtOnce
sys.argv = ['swarm', 'warm-up']
sys.exit(main.main())
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize('at_once', [False, True])
def test_ctrl_c_gives_a_terminal_its_cursor_back(empty_cache, tmp_path, at_once):
    """Also where it comes in the instant in which the cursor is hidden."""
    command = [sys.executable, '-c', AT_ONCE] if at_once else [*SWARM, 'warm-up']
    terminal, slave = pty.openpty()
    process = subprocess.Popen(
        command, cwd=tmp_path, stdin=slave, stdout=slave, stderr=slave,
        env={**environment(0), 'TERM': 'xterm', 'PYTHONPATH': str(REPOSITORY)},
    )  # fmt: skip
    os.close(slave)
    said = b''
    if not at_once:
        while b' done' not in said:
            said += os.read(terminal, 1000)
        assert b'\x1b[?25l' in said
        process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == compilation_progress.INTERRUPTED
    os.set_blocking(terminal, False)
    with contextlib.suppress(OSError):  # nobody writes any more
        while more := os.read(terminal, 100_000):
            said += more
    os.close(terminal)
    assert said.rindex(b'\x1b[?25h') > said.rindex(b'\x1b[?25l')
    assert b'Traceback' not in said
