"""The benches of the engine and of many runs, at a size at which their numbers say nothing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.cli import REPOSITORY, environment
from support.ros_domain import domain_of_its_own
from support.sweeping.sweeps import NOWHERE, compile_laws, write_sweep

pytestmark = pytest.mark.slow
PICTURE = b'\x89PNG'


@pytest.fixture(scope='module', autouse=True)
def _laws() -> None:
    compile_laws()


def bench(
    folder: Path, script: str, *arguments: str, domain: int | str = NOWHERE
) -> list[list[str]]:
    """Run a bench and return the cells of its tables, row by row."""
    command = [sys.executable, str(REPOSITORY / 'bench' / script), *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment(domain), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert 'numba' in done.stdout.splitlines()[-1]
    rows = [line for line in done.stdout.splitlines() if line.startswith('|')]
    return [[cell.strip() for cell in row.strip('|').split('|')] for row in rows]


def positive(cell: str) -> bool:
    """Say whether a cell is a number above zero."""
    return float(cell.replace(',', '')) > 0.0


SMALL = {
    'engine.py': '--sizes 10 --laws soliton --rounds 1 --share 0.01 --plot engine.png',
    'many_runs.py': '2 --study {study} --rounds 1 --fleet 3',
    'batched.py': '--sizes 1 3 --rounds 1 --seconds 0.01 --vehicles kinematic',
    'safety.py': '20 --sizes 2 12',
    'bridge.py': '2',
}


@pytest.mark.nightly
@pytest.mark.parametrize('script', SMALL)
def test_a_bench_fills_its_tables(tmp_path: Path, script: str) -> None:
    """Nothing is missing, and no time or rate is zero."""
    study = str(write_sweep(tmp_path, 'study', seeds=2))
    rows = bench(tmp_path, script, *SMALL[script].format(study=study).split())
    assert len(rows) > 2
    for cell in (cell for row in rows[2:] for cell in row):
        assert cell not in ('', 'nan', 'inf', 'None'), rows
        assert not re.fullmatch(r'[\d.,]+', cell) or positive(cell), rows
    if script == 'engine.py':
        assert (tmp_path / 'engine.png').read_bytes().startswith(PICTURE)


SCRIPTS = sorted(path.name for path in (REPOSITORY / 'bench').glob('*.py'))


LOAD = """
import os, runpy, sys, traceback
import matplotlib.figure, numpy, rich.progress, yaml
folder = sys.path[0] = sys.argv[1]
for script in sys.argv[2:]:
    sys.stderr.flush()
    if (process := os.fork()) == 0:
        try:
            runpy.run_path(os.path.join(folder, script))
        except BaseException:
            traceback.print_exc()
        else:
            print(script, flush=True)
        os._exit(0)
    os.waitpid(process, 0)
"""
"""Loads every script in a process of its own, in which only libraries of others are loaded."""


@pytest.mark.nightly
def test_all_load_from_anywhere(tmp_path: Path) -> None:
    """Whatever is on the path beside it: our package is the one that is installed."""
    command = [sys.executable, '-c', LOAD, str(REPOSITORY / 'bench'), *SCRIPTS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == SCRIPTS, done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize('script', ['bag_reading.py', 'report.py'])
def test_a_long_bag_is_sound_and_its_reading_is_measured(tmp_path: Path, script: str) -> None:
    """Seconds of the hour: nothing is wrong with what is read."""
    command = [sys.executable, str(REPOSITORY / 'bench' / script), '0.002', str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (ratio,) = [line for line in done.stdout.splitlines() if line.startswith('ratio ')]
    assert float(ratio.split()[1]) > 0.0


@pytest.mark.nightly
def test_agents_on_paths_keep_their_distance(tmp_path: Path) -> None:
    """A few flights of the whole package: nobody comes near, and all do without the filter."""
    small = ('--flights', '6', '--no-swaps', '--scenarios', '--vehicles', 'lag_1', 'x500')
    check_distances(bench(tmp_path, 'separation.py', *small), 8, 1.0)


@pytest.mark.nightly
def test_many_agents_keep_their_distance(tmp_path: Path) -> None:
    """More flights, symmetric swaps, and included scenarios."""
    rows = bench(tmp_path, 'separation.py', '--flights', '6', '--seeds', '1')
    check_distances(rows, 12, 1.0)
    swaps = rows[rows.index(['swap of', 'lag_1', 'lag_0.2', 'x500']) + 2 :][:7]
    for cell in (cell for row in swaps for cell in row[1:]):
        least, ratio = cell.split(' m, ')
        assert float(least) > 1.8
        assert float(ratio) < 3.0


@pytest.mark.parametrize('more', [
    (), pytest.param(('--set', 'mobility.tau_xy=0.2'), marks=pytest.mark.nightly),
    pytest.param(('--set', 'safety.separation_filter=true'), marks=pytest.mark.nightly),
])  # fmt: skip
def test_the_ring_is_reached_from_anywhere(tmp_path: Path, more: tuple[str, ...]) -> None:
    """A sample of random starts, targets and failures; the script fails if one does not settle."""
    rows = bench(tmp_path, 'region_of_attraction.py', '40', '--first', '900000', *more)
    assert rows[1][:3] == ['all', '40', '40']
    assert float(dict(zip(rows[0], rows[1], strict=True))['longest']) < 250.0


@pytest.mark.nightly
def test_no_law_returns_faster_than_its_vehicle_can(tmp_path: Path) -> None:
    """Every law's radial error is above the bound, which is most of it where agents often fail."""
    condition = 'failures 10/min, lag 0.2 s'
    few = ('--seeds', '2', '--first', '900000', '--minutes', '4')
    rows = bench(tmp_path, 'return_flights.py', condition, *few)
    assert rows[2][0] == condition
    for cell in rows[2][1:4]:
        _, e_r, bound = map(float, cell.split(', '))
        assert 0.4 * e_r < bound < e_r


@pytest.mark.parametrize(('words', 'line'), [
    (['calm'], "no condition 'calm'; those with failures are\n  failures 1/"),
    (['--minutes', '0.5'], '--minutes 0.5 must be above 0.5: the first 30 s do not count\n'),
])  # fmt: skip
def test_wrong_words_fly_nothing(tmp_path: Path, words: list[str], line: str) -> None:
    """One line, or a list of what there is."""
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / 'bench' / 'return_flights.py'), *words],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith(line)


def check_distances(rows: list[list[str]], count: int, least: float) -> None:
    """Check the rows of random flights: the smallest distance [m] with and without the filter."""
    flights = [dict(zip(rows[0], row, strict=False)) for row in rows[2 : 2 + count]]
    assert all(', ' in row['vehicle, case'] for row in flights)
    for row in flights:
        assert float(row['smallest [m]']) > least
        assert float(row['without: smallest']) < 0.5
        assert float(row['arrived'].removesuffix(' %')) > 70.0


@pytest.mark.nightly
@pytest.mark.ros
def test_a_large_swarm_is_measured_by_engine_and_nodes(tmp_path: Path) -> None:
    """Both ways: times, three lengths of a period, and cores."""
    small = ('--sizes', '5', '--nodes', '3', '--seconds', '8')
    with domain_of_its_own() as domain:
        _, _, *rows = bench(tmp_path, 'large_swarm.py', *small, domain=domain)
    assert [row[:2] for row in rows] == [['3', 'nodes'], ['5', 'engine']]
    for row in rows:
        assert positive(row[2]), row
        median, p99, longest = map(int, row[4].split(','))
        assert 0 < median <= p99 <= longest
        assert positive(row[5]) or row[1] == 'engine'
