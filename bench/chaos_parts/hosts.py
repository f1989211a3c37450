"""Computers of a chaos run: network namespaces that a relay joins instead of a switch.

Each has shared memory of its own, and a small disk of its own for what is recorded there.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from chaos_parts.relay import Impairment, link_table

from support.ros.computers import Computers, ip

PARTS = Path(__file__).resolve().parent
SET_UP = (
    'mount -t tmpfs tmpfs /dev/shm && mount -t tmpfs -o size={size}m tmpfs {disk} && '
    'exec {python} {script} eth0'
)


class Hosts(Computers):
    """Computers by name; gone, with all that runs there, when the block is left."""

    def __init__(self, names: Sequence[str], seed: int, disk: Path, disk_mb: int) -> None:
        """Name the computers; the block creates them.

        Args:
            names: Of the computers.
            seed: Of the relay.
            disk: Folder that is a disk of its own on each computer.
            disk_mb: Its size [MB].
        """
        super().__init__(*names)
        self._seed, self._disk, self._disk_mb = seed, disk, disk_mb
        self._anchors: dict[str, subprocess.Popen[str]] = {}
        self._relay: subprocess.Popen[str] | None = None

    def __enter__(self) -> 'Hosts':
        """Create them and the relay."""
        self._disk.mkdir(parents=True, exist_ok=True)
        super().__enter__()
        try:
            for name, computer in self.items():
                script = SET_UP.format(
                    size=self._disk_mb, disk=self._disk, python=sys.executable,
                    script=PARTS / 'host_setup.py',
                )  # fmt: skip
                self._anchors[name] = _start_ready(
                    'ip', 'netns', 'exec', computer.namespace, 'unshare', '-m', 'sh', '-c', script
                )
            ports = [f'port{k}' for k in range(len(self))]
            relay = (sys.executable, '-P', str(PARTS / 'relay.py'), str(self._seed), *ports)
            self._relay = _start_ready('ip', 'netns', 'exec', self.switch, *relay)
        except BaseException:
            self._remove()
            raise
        return self

    def start(
        self, name: str, environment: Mapping[str, str], command: Sequence[str], log: IO[bytes],
        own_shared_memory: bool = False, stdin: int = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:  # fmt: skip
        """Start a command on a computer.

        Args:
            name: Of the computer.
            environment: The whole environment.
            command: Program and arguments.
            log: File of its output.
            own_shared_memory: Whether it has a /dev/shm that it shares with nobody.
            stdin: As for ``subprocess.Popen``.
        """
        enter = ['nsenter', '-t', str(self._anchors[name].pid), '-m', '-n']
        if own_shared_memory:
            mount = 'mount -t tmpfs tmpfs /dev/shm && exec "$@"'
            enter += ['unshare', '-m', 'sh', '-c', mount, 'sh']
        return subprocess.Popen(
            [*enter, *command], env=dict(environment), stdout=log, stderr=log, stdin=stdin
        )

    def seen_from_outside(self, name: str, path: Path) -> Path:
        """Return a path on a computer as other computers reach it."""
        return Path(f'/proc/{self._anchors[name].pid}/root{path}')

    def impair(self, links: Mapping[tuple[str, str], Impairment]) -> None:
        """Let the relay impair links, given as (sender, receiver); all others are perfect."""
        place = {name: k for k, name in enumerate(self)}
        table = {f'{place[a]}>{place[b]}': one for (a, b), one in links.items()}
        assert self._relay is not None
        assert self._relay.stdin is not None
        self._relay.stdin.write(link_table(table) + '\n')
        self._relay.stdin.flush()

    def end_relay(self) -> str:
        """End the relay; return what it says of its work, a line of JSON."""
        relay, self._relay = self._relay, None
        return relay.communicate(timeout=10.0)[0].strip() if relay is not None else '{}'

    def _join(self, port: str) -> None:
        ip('-n', self.switch, 'link', 'set', port, 'up')

    def _remove(self) -> None:
        if self._relay is not None:
            self._relay.kill()
            self._relay.wait()
            self._relay = None
        super()._remove()
        for anchor in self._anchors.values():
            anchor.wait()


def _start_ready(*command: str) -> subprocess.Popen[str]:
    """Start a command and wait until it says that it is ready."""
    pipes: dict[str, Any] = dict.fromkeys(('stdin', 'stdout'), subprocess.PIPE)
    process = subprocess.Popen(command, text=True, env=os.environ, **pipes)
    if process.stdout.readline().strip() != 'ready':
        process.kill()
        raise RuntimeError(f'did not start: {" ".join(command)}')
    return process
