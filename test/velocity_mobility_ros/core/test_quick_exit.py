"""A process that ends quickly loses nothing that the regular end would have written."""

import subprocess
import sys

import pytest

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
