"""``swarm run --processes``: the same flight in one process, in some, and in one per agent."""

import os
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


FLIGHTS: dict[str, Pilot] = {
    '1': fly(*SHORT),
    '2': fly(*SHORT, '--processes', '2'),
    'per-agent': fly(*SHORT, '--processes', 'per-agent'),
    'real time': fly(*REAL_TIME, '--processes', '1'),
    'killed': kill_second,
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


def test_the_others_go_on_without_a_process_that_died(flight):
    process, folder = flight('killed')
    run = only_run_folder(folder)
    assert process.popen.returncode != 0
    assert process.err.startswith('error: process_2 died: ')
    assert process.err.count('\n') == 1
    summary = read_json(run / 'summary.json')
    assert summary['complete'] is False
    assert summary['ticks'] > 10
