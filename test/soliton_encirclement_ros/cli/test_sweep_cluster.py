"""``swarm sweep --scheduler`` with real Dask processes on loopback, some of which are killed."""

import re
import socket

import pytest

from support.cli import wait_until
from support.here import swarm_here, sweep_here
from support.ready import laws
from support.sweeping.sweeps import (
    LAWS, SLOWLY, Cluster, fingerprints, free_port, start_sweep, sweep, write_sweep
)

__all__ = ['laws', 'swarm_here', 'sweep_here']

pytestmark = [pytest.mark.slow, pytest.mark.nightly]

LACKS_US = """
import sys
class Finder:
    def find_spec(name, path=None, target=None):
        if name.split('.')[0] == 'soliton_encirclement_ros':
            raise ModuleNotFoundError(f'No module named {name!r}', name=name)
sys.meta_path.insert(0, Finder)
"""
OTHER_CODE = """
import soliton_encirclement_ros.core.run.run_folder as there
there.code_version.__wrapped__.__globals__['digest_of'] = lambda packages: 'other'
"""
OTHER_LIBRARY = """
import importlib.metadata as there
version = there.version
there.version = lambda name: '0.0.1' if name == 'cloudpickle' else version(name)
"""


def refused(process):
    """Return the one line of a sweep that had to be refused."""
    assert process.popen.returncode == 2, process.err
    assert process.err.startswith('error: --scheduler tcp://127.0.0.1:')
    assert process.err.count('\n') == 1
    return process.err


def test_the_tables_are_those_of_this_machine_and_nothing_is_flown_twice(tmp_path, sweep_here):
    write_sweep(tmp_path, seeds=10, design=LAWS)
    with Cluster(tmp_path) as cluster:
        words = ('small.yaml', '--out', 'there', '--scheduler', cluster.address)
        first = sweep(tmp_path, *words, name='first')
        again = sweep_here(*words)
    assert (first.popen.returncode, first.err) == (0, '')
    assert '20 runs flown, 0 kept' in first.out
    assert '0 runs flown, 20 kept' in again.out
    sweep_here('small.yaml', '--out', 'here')
    assert fingerprints(tmp_path / 'there') == fingerprints(tmp_path / 'here')
    assert len(fingerprints(tmp_path / 'here')) == 6


@pytest.mark.parametrize(
    ('kind', 'before', 'expected'),
    [
        ('scheduler', LACKS_US, 'it lacks soliton_encirclement_ros: install this'),
        (
            'worker',
            OTHER_CODE,
            r'workers run other code \(other, here [0-9a-f]{16}\).*: install this version',
        ),
        ('worker', OTHER_LIBRARY, r'worker \S+ has cloudpickle 0.0.1, this machine \S+: install'),
    ],
    ids=['scheduler without us', 'other code', 'other library'],
)
def test_those_who_cannot_fly_for_us_are_refused(tmp_path, kind, before, expected):
    write_sweep(tmp_path)
    with Cluster(tmp_path, workers=1, before={kind: before}) as cluster:
        process = sweep(tmp_path, 'small.yaml', '--scheduler', cluster.address)
    assert re.search(expected, refused(process))


@pytest.mark.parametrize('is_there', [False, True])
def test_who_does_not_answer_is_refused(tmp_path, is_there):
    """Nobody at the address; a socket that takes the connection and never says a word."""
    write_sweep(tmp_path)
    with socket.create_server(('127.0.0.1', 0)) as silent:
        port = silent.getsockname()[1] if is_there else free_port()
        process = sweep(tmp_path, 'small.yaml', '--scheduler', f'tcp://127.0.0.1:{port}')
    assert 'no scheduler answers' in refused(process)


@pytest.mark.parametrize('address', ['there', 'http://h:1', 'h:22x', 'h:65536', ' '])
def test_an_address_that_is_none_is_refused(tmp_path, sweep_here, address):
    write_sweep(tmp_path)
    process = sweep_here('small.yaml', '--scheduler', address, '--dry-run')
    assert process.code == 2
    assert process.err.startswith(f'error: --scheduler {address!r}: must be [PROTOCOL://]HOST:P')
    assert process.err.count('\n') == 1


LONG = {'seeds': 30}

NO_PATIENCE = """
import os
os.environ['DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES'] = '0'
"""
BAD_RUNS = """
import os
from soliton_encirclement_ros.sim import simulation
fly = simulation.fly
def badly(scenario):
    if scenario.run.seed == 2:
        raise ValueError('two is too much')
    return os._exit(1) if scenario.run.seed == 3 else fly(scenario)
simulation.fly = badly
"""


def under_way(folder):
    """Say whether a sweep has written runs already."""
    journal = folder / 'sweeps' / 'small' / 'runs.sqlite-wal'
    return journal.exists() and journal.stat().st_size > 30_000


@pytest.fixture(scope='module')
def shared_cluster(tmp_path_factory):
    """Return a cluster whose workers take their time for every run."""
    with Cluster(tmp_path_factory.mktemp('cluster'), before={'worker': SLOWLY}) as cluster:
        yield cluster


@pytest.fixture
def cluster(shared_cluster):
    """Return the same with nobody missing, whatever the test before did to it."""
    shared_cluster.mend()
    return shared_cluster


def test_a_worker_that_dies_is_told_in_one_line_and_not_in_the_tables(
    tmp_path, cluster, sweep_here
):
    write_sweep(tmp_path, **LONG)
    words = ('small.yaml', '--scheduler', cluster.address)
    with start_sweep(tmp_path, *words) as process:
        wait_until(lambda: under_way(tmp_path), 'runs to be kept')
        cluster.workers[0].popen.kill()
        assert process.end() == 0
    assert re.fullmatch(
        r'note: worker tcp://127.0.0.1:\d+ is lost \(1 left\); its runs are '
        r'repeated\n', process.err,
    )  # fmt: skip
    assert '30 runs flown, 0 kept from before, 0 failed' in process.out
    assert sweep_here('small.yaml', '--out', 'calm').code == 0
    assert fingerprints(tmp_path / 'sweeps' / 'small') == fingerprints(tmp_path / 'calm')


def test_a_scheduler_that_dies_ends_it_in_one_line_and_finished_runs_are_kept(
    tmp_path, cluster, sweep_here
):
    write_sweep(tmp_path, **LONG)
    words = ('small.yaml', '--scheduler', cluster.address)
    with start_sweep(tmp_path, *words) as process:
        wait_until(lambda: under_way(tmp_path), 'runs to be kept')
        cluster.scheduler.popen.kill()
        assert process.end() == 1
    assert re.fullmatch(
        r'error: --scheduler tcp://127.0.0.1:\d+: the connection is lost.*; finished runs are '
        r'kept: restart scheduler and workers, and repeat the command\n', process.err,
    )  # fmt: skip
    assert re.search(r'30 runs, [1-9]\d? of them kept', sweep_here('small.yaml').out)


def test_runs_that_raise_or_kill_their_workers_are_left_out_and_the_others_kept(tmp_path):
    write_sweep(tmp_path, seeds=6)
    before = {'scheduler': NO_PATIENCE, 'worker': BAD_RUNS}
    with Cluster(tmp_path, workers=3, before=before) as cluster:
        process = sweep(tmp_path, 'small.yaml', '--scheduler', cluster.address)
    assert process.popen.returncode == 1
    assert 'error: run failed: predictive, seed 2: ValueError: two is too much\n' in process.err
    assert 'error: run failed: predictive, seed 3: its workers died repeatedly\n' in process.err
    assert process.err.count('error: ') == 2
    assert '4 runs flown, 0 kept from before, 2 failed' in process.out
