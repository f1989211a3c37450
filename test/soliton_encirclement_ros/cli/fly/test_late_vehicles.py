"""Orders over DDS to a vehicle whose process stands still, and by the keys of the console."""

import os
import pty
import select
import signal
import subprocess
import sys

import pytest
from diagnostic_msgs.msg import DiagnosticStatus

from support.cli import REPOSITORY, SWARM, Process, environment, start_swarm
from support.fly.field import Field

pytestmark = pytest.mark.ros

ALL = 'uav_1, uav_2, uav_3'
PLAYED = ('-m', 'support.fly.played_bridge')


@pytest.fixture
def field(ros, tmp_path):
    """Return two vehicles that follow their agents, and a third one in a process of its own."""
    field = Field(ros, tmp_path, 2, stated=ALL)
    field.in_the_air('TRACK')
    return field


@pytest.fixture
def third(field):
    """Return that process."""
    command = (sys.executable, *PLAYED, 'uav_3', ALL, 'TRACK')
    path = {'PYTHONPATH': f'{REPOSITORY}:{REPOSITORY / "test"}'}
    with Process(command, field.ros.domain, field.folder, 'third', True, path) as process:
        field.ros.until(lambda: 'plays' in process.out, 'the third vehicle')
        yield process
        process.popen.send_signal(signal.SIGCONT)


def test_an_order_goes_on_to_a_vehicle_that_is_found_late(field, third):
    third.popen.send_signal(signal.SIGSTOP)
    order = ('fly', 'hold', '--within', '60')
    with start_swarm(*order, domain=field.ros.domain, folder=field.folder) as process:
        others = field.bridges.values()
        field.ros.until(lambda: all(one.called == ['hold'] for one in others), 'the others')
        silent = ('uav_3: not heard', 'uav_3: its bridge', 'does not answer')
        field.ros.until(lambda: any(word in process.out for word in silent), 'the silence')
        assert process.popen.poll() is None, process.out + process.err
        third.popen.send_signal(signal.SIGCONT)
        field.ros.until(lambda: process.popen.poll() is not None, 'the end of the order')
    assert process.popen.returncode == 0, process.err
    assert f'hold: {ALL} (3 of 3)\n' in process.out


def test_a_vehicle_that_is_not_found_is_named(field, third):
    third.popen.send_signal(signal.SIGSTOP)
    done = field.fly('hold', '--within', '5')
    assert done.popen.returncode == 1
    assert 'hold: uav_1, uav_2 (2 of 3)\n' in done.out
    assert 'error: uav_3 not confirmed: ' in done.err


def test_a_subscriber_is_no_vehicle(field, third):
    field.ros.listen(DiagnosticStatus, '/uav_9/bridge_state', 10)
    field.ros.listen(DiagnosticStatus, '/swarm/bridge_states', 10)
    done = field.fly('status', '--json')
    assert done.popen.returncode == 0, done.err
    assert 'uav_9' not in done.out


class Console:
    """``swarm fly console`` on a terminal."""

    def __init__(self, field):
        self.field, self.screen = field, ''
        self._terminal, inner = pty.openpty()
        self._process = subprocess.Popen(
            (*SWARM, 'fly', 'console'), stdin=inner, stdout=inner, stderr=inner,
            env=environment(field.ros.domain) | {'TERM': 'xterm', 'COLUMNS': '200', 'LINES': '60'},
            cwd=field.folder, close_fds=True,
        )  # fmt: skip
        os.close(inner)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def press(self, keys):
        """Press keys."""
        os.write(self._terminal, keys.encode())

    def until(self, condition, what):
        """Wait, and read the screen meanwhile."""
        self.field.ros.until(lambda: (self._read(), condition())[1], what)

    def _read(self):
        while select.select([self._terminal], [], [], 0.0)[0]:
            try:
                data = os.read(self._terminal, 65536)
            except OSError:  # the other end is closed
                return
            self.screen += data.decode(errors='replace')

    @property
    def code(self):
        """The exit code, None while it runs."""
        return self._process.poll()


def test_keys_of_the_console_order_at_once(ros, tmp_path):
    field = Field(ros, tmp_path, 3)
    field.add_agents()
    field.in_the_air('TRACK')
    with Console(field) as console:
        console.until(lambda: 'uav_3' in console.screen, 'the vehicles')
        console.press('h')
        console.until(lambda: set(field.states.values()) == {'HOLD'}, 'a hold of all')
        console.until(lambda: f'hold: {ALL} (3 of 3)' in console.screen, 'the answer')
        console.press('2l')
        console.until(lambda: field.states['uav_2'] == 'READY', 'a landing of one')
        console.until(lambda: 'stand, disarmed: uav_2 (1 of 1)' in console.screen, 'its answer')
        assert field.called['uav_1'] == field.called['uav_3'] == ['hold']
        console.press('as')
        console.until(lambda: f'stopped: {ALL} (3 of 3)' in console.screen, 'the stop')
        assert field.stops[-1] == 'stop everybody'
        console.press('\tr')
        console.until(lambda: 'rtl ordered: uav_1' in console.screen, 'the order to the first one')
        console.press('q')
        console.until(lambda: console.code is not None, 'the end')
        assert console.code == 0, console.screen
