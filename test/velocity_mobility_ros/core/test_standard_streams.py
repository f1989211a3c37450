"""Standard streams that are closed from the beginning become /dev/null."""

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
