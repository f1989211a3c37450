"""``swarm run --processes``, and runs that miss their bound, are tiny, or meet another one."""

import os
import re
import signal
from pathlib import Path

import pytest

from support.cli import Process, only_run_folder, processes_that_mention, start_swarm, wait_until
from support.flights import SLOW, Pilot, fly, is_flying, last_time
from support.recorded.run_folder import read_json

pytestmark = [pytest.mark.ros, pytest.mark.nightly]

SHORT = ('run', 'demo', '--agents', '3', '--duration', '2', '--seed', '4', '--no-bag')
REAL_TIME = ('run', 'still', '--agents', '3', '--duration', '3', '--real-time', '--no-bag')


def kill_second(folder: Path, domain: int) -> tuple[Process, Path]:
    """Kill the second of two processes in flight, and stop the run later."""
    with start_swarm(*SLOW, '--processes', '2', domain=domain, folder=folder) as running:
        wait_until(lambda: is_flying(folder), 'the swarm to fly')
        run = only_run_folder(folder)
        hosts = processes_that_mention(str(run / 'plan.json'))
        # The world, number 0 of the plan, is in the other process.
        (second,) = [pid for pid, line in hosts.items() if ' 0 ' not in line.split('plan.json')[1]]
        os.kill(second, signal.SIGKILL)
        before = last_time(folder)
        wait_until(lambda: last_time(folder) > before + 0.5, 'the other process to go on')
        running.interrupt()
        running.end()
        return running, folder


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
    '1': fly(*SHORT),
    '2': fly(*SHORT, '--processes', '2'),
    'per-agent': fly(*SHORT, '--processes', 'per-agent'),
    'real time': fly(*REAL_TIME, '--processes', '1'),
    'killed': kill_second,
    'bad': fly(*BAD),
    'one': fly('run', 'demo', '--agents', '1', '--duration', '3', '--no-bag'),
    'meet': meet,
}


def logs(folder: Path) -> set[str]:
    """Return the names of the processes that logged into a run's folder."""
    return {path.stem for path in (only_run_folder(folder) / 'log').glob('*.log')}


@pytest.mark.parametrize(
    ('name', 'expected'),
    [
        ('2', {'process_1', 'process_2'}),
        ('per-agent', {'world', 'uav_1', 'uav_2', 'uav_3', 'target', 'adversary'}),
    ],
)
def test_the_tables_do_not_depend_on_the_processes(flight, name, expected):
    process, folder = flight(name)
    _, together = flight('1')
    assert process.err == ''
    assert process.popen.returncode in (0, 1)
    assert logs(folder) >= expected
    assert not logs(together) & expected
    for table in ('agent_telemetry.csv', 'target_telemetry.csv'):
        here, there = only_run_folder(folder) / table, only_run_folder(together) / table
        assert here.read_bytes() == there.read_bytes()
        assert here.read_bytes().count(b'\n') > 40


def test_all_agents_may_share_a_process_in_real_time(flight):
    process, folder = flight('real time')
    assert process.err == ''
    assert process.popen.returncode in (0, 1)
    assert 'swarm' in logs(folder)
    summary = read_json(only_run_folder(folder) / 'summary.json')
    assert summary['complete'] and summary['ticks'] > 0  # a busy machine has not many
    assert summary['duration_s'] >= 3.0
    assert 'logs:       runs/' in process.out
    texts = [log.read_text() for log in (only_run_folder(folder) / 'log').glob('*.log')]
    lines = [line for text in texts for line in text.splitlines()]
    assert not [line for line in lines if 'odometry lost' in line]
    assert sum('the run begins' in line for line in lines) == 1  # there is no second log


def test_the_others_go_on_without_a_process_that_died(flight):
    process, folder = flight('killed')
    run = only_run_folder(folder)
    assert process.popen.returncode != 0
    assert process.err.startswith('error: process_2 died: signal 9, Killed (see ')
    news, end = re.findall('.*process_2 died: signal 9, Killed', process.out)
    assert news.startswith('process_2') and end.startswith('incomplete, data is missing: ')
    assert process.err.count('\n') == 1
    summary = read_json(run / 'summary.json')
    assert summary['complete'] is False
    assert summary['ticks'] > 10


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
