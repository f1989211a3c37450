"""``swarm view`` as a process, alone and with a run."""

import asyncio
import json
import re
import signal
import urllib.request

import pytest
import websockets

from support.cli import processes_that_mention, start_swarm

pytestmark = pytest.mark.ros

ADDRESS = re.compile(r'live page: http://localhost:([0-9]+)/')


def page_of(process):
    """Return the page at the address that a process has printed."""
    port = ADDRESS.search(process.out + process.err)[1]
    with urllib.request.urlopen(f'http://localhost:{port}/') as answer:
        return answer.read().decode()


def page_processes(namespace):
    """Return the ids of the processes that show the page of a namespace."""
    found = processes_that_mention('main view').items()
    return [pid for pid, line in found if namespace in line]


def test_two_of_them_have_a_port_each_and_a_third_is_told_that_one_is_taken(ros, tmp_path):
    one, two = (start_swarm('view', domain=ros.domain, folder=tmp_path, name=name)
                for name in ('one', 'two'))  # fmt: skip
    with one, two:
        ros.until(lambda: ADDRESS.search(one.out) and ADDRESS.search(two.out), 'both addresses')
        ports = {ADDRESS.search(each.out)[1] for each in (one, two)}
        assert len(ports) == 2
        assert 'id="source">Live view</p>' in page_of(one)
        taken = start_swarm(
            'view', '--port', max(ports), domain=ros.domain, folder=tmp_path, name='taken'
        )
        ros.until(lambda: taken.popen.poll() is not None, 'the refusal')
        assert taken.end() == 2
        for process, number in ((one, signal.SIGINT), (two, signal.SIGTERM)):
            process.popen.send_signal(number)
            ros.until(lambda of=process: of.popen.poll() is not None, 'its end')
            assert process.popen.returncode == 0
    assert re.fullmatch(r'error: --port [0-9]+ on 127\.0\.0\.1: .*; choose another by '
                        r'--port\n', taken.err)  # fmt: skip


def test_an_address_that_is_not_here_is_refused(ros, tmp_path):
    away = start_swarm('view', '--host', '192.0.2.7', domain=ros.domain, folder=tmp_path, name='x')
    ros.until(lambda: away.popen.poll() is not None, 'the refusal')
    assert away.end() == 2
    assert away.err == 'error: --host 192.0.2.7 is no address of this computer\n'


def test_the_page_of_a_run_that_is_killed_ends_as_well(ros, tmp_path):
    run = start_swarm(
        'run', 'demo', '--agents', '2', '--duration', '3600', '--real-time-factor', '1',
        '--no-bag', '--view', '--namespace', '/alone', domain=ros.domain, folder=tmp_path,
        name='run', is_killed=True,
    )  # fmt: skip
    with run:
        ros.until(lambda: ADDRESS.search(run.err), 'the address')
        (page,) = page_processes('/alone')
        run.popen.kill()
        ros.until(lambda: page not in page_processes('/alone'), 'its end')


async def order(port, *words):
    """Give orders, and read until the line that each is followed by."""
    origin = f'http://127.0.0.1:{port}'
    async with websockets.connect(f'ws://127.0.0.1:{port}/feed', origin=origin) as link:
        for verb, members, values, answer in words:
            await link.send(json.dumps({'verb': verb, 'members': members, 'values': values}))
            while answer not in await link.recv():
                pass


def test_the_page_of_a_run_pauses_steps_paces_it_fails_an_agent_and_restarts_it(ros, tmp_path):
    run = start_swarm(
        'run', 'demo', '--agents', '2', '--duration', '3600', '--real-time-factor', '1',
        '--no-bag', '--operate', domain=ros.domain, folder=tmp_path, name='run',
    )  # fmt: skip
    with run:
        ros.until(lambda: 'E_gap' in run.out, 'the flight')
        port = int(ADDRESS.search(run.err)[1])
        asyncio.run(order(
            port, ('pause', [], [], 'paused at tick'), ('step', [], [], '"text": "tick '),
            ('go on', [], [], 'runs on at tick'), ('pace', [], [5], 'the pace is changed'),
            ('fail', ['uav_2'], [], '/uav_2: down until recover is called'),
            ('recover', ['uav_2'], [], '/uav_2: up again'),
            ('send target', [], [3, 4], 'target sent to 3, 4 m'),
            ('let target go', [], [], 'moves itself again'),
            ('restart', [], [3, 8], 'restart 3 8'),
        ))  # fmt: skip
        ros.until(lambda: 'alive: 3 of 3' in run.out, 'the second flight')
        run.interrupt()
        ros.until(lambda: run.popen.poll() is not None, 'the end')
    first, second = sorted(path for path in (tmp_path / 'runs').iterdir() if not path.is_symlink())
    for folder, agents in ((first, 2), (second, 3)):
        manifest = json.loads((folder / 'manifest.json').read_text())
        assert manifest['scenario']['run']['num_agents'] == agents
        assert (folder / 'summary.json').exists()
    assert manifest['seed'] == 8
    assert manifest['command'][-5:] == ['--operate', '--agents', '3', '--seed', '8']
    assert manifest['command'].count('--agents') == 1


def test_a_run_shows_itself_and_takes_its_page_along(ros, tmp_path):
    run = start_swarm(
        'run', 'demo', '--agents', '3', '--duration', '3600', '--real-time-factor', '1',
        '--no-bag', '--view', '--namespace', '/shown', domain=ros.domain, folder=tmp_path,
        name='run',
    )  # fmt: skip
    with run:
        ros.until(lambda: ADDRESS.search(run.err), 'the address')
        (page,) = page_processes('/shown')
        assert 'Live view' in page_of(run)
        run.interrupt()
        ros.until(lambda: run.popen.poll() is not None, 'the end')
    assert page not in page_processes('/shown')
