"""``swarm run`` whose runner or swarm is killed, or gets no processor."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.cli import Process, only_run_folder, processes_that_mention, start_swarm, wait_until
from support.flights import SLOW, Pilot, has, is_flying, last_time, stamps
from support.recorded.run_folder import (
    assert_whole, read_bag_with_rosbags, read_json, read_table, stream_log_times
)

pytestmark = [pytest.mark.ros]

STARVED = 4.0
"""Wall time [s] for which a runner gets no processor at all; what is left to fly takes 2 s."""

LOOSE = ('--set', 'run.max_e_gap=9.0', '--set', 'run.max_e_r=9.0')
REAL_TIME = (
    'run', 'demo', '--agents', '3', '--duration', '60', '--real-time', '--processes', 'per-agent'
)  # fmt: skip


def kill(moment: Callable[[Path], bool], *arguments: str) -> Pilot:
    """Return a pilot that kills the runner at a moment and waits for the others to end."""

    def pilot(folder: Path, domain: int) -> tuple[Path, float]:
        with start_swarm(*arguments, domain=domain, folder=folder) as process:
            wait_until(lambda: moment(folder), 'the moment')
            reached = last_time(folder)
            process.popen.send_signal(signal.SIGKILL)
            process.end()
            wait_until(lambda: not processes_that_mention(str(folder)), 'the hosts to end')
        return folder, reached

    return pilot


def kill_the_swarm(folder: Path, domain: int) -> tuple[Process, Path]:
    """Kill the process that hosts world and members in mid-flight."""
    with start_swarm(*SLOW, *LOOSE, domain=domain, folder=folder) as process:
        wait_until(lambda: is_flying(folder), 'the swarm to fly')
        found = processes_that_mention(str(folder)).items()
        (host,) = [pid for pid, line in found if 'cli.runs.node_host' in line]
        os.kill(host, signal.SIGKILL)
        process.end()
    return process, folder


def starve_the_runner(folder: Path, domain: int) -> tuple[Process, Path]:
    """Stop the runner in mid-flight until the world is long done, as a loaded machine may do."""
    short = ('run', 'demo', '--agents', '3', '--duration', '8', '--real-time-factor', '4', *LOOSE)
    with start_swarm(*short, domain=domain, folder=folder) as process:
        wait_until(lambda: is_flying(folder), 'the swarm to fly')
        process.popen.send_signal(signal.SIGSTOP)
        time.sleep(STARVED)
        process.popen.send_signal(signal.SIGCONT)
        process.end()
    return process, folder


DEATHS = {
    'lockstep_early': (has('log/swarm.log'), SLOW),
    'real_time': (is_flying, REAL_TIME),
}
FLIGHTS: dict[str, Pilot] = {
    'swarm_dies': kill_the_swarm,
    'lockstep': kill(lambda folder: last_time(folder) > 4.0, *SLOW),
    **{name: kill(moment, *arguments) for name, (moment, arguments) in DEATHS.items()},
    'starved': starve_the_runner,
}


@pytest.mark.parametrize('death', DEATHS)
def test_nobody_outlives_a_runner_that_was_killed(flight, death):
    flight(death)


def test_a_killed_runner_leaves_tables_summary_and_a_bag_up_to_the_last_second(flight):
    folder, reached = flight('lockstep')
    folder = only_run_folder(folder)
    summary = read_json(folder / 'summary.json')
    assert 'verdict' in summary
    assert summary['ticks'] * 0.05 > reached - 3.0
    logged = stream_log_times(folder / 'bag' / 'bag.mcap')
    assert max(logged) / 1e9 > reached - 2.0
    assert len(logged) > 100 * (reached - 2.0)


@pytest.mark.nightly
def test_a_runner_that_was_starved_loses_nothing(flight):
    process, folder = flight('starved')
    assert process.err == ''
    assert process.popen.returncode == 0
    folder = only_run_folder(folder)
    _, rows = read_table(folder / 'target_telemetry.csv')
    every_tick = stamps(160)
    assert [row[0] for row in rows] == [stamp / 1e9 for stamp in every_tick]
    assert read_json(folder / 'summary.json')['ticks'] == len(every_tick)
    recorded = read_bag_with_rosbags(folder / 'bag')
    for topic in ('/clock', '/swarm/metrics', '/uav_1/odom', '/uav_3/cmd_vel', '/uav_2/telemetry'):
        assert [m.stamp_ns for m in recorded[topic] if m.stamp_ns] == every_tick, topic


def test_a_swarm_whose_process_dies_is_no_success(flight):
    process, folder = flight('swarm_dies')
    assert process.popen.returncode == 1
    assert process.err.startswith('error: swarm died')
    assert process.err.count('\n') == 1
    assert_whole(only_run_folder(folder))
