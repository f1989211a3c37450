"""``swarm sweep --scheduler`` while schedulers, workers and clients are killed."""

import re

import pytest
from support.cli import wait_until
from support.here import swarm_here, sweep_here
from support.ready import laws
from support.sweeping.sweeps import (
    SLOWLY,
    Cluster,
    fingerprints,
    start_sweep,
    sweep,
    write_sweep,
)

__all__ = ['laws', 'swarm_here', 'sweep_here']

pytestmark = [pytest.mark.slow, pytest.mark.nightly]

LONG = {'seeds': 30}

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
