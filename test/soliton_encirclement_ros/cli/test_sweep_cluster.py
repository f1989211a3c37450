"""``swarm sweep --scheduler`` with a real Dask scheduler and real workers on loopback."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from support.cli import environment, wait_until
from support.sweep_kills import sweep_under_fire
from support.sweeps import (
    LAWS,
    NOWHERE,
    SLOW,
    Cluster,
    compile_laws,
    fingerprints,
    free_port,
    start_sweep,
    sweep,
    write_sweep,
)

pytestmark = pytest.mark.slow

LONG = {'changes': SLOW, 'seeds': 30}

LACKS_US = """
import sys
class Finder:
    def find_spec(name, path=None, target=None):
        if name.split('.')[0] == 'soliton_encirclement_ros':
            raise ModuleNotFoundError(f'No module named {name!r}', name=name)
sys.meta_path.insert(0, Finder)
"""
NO_PATIENCE = """
import os
os.environ['DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES'] = '0'
"""
BAD_RUNS = """
import os
from soliton_encirclement_ros.sim import flight
fly = flight.fly
def badly(scenario):
    if scenario.run.seed == 2:
        raise ValueError('two is too much')
    return os._exit(1) if scenario.run.seed == 3 else fly(scenario)
flight.fly = badly
"""
OTHER_CODE = """
import soliton_encirclement_ros.core.code_version as there
there.code_version.__wrapped__.__globals__['digest_of'] = lambda packages: 'other'
"""
OTHER_LIBRARY = """
import importlib.metadata as there
version = there.version
there.version = lambda name: '0.0.1' if name == 'cloudpickle' else version(name)
"""


@pytest.fixture(scope='module', autouse=True)
def warm():
    compile_laws()


def under_way(folder):
    """Say whether a sweep has written runs already."""
    journal = folder / 'sweeps' / 'small' / 'runs.sqlite-wal'
    return journal.exists() and journal.stat().st_size > 30_000


def refused(process):
    """Return the one line of a sweep that had to be refused."""
    assert process.popen.returncode == 2, process.err
    assert process.err.startswith('error: --scheduler tcp://127.0.0.1:')
    assert process.err.count('\n') == 1
    return process.err


def test_the_tables_are_those_of_this_machine_and_nothing_is_flown_twice(tmp_path):
    write_sweep(tmp_path, seeds=10, design=LAWS)
    with Cluster(tmp_path) as cluster:
        words = ('small.yaml', '--out', 'there', '--scheduler', cluster.address)
        first = sweep(tmp_path, *words, name='first')
        again = sweep(tmp_path, *words, name='again')
    assert (first.popen.returncode, first.err) == (0, '')
    assert '20 runs flown, 0 kept' in first.out
    assert '0 runs flown, 20 kept' in again.out
    sweep(tmp_path, 'small.yaml', '--out', 'here')
    assert fingerprints(tmp_path / 'there') == fingerprints(tmp_path / 'here')
    assert len(fingerprints(tmp_path / 'here')) == 6


@pytest.mark.timeout(300)
def test_kills_at_random_moments_do_not_show_in_the_tables(tmp_path):
    write_sweep(tmp_path, **LONG, design=LAWS)
    victims = ['worker', 'client', 'scheduler']
    with Cluster(tmp_path) as cluster:
        kills = sweep_under_fire(tmp_path, 'small.yaml', cluster, victims, random.Random(7), 3.0)
    assert [kill.victim for kill in kills] == victims
    assert [kill.code for kill in kills[:2]] == [None, -signal.SIGKILL]
    assert kills[2].code in (1, 2), 'lost under way, or while it was being asked'
    (line,) = [line for line in kills[2].said.splitlines() if line.startswith('error: ')]
    assert re.match(r'error: --scheduler tcp://127.0.0.1:\d+', line)
    assert sweep(tmp_path, 'small.yaml', '--out', 'calm').popen.returncode == 0
    assert fingerprints(tmp_path / 'fire') == fingerprints(tmp_path / 'calm')


def test_a_scheduler_that_dies_ends_it_in_one_line_and_finished_runs_are_kept(tmp_path):
    write_sweep(tmp_path, **LONG)
    with Cluster(tmp_path) as cluster:
        words = ('small.yaml', '--scheduler', cluster.address)
        with start_sweep(tmp_path, *words) as process:
            wait_until(lambda: under_way(tmp_path), 'runs to be kept')
            cluster.scheduler.popen.kill()
            assert process.end(20.0) == 1
    assert re.fullmatch(
        r'error: --scheduler tcp://127.0.0.1:\d+: the scheduler is lost.*; finished runs are '
        r'kept: start it and its workers again and run the same again\n', process.err,
    )  # fmt: skip
    assert re.search(r'30 runs, [1-9]\d? of them kept', sweep(tmp_path, 'small.yaml').out)


def test_runs_that_raise_or_kill_their_workers_are_left_out_and_the_others_kept(tmp_path):
    write_sweep(tmp_path, seeds=6)
    before = {'scheduler': NO_PATIENCE, 'worker': BAD_RUNS}
    with Cluster(tmp_path, workers=3, before=before) as cluster:
        process = sweep(tmp_path, 'small.yaml', '--scheduler', cluster.address)
    assert process.popen.returncode == 1
    assert 'error: left out: soliton, seed 2: ValueError: two is too much\n' in process.err
    assert 'error: left out: soliton, seed 3: its workers died again and again\n' in process.err
    assert process.err.count('error: ') == 2
    assert '4 runs flown, 0 kept from before, 2 left out' in process.out


def test_a_worker_that_dies_is_told_in_one_line(tmp_path):
    write_sweep(tmp_path, **LONG)
    with Cluster(tmp_path) as cluster:
        words = ('small.yaml', '--scheduler', cluster.address)
        with start_sweep(tmp_path, *words) as process:
            wait_until(lambda: under_way(tmp_path), 'runs to be kept')
            cluster.workers[0].popen.kill()
            assert process.end() == 0
    assert re.fullmatch(
        r'note: worker tcp://127.0.0.1:\d+ is gone \(1 left\); what it had in work is flown '
        r'again\n', process.err,
    )  # fmt: skip
    assert '30 runs flown, 0 kept from before, 0 left out' in process.out


def test_ctrl_c_ends_it_and_keeps_what_is_finished(tmp_path):
    write_sweep(tmp_path, **LONG)
    with Cluster(tmp_path) as cluster:
        words = ('small.yaml', '--scheduler', cluster.address)
        with start_sweep(tmp_path, *words) as process:
            wait_until(lambda: under_way(tmp_path), 'runs to be kept')
            process.interrupt()
            assert process.end(10.0) == 130
    assert re.match(r'error: interrupted; \d+ of 30 runs are kept', process.err)
    assert process.err.count('\n') == 1


@pytest.mark.parametrize(
    ('kind', 'before', 'expected'),
    [
        ('scheduler', LACKS_US, 'the scheduler lacks soliton_encirclement_ros: install this'),
        ('worker', LACKS_US, 'a worker lacks soliton_encirclement_ros: install this package'),
        ('worker', OTHER_CODE, r'worker \S+ runs other code \(other, here [0-9a-f]{16}\): bring'),
        ('worker', OTHER_LIBRARY, r'worker \S+ has cloudpickle 0.0.1, this machine \S+: install'),
    ],
    ids=['scheduler without us', 'worker without us', 'other code', 'other library'],
)
def test_those_who_cannot_fly_for_us_are_refused(tmp_path, kind, before, expected):
    write_sweep(tmp_path)
    with Cluster(tmp_path, workers=1, before={kind: before}) as cluster:
        process = sweep(tmp_path, 'small.yaml', '--scheduler', cluster.address)
    assert re.search(expected, refused(process))


def test_nobody_at_the_address_is_refused_within_ten_seconds(tmp_path):
    write_sweep(tmp_path)
    began = time.monotonic()
    process = sweep(tmp_path, 'small.yaml', '--scheduler', f'tcp://127.0.0.1:{free_port()}')
    assert 'no scheduler answers' in refused(process)
    assert time.monotonic() - began < 15.0


def test_somebody_else_at_the_address_is_refused(tmp_path):
    """A socket that takes the connection and never says a word."""
    write_sweep(tmp_path)
    with socket.create_server(('127.0.0.1', 0)) as server:
        address = f'tcp://127.0.0.1:{server.getsockname()[1]}'
        process = sweep(tmp_path, 'small.yaml', '--scheduler', address)
    assert 'no scheduler answers' in refused(process)


def test_an_address_that_is_none_is_refused(tmp_path):
    write_sweep(tmp_path)
    process = sweep(tmp_path, 'small.yaml', '--scheduler', 'there')
    assert process.popen.returncode == 2
    assert process.err.startswith('error: --scheduler there: no scheduler answers (')
    assert process.err.count('\n') == 1


def test_without_dask_a_line_says_what_to_install(tmp_path):
    write_sweep(tmp_path)
    code = (
        "import sys; sys.modules['distributed'] = None\n"
        'from soliton_encirclement_ros.cli.main import main; sys.exit(main())'
    )
    words = ['sweep', 'small.yaml', '--scheduler', 'tcp://127.0.0.1:1']
    done = subprocess.run(
        [sys.executable, '-c', code, *words], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, **environment(NOWHERE)}, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == (
        'error: --scheduler needs the library distributed: pip install dask distributed\n'
    )
