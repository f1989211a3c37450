"""The processes of a run: started with a log each, ended one way or the other."""

import signal

import pytest

from soliton_encirclement_ros.cli.runs import runner
from soliton_encirclement_ros.cli.runs.runner import Host, stop_all
from soliton_encirclement_ros.core.run.process_composition import ProcessGroup
from support.cli import PATIENCE, wait_until

PATIENT = 'import time; print("up", flush=True); time.sleep(60)'
LISTENING = f'import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {PATIENT}'
STUBBORN = f'import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); {PATIENT}'
BROKEN = 'print("one"); print("two"); raise SystemExit(2)'


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Return a starter of hosts that run some code instead of nodes."""
    popen = runner.subprocess.Popen
    started = []

    def host(code, name='host'):
        monkeypatch.setattr(
            runner.subprocess, 'Popen',
            lambda command, **options: popen([command[0], '-c', code], **options),
        )  # fmt: skip
        started.append(Host(ProcessGroup(name, (0,), False), tmp_path, tmp_path / 'plan.json'))
        return started[-1]

    yield host
    for leftover in started:
        leftover.end(0.0)


def up(host):
    wait_until(lambda: host.log.read_text() == 'up\n', 'the host to be up')


def test_a_living_host_has_no_exit_code_and_logs_into_the_folder(start, tmp_path):
    host = start(PATIENT, 'uav_1')
    up(host)
    assert host.exit_code is None
    assert host.log == tmp_path / 'log' / 'uav_1.log'


def test_all_hosts_end_at_an_interrupt(start, monkeypatch):
    monkeypatch.setattr(runner, 'STOP_TIMEOUT', PATIENCE)
    hosts = [start(LISTENING, str(i)) for i in range(3)]
    for host in hosts:
        up(host)
    stop_all(hosts)  # kills those who do not listen: -SIGKILL
    assert all(host.exit_code in (-signal.SIGINT, 1, 130) for host in hosts)


def test_a_host_that_does_not_listen_is_killed(start, monkeypatch):
    monkeypatch.setattr(runner, 'STOP_TIMEOUT', 0.3)
    host = start(STUBBORN)
    up(host)
    stop_all([host])
    assert host.exit_code == -signal.SIGKILL
    assert host.reason() == 'signal 9, Killed'


def test_a_host_that_has_ended_needs_no_stopping(start):
    host = start(BROKEN)
    wait_until(lambda: host.exit_code == 2, 'the end')
    stop_all([host])
    assert host.exit_code == 2
    assert host.reason() == 'exit code 2: two'


@pytest.mark.parametrize('news', ['', "print('[INFO] [3.5] [uav_1.agent]: up again'); "])
def test_a_silent_host_has_no_last_line(start, news):
    host = start(f'{news}raise SystemExit(1)')
    wait_until(lambda: host.exit_code == 1, 'the end')
    assert host.reason() == 'exit code 1: no output'
