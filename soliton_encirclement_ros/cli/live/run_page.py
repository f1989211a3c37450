"""The live page of a run: a process beside it, and the restarts that its operator asks for."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from typing import NamedTuple, Optional

from velocity_mobility_ros.core.parent_process import to_child

from soliton_encirclement_ros.core.states.swarm_topics import Fleet


class Restart(NamedTuple):
    """What is flown instead; None: as the command line or the scenario says."""

    agents: Optional[int] = None
    seed: Optional[int] = None

    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command line that would have flown this, after that of the first run."""
        own = {f'--{name}': value for name, value in self._asdict().items() if value is not None}
        rest = [
            word for before, word in pairwise(['', *words])
            if word.partition('=')[0] not in own and before not in own
        ]  # fmt: skip
        return [*rest, *(text for name, value in own.items() for text in (name, str(value)))]

    def write(self, descriptor: int) -> None:
        """Ask the run at the other end of a pipe for it."""
        os.write(descriptor, f'{json.dumps(self)}\n'.encode())


class RunPage:
    """What comes from the page of a run."""

    def __init__(self, descriptor: int = -1) -> None:
        """Read from a pipe; without one nobody asks for anything."""
        self._descriptor, self._asked = descriptor, list[Restart]()

    def is_restart_asked(self) -> bool:
        """Return whether somebody has asked for a restart."""
        if not self._asked and self._descriptor >= 0:
            try:
                text = os.read(self._descriptor, 4096).decode()
            except BlockingIOError:
                text = ''
            self._asked = [Restart(*json.loads(line)) for line in text.splitlines()]
        return bool(self._asked)

    def take_restart(self) -> Restart | None:
        """Return the restart that was asked for last, None if none was."""
        found = self._asked[-1] if self.is_restart_asked() else None
        self._asked = []
        return found


NO_PAGE = RunPage()


@contextmanager
def viewing(
    fleet: Fleet, wanted: bool, operates: bool = False, options: Sequence[str] = ()
) -> Iterator[RunPage]:
    """Show a swarm meanwhile, by a process of its own, which prints the address.

    Args:
        fleet: The fleet.
        wanted: Whether to.
        operates: Whether the page gives orders.
        options: Further options of ``swarm view``.
    """
    if not wanted:
        yield RunPage()
        return
    read, write = os.pipe()
    os.set_blocking(read, False)
    command = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main', 'view']
    command += ['--namespace', fleet.namespace or '/', *options]
    command += ['--operate', '--restarts', str(write)] if operates else []
    process = subprocess.Popen(
        command, stdout=sys.stderr, env={**os.environ, **to_child()}, pass_fds=(write,)
    )
    os.close(write)
    try:
        yield RunPage(read)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        os.close(read)


def streaming(
    stream: Optional[str], fleet: Fleet, radius: float
) -> AbstractContextManager[RunPage]:
    """Return what sends a swarm with a ring [m] to another viewer meanwhile, if one is named."""
    options = '--stream', stream or '', '--radius', f'{radius}'
    return viewing(fleet, stream is not None, options=options)
