"""For tests of compiled code: a small law of three files, and flights of it in other processes."""

import atexit
import functools
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
from soliton_encirclement_ros.sim.compilation.compiled import compiled
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

LOADED = """
import json, os, sys
import numba
numba.njit(lambda x: x + 1.0)(1.0)
for line in sys.stdin:
    asked = json.loads(line)
    if (process := os.fork()) == 0:
        os.environ.clear()
        os.environ.update(asked['environment'])
        sys.path[1:1] = asked['environment']['PYTHONPATH'].split(os.pathsep)
        for stream, path in enumerate(asked['said'], 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        exec(asked['code'], {'__name__': '__main__'})
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""
"""A process that has loaded the compiler, nothing of ours, and forks for every flight."""


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
    folder: Path, before: str = '', script: str = FLY, afresh: bool = False, **variables: str
) -> tuple[Any, list[str]]:
    """Fly in a process of its own; return what it gives and what it says.

    Args:
        folder: Of the law.
        before: Code that runs first.
        script: Code that flies and prints what it gives.
        afresh: Whether the process starts from nothing, not as a fork of one with a compiler.
        variables: Of the environment.
    """
    environment = {
        **os.environ, 'PYTHONPATH': os.pathsep.join([str(folder), *sys.path]),
        'PYTHONDONTWRITEBYTECODE': '1', 'SWARM_CACHE_DIR': str(folder / 'cache'), **variables,
    }  # fmt: skip
    start = _started if afresh else _forked
    code, out, err = start(folder, before + script, environment)
    assert code == 0, f'exit code {code}: {err}'
    return json.loads(out), err.splitlines()


def _started(folder: Path, code: str, environment: dict[str, str]) -> tuple[int, str, str]:
    """Run code in a new process; return its exit code and what it said."""
    del folder
    done = subprocess.run(
        [sys.executable, '-c', code], env=environment, capture_output=True, text=True, timeout=110
    )
    return done.returncode, done.stdout, done.stderr


def _forked(folder: Path, code: str, environment: dict[str, str]) -> tuple[int, str, str]:
    """Do the same in a fork of a process that has loaded the compiler."""
    said = [folder / 'said.out', folder / 'said.err']
    asked = {'code': code, 'environment': environment, 'said': list(map(str, said))}
    process = _loaded()
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(asked) + '\n')
    process.stdin.flush()
    ended = int(process.stdout.readline())
    out, err = (path.read_text(encoding='utf-8') for path in said)
    return ended, out, err


@functools.cache
def _loaded() -> 'subprocess.Popen[str]':
    """Return the process that forks; it ends with this one, at the end of its input."""
    process = subprocess.Popen(
        [sys.executable, '-c', LOADED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'},
    )  # fmt: skip
    atexit.register(process.communicate)
    return process


def kept(folder: Path) -> dict[Path, bytes]:
    """Return the files of compiled code with their contents."""
    found = sorted((folder / 'cache').rglob('*.nb?'))
    return {path: path.read_bytes() for path in found}
