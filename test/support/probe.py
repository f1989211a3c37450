"""For tests of compiled code: a small law of three files, and flights of it in other processes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

RECORD = """from typing import NamedTuple
class Inner(NamedTuple):
    a: float
    b: float
class Pair(NamedTuple):
    inner: Inner
    c: float
"""
LAW = """from soliton_encirclement_ros_probe_part import helper
from soliton_encirclement_ros_probe_record import Pair
FACTOR = 2.0
def law(pair: Pair) -> float:
    return helper(pair.inner.a) * FACTOR
"""
PART = """SHIFT = 1.0
class a: pass
def helper(x: float) -> float:
    return x + SHIFT
"""
STRANGER = """def stranger() -> float:
    return 0.0
"""
SOURCES = {'record': RECORD, 'law': LAW, 'part': PART, 'stranger': STRANGER}

FLY = """
import inspect
import json
from soliton_encirclement_ros_probe_law import law
from soliton_encirclement_ros_probe_record import Inner, Pair
from soliton_encirclement_ros.sim.compiled import compiled
pair = Pair(inner=Inner(a=3.0, b=30.0), c=300.0)
print(json.dumps([compiled(law)(pair), law(pair), inspect.unwrap(compiled(law)) is law]))
"""

SWARM = """
import json
import numpy as np
from support.identity import by_engine, scenario
rough = {'communication_failure_rate': 0.2, 'byzantine': '0..: 3 random 8'}
flown = scenario({'run': {'sim_duration': 1.0}, 'radio': rough})
for _ in range(2):
    found = by_engine(flown)
print(json.dumps(np.nansum(found.chunk.agents, axis=(0, 1)).tolist()))
"""

NO_NUMBA = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] == 'numba':
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocker())
"""
NO_SPACE = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
"""
NO_HOME = """
from pathlib import Path
def nowhere():
    raise RuntimeError('Could not determine home directory.')
Path.home = staticmethod(nowhere)
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return the folder of a law of three files, and of a file that it has nothing to do with."""
    for name, text in SOURCES.items():
        path_of(tmp_path, name).write_text(text)
    return tmp_path


def path_of(folder: Path, name: str) -> Path:
    """Return a file of the law."""
    return folder / f'soliton_encirclement_ros_probe_{name}.py'


def change(folder: Path, name: str, old: str, new: str) -> None:
    """Edit a file of the law."""
    path = path_of(folder, name)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def fly(
    folder: Path, before: str = '', script: str = FLY, **variables: str
) -> tuple[Any, list[str]]:
    """Fly in a process of its own; return what it gives and what it says."""
    environment = {
        **os.environ, 'PYTHONPATH': os.pathsep.join([str(folder), *sys.path]),
        'PYTHONDONTWRITEBYTECODE': '1', 'SWARM_CACHE_DIR': str(folder / 'cache'), **variables,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, '-c', before + script], env=environment, capture_output=True, text=True,
        timeout=110,
    )  # fmt: skip
    assert done.returncode == 0, f'exit code {done.returncode}: {done.stderr}'
    return json.loads(done.stdout), done.stderr.splitlines()


def kept(folder: Path) -> dict[Path, bytes]:
    """Return the files of compiled code with their contents."""
    found = sorted((folder / 'cache').rglob('*.nb?'))
    return {path: path.read_bytes() for path in found}
