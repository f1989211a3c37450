"""A test that is stuck in a library, or crashes, ends the run with a failure and its name."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip('xdist')
pytestmark = pytest.mark.nightly

CONFTEST = """
import support.stuck
from support.stuck import pytest_runtest_protocol
support.stuck.STUCK = 1.0
"""
ENDS = {
    'stuck': 'ctypes.PyDLL(None).sleep(100)',  # holds the interpreter: no signal is heard
    'crashed': 'os.abort()',
}


@pytest.mark.parametrize('end', ENDS)
def test_the_run_ends_and_names_it(tmp_path: Path, end: str) -> None:
    """Beside a worker that goes on."""
    (tmp_path / 'conftest.py').write_text(CONFTEST, encoding='utf-8')
    bad = f'import ctypes, os\ndef test_bad():\n    {ENDS[end]}\n'
    (tmp_path / 'test_bad.py').write_text(bad, encoding='utf-8')
    (tmp_path / 'test_good.py').write_text('def test_good():\n    pass\n', encoding='utf-8')
    words = '-n 2 --dist loadfile --max-worker-restart 0 -p no:cacheprovider'
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '-o', f'pythonpath={Path(__file__).parent}',
         '--rootdir', str(tmp_path), *words.split()],
        cwd=tmp_path, capture_output=True, text=True, timeout=60.0, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "crashed while running 'test_bad.py::test_bad'" in done.stdout
    assert 'Fatal Python error' in done.stderr or 'Timeout (0:00:01)!' in done.stderr
    assert '1 failed, 1 passed' in done.stdout


def test_make_starts_no_worker_in_the_place_of_one(repository: Path) -> None:
    """With loadfile the run would wait for it for ever."""
    lines = (repository / 'Makefile').read_text(encoding='utf-8').replace('\\\n', '').splitlines()
    started = [line for line in lines if '--dist' in line]
    assert started and all('--max-worker-restart 0' in line for line in started)
