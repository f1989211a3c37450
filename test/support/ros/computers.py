"""For tests of several computers: network namespaces that a switch joins.

Each has an interface of its own, ``eth0``, and thus an identity of its own for the middleware,
which uses shared memory only within a computer. The switch drops multicast, as many access points
do.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import pytest

from support.cli import wait_until

ADDRESS = '10.77.0.{}'
FIRST = 10


def without_network() -> tuple[str, ...]:
    """Return a command that runs another one where no network interface is up; or skip."""
    command = ('unshare', '--map-root-user', '--net')
    if sys.platform != 'linux' or shutil.which('unshare') is None or shutil.which('ip') is None:
        pytest.skip('namespaces need Linux, unshare and ip: apt install util-linux iproute2')
    done = subprocess.run((*command, 'true'), capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f'no namespaces for this user: {done.stderr.strip()}')
    return command


def ip(*arguments: str) -> str:
    """Run ``ip`` and return what it prints."""
    done = subprocess.run(('ip', *arguments), check=True, capture_output=True, text=True)
    return done.stdout


class Computer:
    """A network namespace with one interface."""

    def __init__(self, namespace: str, address: str) -> None:
        """Take an existing namespace and its address."""
        self.namespace, self.address = namespace, address

    def command(self, environment: Mapping[str, str], *command: str) -> tuple[str, ...]:
        """Return a command that runs another one on this computer."""
        settings = (f'{name}={value}' for name, value in environment.items())
        return ('ip', 'netns', 'exec', self.namespace, 'env', *settings, *command)

    def is_connected(self) -> bool:
        """Return whether its interface is up, which it is some time after it was told."""
        return 'state UP' in ip('-n', self.namespace, 'link', 'show', 'eth0')

    def clear(self) -> None:
        """Kill every process on it."""
        for pid in ip('netns', 'pids', self.namespace).split():
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(int(pid), signal.SIGKILL)


class Computers(dict[str, Computer]):
    """Computers by name, joined by a switch that drops multicast; gone when the block is left."""

    def __init__(self, *names: str) -> None:
        """Name the computers; the block creates them."""
        super().__init__()
        self._names = names
        self.switch = _namespace('switch')

    def __enter__(self) -> 'Computers':
        """Create them, or skip the test."""
        if sys.platform != 'linux' or shutil.which('ip') is None:
            pytest.skip('network namespaces need Linux and the command ip: apt install iproute2')
        try:
            ip('netns', 'add', self.switch)
        except subprocess.CalledProcessError as error:
            pytest.skip(f'no network namespaces without root: {error.stderr.strip()}')
        try:
            bridge = ('type', 'bridge', 'mcast_snooping', '0', 'forward_delay', '0')
            ip('-n', self.switch, 'link', 'add', 'bridge', *bridge)
            ip('-n', self.switch, 'link', 'set', 'bridge', 'up')
            for number, name in enumerate(self._names):
                self[name] = self._plugged_in(name, f'port{number}', number + FIRST)
            for name, computer in self.items():
                wait_until(computer.is_connected, f'the network of {name}')
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove them, with whatever runs there."""
        self._remove()

    def unplug(self, name: str) -> None:
        """Pull the network cable of a computer."""
        self._set_port(name, 'down')
        wait_until(lambda: not self[name].is_connected(), f'{name} to be without network')

    def plug(self, name: str) -> None:
        """Put the network cable back."""
        self._set_port(name, 'up')
        wait_until(self[name].is_connected, f'the network of {name}')

    def _set_port(self, name: str, state: str) -> None:
        port = f'port{self._names.index(name)}'
        ip('-n', self.switch, 'link', 'set', port, state)

    def _plugged_in(self, name: str, port: str, number: int) -> Computer:
        computer = Computer(_namespace(name), ADDRESS.format(number))
        inside, switch = ('-n', computer.namespace), ('-n', self.switch)
        ip('netns', 'add', computer.namespace)
        peer = ('peer', 'name', 'eth0', 'netns', computer.namespace)
        ip(*switch, 'link', 'add', port, 'type', 'veth', *peer)
        self._join(port)
        ip(*inside, 'address', 'add', f'{computer.address}/24', 'dev', 'eth0')
        ip(*inside, 'link', 'set', 'lo', 'up')
        ip(*inside, 'link', 'set', 'eth0', 'up')
        return computer

    def _join(self, port: str) -> None:
        """Let the switch forward what comes in at one of its ports."""
        switch = ('-n', self.switch)
        ip(*switch, 'link', 'set', port, 'master', 'bridge', 'up')
        ip(*switch, 'link', 'set', port, 'type', 'bridge_slave', 'mcast_flood', 'off')

    def _remove(self) -> None:
        for computer in self.values():
            computer.clear()
        for name in (*self._names, 'switch'):
            if Path('/run/netns', _namespace(name)).exists():
                ip('netns', 'delete', _namespace(name))


def _namespace(name: str) -> str:
    return f'swarm-test-{os.getpid()}-{name}'
