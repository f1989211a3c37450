"""One short flight loads what every flight needs."""

import os
import subprocess
import sys

import pytest

from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import share_folder
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.kernel.swarm_tick import fly
from support.cli import REPOSITORY
from support.ready import NO_HURRY, laws

__all__ = ['laws']

pytestmark = NO_HURRY

SCENARIOS = sorted((share_folder() / 'config' / 'scenarios').glob('*.yaml'))


@pytest.mark.parametrize('path', SCENARIOS, ids=lambda path: path.stem)
def test_every_scenario_flies_with_the_code_that_is_there(path):
    """Laws are compiled for one kind of arguments, which nothing in a scenario changes."""
    get_ready()
    short = {'run': {'sim_duration': 0.5, 'seed': 2**53}}
    Engine(load_scenario(path).with_changes(short, 'test'), study=True).fly()
    assert len(compiled(fly).signatures) == 1


SCRIPT = """
import os, sys
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim import get_ready
from soliton_encirclement_ros.sim.compilation import compiled, numba_import
from soliton_encirclement_ros.sim.engine import Engine
get_ready()
if os.fork() == 0:
    compiled.digest_of = numba_import.say = lambda *_: os._exit(7)
    Engine(Scenario().with_changes({'run': {'sim_duration': 1.0}}, 'x')).fly()
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def run(*script):
    """Return the exit code of a script in a process of its own, and what it said."""
    done = subprocess.run(
        [sys.executable, *script], capture_output=True, text=True, check=False,
        env={**os.environ, 'PYTHONPATH': str(REPOSITORY)},
    )  # fmt: skip
    return done.returncode, done.stderr


def test_a_forked_process_finds_it_loaded():
    assert run('-c', SCRIPT) == (0, '')


LISTED = """
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.compilation.compiled import POINTED
from soliton_encirclement_ros.sim.compilation.loaded_code import DEFAULT, get_ready, programs
assert Scenario().is_filtered
get_ready()
missing = set(POINTED) - set(programs([DEFAULT]))
assert len(POINTED) > 4 and not missing, missing
"""


def test_what_a_default_flight_calls_is_compiled_in_advance():
    """The separation filter included."""
    assert run('-c', LISTED) == (0, '')


PRODUCT = """
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
assert 'numba.np.arraymath' in sys.modules and 'scipy' not in sys.modules
assert compiled(product)(np.ones(3), np.ones(3)) == 3.0
"""


def test_scipy_is_imported_only_for_a_compilation(tmp_path, laws):
    """numba loads compiled code without it, and still compiles what needs it."""
    script = tmp_path / 'script.py'
    script.write_text(f'{PRODUCT}\n# {tmp_path}: never compiled before\n')
    code, said = run(str(script))
    assert code == 0, said
