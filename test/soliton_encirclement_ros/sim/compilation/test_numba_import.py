"""numba loads compiled code without scipy, and still compiles what needs it."""

import os
import subprocess
import sys
from pathlib import Path

from support.cli import REPOSITORY
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

SCRIPT = """
import sys
import numpy as np
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.numba_import import without_scipy

def product(a, b):
    return np.dot(a, b)

product.__module__ = 'soliton_encirclement_ros.product'
with without_scipy():
    get_ready()
print('numba.np.arraymath' in sys.modules, 'scipy' in sys.modules)
print(compiled(product)(np.ones(3), np.ones(3)))
"""


def test_scipy_is_imported_only_for_a_compilation(tmp_path: Path, laws: None) -> None:
    script = tmp_path / 'script.py'
    script.write_text(f'{SCRIPT}\n# {tmp_path}: never compiled before\n')
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False,
        env={**os.environ, 'PYTHONPATH': str(REPOSITORY)},
    )  # fmt: skip
    assert done.stdout.split() == ['True', 'False', '3.0'], done.stderr
