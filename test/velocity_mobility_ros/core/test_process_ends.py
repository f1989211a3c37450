"""How a process begins and ends: closed streams, signals, a quick exit, too little memory."""

import os
import resource
import signal
import subprocess
import sys
import threading

import pytest
from support.cli import wait_until
from support.signals import handlers_kept
from velocity_mobility_ros.core import user_errors as room
from velocity_mobility_ros.core.environment import unix_process as module
from velocity_mobility_ros.core.environment.unix_process import (
    ECHO,
    PARENT,
    SIGNALS,
    Interrupt,
    ParentProcess,
)
from velocity_mobility_ros.core.user_errors import (
    ShortageError,
    StartupError,
    shortage,
    warn_of_shortage,
)


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that stands, with the handlers as before afterwards."""
    now = [100.0]
    monkeypatch.setattr(module.time, 'monotonic', lambda: now[0])
    with handlers_kept():
        yield now


@pytest.mark.parametrize('number', SIGNALS)
def test_a_signal_is_recorded(clock, number):
    asked = Interrupt()
    assert not asked
    os.kill(os.getpid(), number)
    assert (bool(asked), asked.count, asked.is_repeated) == (True, 1, False)


def test_the_same_request_from_terminal_launch_and_systemd_is_not_repeated(clock):
    asked = Interrupt()
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGINT)
        clock[0] += 0.4 * ECHO
    assert (asked.count, asked.is_repeated) == (3, False)


def test_somebody_who_asks_again_later_is(clock):
    asked = Interrupt()
    os.kill(os.getpid(), signal.SIGINT)
    clock[0] += 1.01 * ECHO
    assert not asked.is_repeated
    os.kill(os.getpid(), signal.SIGTERM)
    assert asked.is_repeated


def test_what_nohup_has_started_does_not_end_with_its_terminal(clock):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    asked = Interrupt()
    os.kill(os.getpid(), signal.SIGHUP)
    assert not asked and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.parametrize(('pid', 'is_gone'), [
    (lambda: os.getppid(), False), (lambda: os.getpid(), True), (None, False),
])  # fmt: skip
def test_only_a_parent_that_says_so_is_watched_and_no_further_child_hears_of_it(
    monkeypatch, pid, is_gone
):
    monkeypatch.delenv(PARENT, raising=False)
    if pid:
        monkeypatch.setenv(PARENT, str(pid()))
    assert ParentProcess().is_gone == is_gone and PARENT not in os.environ


def test_what_is_no_process_is_refused(monkeypatch):
    monkeypatch.setenv(PARENT, 'launch')
    with pytest.raises(StartupError, match="SWARM_PARENT_PID='launch' must be a process id"):
        ParentProcess()


CHILD = """
parent_process.POLL = parent_process.GRACE = 0.1
with parent_process.ParentProcess().ends_what_is_stuck():
    print('begun', flush=True)
    while True:
        pass
"""
PARENT_OF_IT = """
import os, subprocess, sys
from velocity_mobility_ros.core.environment.unix_process import to_child
child = subprocess.Popen(
    [sys.executable, '-c', sys.argv[1]], env={**os.environ, **to_child()}, stdout=subprocess.PIPE)
child.stdout.readline()
"""


def test_a_process_whose_parent_is_gone_may_go_on_with_something_else(monkeypatch):
    """Such as the tables and pictures of its run; or further tests."""
    monkeypatch.setenv(PARENT, str(os.getpid()))
    before = threading.active_count()
    with ParentProcess().ends_what_is_stuck():
        pass
    wait_until(lambda: threading.active_count() == before, 'the end of its thread')


def test_what_is_stuck_does_not_outlive_its_parent():
    """Its error output is open until it ends."""
    subprocess.run(
        [sys.executable, '-c', PARENT_OF_IT, CHILD], stderr=subprocess.PIPE, timeout=30,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}, check=True,
    )  # fmt: skip


CODE = """
import os, sys
from velocity_mobility_ros.core.environment.unix_process import open_missing_streams
open_missing_streams()
sys.stdin.read() if {0} else None
print('out')
print('err', file=sys.stderr)
with open(os.devnull) as file:
    sys.exit(0 if file.fileno() > 2 else 1)
"""


@pytest.mark.parametrize(
    ('closed', 'out', 'err'),
    [('', 'out\n', 'err\n'), ('>&-', '', 'err\n'), ('<&- >&- 2>&-', '', '')],
)
def test_whatever_is_missing_is_opened(closed, out, err):
    script = f'exec "$@" {closed}'
    done = subprocess.run(
        ['sh', '-c', script, 'sh', sys.executable, '-c', CODE.format('<&-' in closed)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=True,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (out, err)


SCRIPT = """
import atexit, sys, threading, time
from velocity_mobility_ros.core.environment.unix_process import exit_quickly

class Slow:
    def __del__(self):
        print('freed')

kept = Slow()
atexit.register(print, 'exit handler')
print('buffered', end=' ')
print('error', end=' ', file=sys.stderr)
{thread}
exit_quickly(7)
"""
THREAD = "threading.Thread(target=lambda: (time.sleep(0.3), print('thread'))).start()"


@pytest.mark.parametrize(
    ('thread', 'out'),
    [('', 'buffered exit handler\n'), (THREAD, 'buffered thread\nexit handler\nfreed\n')],
)
def test_output_exit_handlers_and_threads_are_completed(thread: str, out: str) -> None:
    done = subprocess.run(
        [sys.executable, '-c', SCRIPT.format(thread=thread)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (7, out, 'error ')


def test_closed_streams_are_no_error() -> None:
    script = 'from velocity_mobility_ros.core.environment.unix_process import exit_quickly; '
    script += 'import sys; '
    script += 'sys.stdout.close(); sys.stderr.close(); exit_quickly(3)'
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, b'', b'')


LINE = (
    'the system gives this process no more memory or threads (ulimit -v = 700000, ulimit -u = '
    'unlimited): raise the limit, or close other programs'
)


@pytest.fixture
def limits(monkeypatch):
    """Give the process limits; they can be changed."""
    told = {resource.RLIMIT_AS: 700_000 * 1024, resource.RLIMIT_NPROC: resource.RLIM_INFINITY}
    monkeypatch.setattr(room.resource, 'getrlimit', lambda kind: (told[kind], told[kind]))
    return told


@pytest.mark.parametrize('error', [
    MemoryError('std::bad_alloc'),
    RuntimeError('pthread_create failed: Resource temporarily unavailable'),
    RuntimeError("can't start new thread"),
    RuntimeError('unable to start watchdog thread'),
    OSError(12, 'Cannot allocate memory'),
    BlockingIOError(11, 'Resource temporarily unavailable'),
    ImportError('libx.so: failed to map segment from shared object'),
])  # fmt: skip
@pytest.mark.usefixtures('limits')
def test_whoever_says_so_the_limits_are_named(error):
    assert shortage(error) == LINE
    assert shortage(ShortageError(LINE)) == LINE


@pytest.mark.parametrize('error', [RuntimeError('no'), OSError(2, 'no'), ValueError('bad_alloc')])
def test_any_other_error_is_none(error):
    assert shortage(error) is None


def test_a_limit_that_may_crash_ros_is_warned_of(limits, capsys):
    warn_of_shortage()
    assert capsys.readouterr().err == (
        'warning: ulimit -v = 700000: ROS may crash for lack of memory or threads; raise it to '
        '2000000 or more\n'
    )
    limits[resource.RLIMIT_AS] = resource.RLIM_INFINITY
    warn_of_shortage()
    assert capsys.readouterr().err == ''
