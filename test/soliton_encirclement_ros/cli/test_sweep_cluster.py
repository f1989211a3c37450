"""``swarm sweep --scheduler`` with a real Dask scheduler and real workers on loopback."""

import re
import socket

import pytest
from support.here import swarm_here, sweep_here
from support.sweeping.sweeps import (
    LAWS,
    Cluster,
    compile_laws,
    fingerprints,
    free_port,
    sweep,
    write_sweep,
)

__all__ = ['swarm_here', 'sweep_here']

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
import soliton_encirclement_ros.core.run.code_version as there
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
        ('scheduler', LACKS_US, 'the scheduler lacks soliton_encirclement_ros: install this'),
        (
            'worker',
            OTHER_CODE,
            r'worker \S+ runs other code \(other, here [0-9a-f]{16}\): install this version',
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
