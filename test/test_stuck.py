"""A test that is stuck in a library, or crashes, is named, and costs no other test."""

import re
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
def test_all_others_run_and_it_is_named(tmp_path: Path, end: str) -> None:
    """Those after it in the file, too: by the words of the Makefile a worker is replaced."""
    (tmp_path / 'conftest.py').write_text(CONFTEST, encoding='utf-8')
    after = ''.join(f'def test_{k}():\n    pass\n' for k in range(5))
    bad = f'import ctypes, os\ndef test_bad():\n    {ENDS[end]}\n{after}'
    (tmp_path / 'test_bad.py').write_text(bad, encoding='utf-8')
    (tmp_path / 'test_good.py').write_text('def test_good():\n    pass\n', encoding='utf-8')
    makefile = (Path(__file__).parents[1] / 'Makefile').read_text(encoding='utf-8')
    (words,) = re.findall(r'--dist \S+ --max-worker-restart \d+', makefile)
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '-o', f'pythonpath={Path(__file__).parent}',
         '--rootdir', str(tmp_path), '-n', '2', '-p', 'no:cacheprovider', *words.split()],
        cwd=tmp_path, capture_output=True, text=True, timeout=60.0, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "crashed while running 'test_bad.py::test_bad'" in done.stdout
    assert 'Fatal Python error' in done.stderr or 'Timeout (0:00:01)!' in done.stderr
    assert '1 failed, 6 passed' in done.stdout
