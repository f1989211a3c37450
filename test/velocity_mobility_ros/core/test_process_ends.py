"""How a process ends: signals, its parent, at once."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from support.cli import wait_until
from support.signals import handlers_kept
from velocity_mobility_ros.core.environment import unix_process as module
from velocity_mobility_ros.core.environment.unix_process import (
    ECHO, PARENT, SIGNALS, Interrupt, ParentProcess
)
from velocity_mobility_ros.core.user_errors import StartupError


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
    (lambda: os.getppid(), False), (lambda: os.getpid(), False), (lambda: 999999999, True),
    (None, False),
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
with parent_process.ParentProcess().kill_if_stuck():
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
    monkeypatch.setenv(PARENT, '999999999')
    before = {*threading.enumerate()}
    with ParentProcess().kill_if_stuck():
        pass
    wait_until(lambda: {*threading.enumerate()} <= before, 'the end of its thread')


def test_what_is_stuck_does_not_outlive_its_parent():
    """Its error output is open until it ends."""
    subprocess.run(
        [sys.executable, '-c', PARENT_OF_IT, CHILD], stderr=subprocess.PIPE, timeout=30,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}, check=True,
    )  # fmt: skip


SCRIPT = """
import atexit, sys, threading, time
from velocity_mobility_ros.core.environment.unix_process import end_command

class Slow:
    def __del__(self):
        print('freed')

kept = Slow()
atexit.register(print, 'exit handler')
print('buffered', end=' ')
print('error', end=' ', file=sys.stderr)
{thread}
end_command(7)
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
    script = 'from velocity_mobility_ros.core.environment.unix_process import end_command; '
    script += 'import sys; '
    script += 'sys.stdout.close(); sys.stderr.close(); end_command(3)'
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, b'', b'')
