"""One process of this machine that flies runs, one after the other, as the client asks for them.

It is forked: the planned runs are in its memory, so that only their numbers travel. It ends with
the client, however that ends.
"""

import contextlib
import ctypes
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection

from soliton_encirclement_ros.sim.sweeps.run_result import RunResult, fly_run
from soliton_encirclement_ros.sim.sweeps.sweep_file import PlannedRun

FORK = multiprocessing.get_context('fork')
PR_SET_PDEATHSIG = 1


class Worker:
    """A process and what it was asked for; ``asked`` holds numbers of runs, the one in work first.

    Attributes:
        link: Becomes readable when there is something to ``hear``.
    """

    def __init__(self, runs: Sequence[PlannedRun]) -> None:
        """Start the process.

        Raises:
            OSError: There is no room for it.
        """
        self.asked: deque[int] = deque()
        self.link, theirs = FORK.Pipe()
        arguments = (runs, theirs, self.link, os.getpid())
        self._process = FORK.Process(target=_work, args=arguments, daemon=True)
        try:
            self._process.start()
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid or 0

    def ask(self, number: int) -> None:
        """Request one more run; a dead worker is detected at the next ``hear``."""
        self.asked.append(number)
        with contextlib.suppress(OSError):  # ``hear`` tells
            self.link.send(number)

    def hear(self) -> tuple[int, RunResult] | None:
        """Return a finished run, None from a worker that has died."""
        try:
            number, record = self.link.recv()
        except (EOFError, OSError):
            return None
        self.asked.remove(number)
        return number, record

    def death(self) -> str:
        """Return how a dead worker ended."""
        self._process.join()
        code = self._process.exitcode or 0
        return f'signal {-code}' if code < 0 else f'exit code {code}'

    def end(self) -> None:
        """End the process for good; what it has in work is lost."""
        self._process.kill()
        self._process.join()
        self.link.close()


def _work(
    runs: Sequence[PlannedRun], link: Connection, clients_end: Connection, client: int
) -> None:
    """Fly the requested runs until no more are requested."""
    clients_end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    _die_with(client)
    with contextlib.suppress(EOFError, OSError):  # the client has gone: nobody asks any more
        while os.getppid() == client:
            number = link.recv()
            run = runs[number]
            link.send((number, fly_run(run.key, run.scenario)))


def _die_with(client: int) -> None:
    """Ask the kernel to end this process together with the client."""
    with contextlib.suppress(OSError, AttributeError):  # not on Linux: ``_work`` looks by itself
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != client:
        os._exit(1)
