"""``swarm run`` that misses its bound, is a tiny swarm, or finds another one in its domain."""

from pathlib import Path

import pytest
from support.cli import Process, only_run_folder, start_swarm, wait_until
from support.flights import SLOW, Pilot, fly, is_flying
from support.recorded.run_folder import read_json

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

BAD = ('run', 'still', '--agents', '3', '--duration', '2', '--set', 'run.max_e_gap=1.0e-6',
       '--no-bag')  # fmt: skip


def meet(folder: Path, domain: int) -> tuple[int | None, Process]:
    """Start a second swarm beside one that flies; return the exit code of that, and the second."""
    first, second = folder / 'first', folder / 'second'
    first.mkdir()
    second.mkdir()
    with start_swarm(*SLOW, domain=domain, folder=first) as running:
        wait_until(lambda: is_flying(first), 'the first swarm to fly')
        with start_swarm(*SLOW, domain=domain, folder=second) as refused:
            refused.end()
        code = running.popen.poll()
        running.interrupt()
        running.end()
    return code, refused


FLIGHTS: dict[str, Pilot] = {
    'bad': fly(*BAD),
    'one': fly('run', 'demo', '--agents', '1', '--duration', '3', '--no-bag'),
    'meet': meet,
}


def test_a_swarm_that_misses_its_bound_ends_with_1(flight):
    process, folder = flight('bad')
    assert process.popen.returncode == 1
    assert process.err == ''
    folder = only_run_folder(folder)
    summary = read_json(folder / 'summary.json')
    assert summary['verdict']['encircled'] is False
    assert '> 1e-06' in summary['verdict']['why']
    assert f'NOT ENCIRCLED: {summary["verdict"]["why"]}' in process.out
    assert f'runs/{folder.name}/overview.png' in process.out
    assert not (folder / 'bag').exists()


def test_an_agent_alone_is_warned_about_and_flown(flight):
    process, folder = flight('one')
    assert process.popen.returncode in (0, 1)
    assert process.err.startswith('warning: run.num_agents = 1: fewer than 3 agents')
    assert process.err.count('\n') == 1
    summary = read_json(only_run_folder(folder) / 'summary.json')
    assert summary['verdict']['encircled'] is (process.popen.returncode == 0)
    assert summary['ticks'] == 60


def test_a_second_swarm_in_the_same_domain_is_refused(flight):
    code_of_the_first, refused = flight('meet')
    assert refused.popen.returncode == 2
    assert refused.err.startswith('error: ROS_DOMAIN_ID=')
    assert 'already has a swarm' in refused.err
    assert refused.err.count('\n') == 1
    assert code_of_the_first is None
