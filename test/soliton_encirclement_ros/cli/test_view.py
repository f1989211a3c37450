"""``swarm view`` as a process, alone and with a run."""

import re
import socket
import urllib.request

import pytest
from support.cli import processes_that_mention, start_swarm

pytestmark = pytest.mark.ros

ADDRESS = re.compile(r'live page: http://localhost:([0-9]+)/')


def page_of(process):
    """Return the page at the address that a process has printed."""
    port = ADDRESS.search(process.out + process.err)[1]
    with urllib.request.urlopen(f'http://localhost:{port}/') as answer:
        return answer.read().decode()


def test_two_of_them_have_a_port_each_and_a_third_is_told_that_one_is_taken(ros, tmp_path):
    one, two = (start_swarm('view', domain=ros.domain, folder=tmp_path, name=name)
                for name in ('one', 'two'))  # fmt: skip
    with one, two:
        ros.until(lambda: ADDRESS.search(one.out) and ADDRESS.search(two.out), 'both addresses')
        ports = {ADDRESS.search(each.out)[1] for each in (one, two)}
        assert len(ports) == 2
        assert '<p class="kind">Live view</p>' in page_of(one)
        taken = start_swarm(
            'view', '--port', max(ports), domain=ros.domain, folder=tmp_path, name='taken'
        )
        ros.until(lambda: taken.popen.poll() is not None, 'the refusal')
        assert taken.end() == 2
    assert re.fullmatch(r'error: --port [0-9]+ on 127\.0\.0\.1: .*; choose another by --port, or '
                        r'--host\n', taken.err)  # fmt: skip


def test_an_address_that_is_not_here_is_refused(ros, tmp_path):
    away = start_swarm('view', '--host', '192.0.2.7', domain=ros.domain, folder=tmp_path, name='x')
    ros.until(lambda: away.popen.poll() is not None, 'the refusal')
    assert away.end() == 2 and away.err.count('\n') == 1


def test_the_page_of_a_run_that_is_killed_ends_as_well(ros, tmp_path):
    run = start_swarm(
        'run', 'demo', '--agents', '2', '--duration', '3600', '--real-time-factor', '1',
        '--no-bag', '--view', '--namespace', '/alone', domain=ros.domain, folder=tmp_path,
        name='run', is_killed=True,
    )  # fmt: skip
    with run:
        ros.until(lambda: ADDRESS.search(run.err), 'the address')
        children = [pid for pid, line in processes_that_mention('main view').items()
                    if '/alone' in line]  # fmt: skip
        assert len(children) == 1
        run.popen.kill()
        ros.until(lambda: children[0] not in processes_that_mention('main view'), 'its end')


def test_a_run_shows_itself_and_takes_its_page_along(ros, tmp_path):
    run = start_swarm(
        'run', 'demo', '--agents', '3', '--duration', '3600', '--real-time-factor', '1',
        '--no-bag', '--view', domain=ros.domain, folder=tmp_path, name='run',
    )  # fmt: skip
    with run:
        ros.until(lambda: ADDRESS.search(run.err), 'the address')
        port = int(ADDRESS.search(run.err)[1])
        assert 'Live view' in page_of(run)
        run.interrupt()
        ros.until(lambda: run.popen.poll() is not None, 'the end')
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(('127.0.0.1', port))
