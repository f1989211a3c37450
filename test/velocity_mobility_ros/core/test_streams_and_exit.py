"""Standard streams that are closed become /dev/null; a quick exit loses nothing."""

import os
import subprocess
import sys

import pytest

CODE = """
import os, sys
from velocity_mobility_ros.core.standard_streams import open_missing_streams
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
from velocity_mobility_ros.core.quick_exit import exit_quickly

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
    script = 'import sys; from velocity_mobility_ros.core.quick_exit import exit_quickly; '
    script += 'sys.stdout.close(); sys.stderr.close(); exit_quickly(3)'
    done = subprocess.run([sys.executable, '-c', script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, b'', b'')
