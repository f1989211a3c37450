"""Processes of this machine that do numbered jobs, one after the other, and report the results.

They are forked: all libraries are loaded and all jobs are in their memory, so that only numbers
and results travel. Who asks for what, and what a death means, is up to the client.
"""

import contextlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from velocity_mobility_ros.core.environment.unix_process import set_death_signal

FORK = multiprocessing.get_context('fork')

Report = Callable[[Any], None]
Work = Callable[[int, Report], Any]
"""Does the job of a number and returns its result; may report its progress meanwhile."""


class PoolMessage(NamedTuple):
    """What a process reports of a job: its result, or before that its progress."""

    job: int
    content: Any
    is_result: bool


class Worker:
    """A process and what it was asked for; ``asked`` holds numbers of jobs, the one in work first.

    Attributes:
        link: Becomes readable when there is something to ``receive``.
    """

    def __init__(self, work: Work, prepare: Callable[[int], None] | None = None) -> None:
        """Start the process.

        Args:
            work: What it does with a number; it must not raise.
            prepare: Called in the process before any job, with the client's process id; left out,
                the process keeps the client's handlers of signals.

        Raises:
            OSError: There is no room for it.
        """
        self.asked: deque[int] = deque()
        self.link, theirs = FORK.Pipe()
        arguments = (work, prepare, theirs, self.link, os.getpid())
        self._process = FORK.Process(target=_serve, args=arguments, daemon=True)
        try:
            self._process.start()
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid or 0

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.is_alive()

    def ask(self, job: int) -> None:
        """Ask for one more job; a worker that is dead reports so when it is read."""
        self.asked.append(job)
        self._send(job)

    def receive(self) -> PoolMessage | None:
        """Return the next message, None from a worker that has died."""
        try:
            message = self.link.recv()
        except (EOFError, OSError):
            return None
        if message.is_result:
            self.asked.remove(message.job)
        return message

    def death(self) -> str:
        """Return how a dead worker ended."""
        self._process.join()
        code = self._process.exitcode or 0
        return f'signal {-code}' if code < 0 else f'exit code {code}'

    def stop(self) -> None:
        """Send SIGTERM: what it means is up to the handlers that the process has."""
        self._process.terminate()

    def dismiss(self) -> None:
        """Let a process end that has nothing more to do, and wait for that."""
        self._send(None)
        self._process.join()
        self.link.close()

    def end(self) -> None:
        """End the process for good; what it has in work is lost."""
        self._process.kill()
        self._process.join()
        self.link.close()

    def _send(self, number: int | None) -> None:
        with contextlib.suppress(OSError):  # it has died: ``receive`` reports it
            self.link.send(number)


def received(
    workers: Sequence[Worker], timeout: float | None = None
) -> list[tuple[Worker, PoolMessage | None]]:
    """Return who reports within a wall time [s], and what; None: it has died."""
    ready = wait([worker.link for worker in workers], timeout)
    return [(worker, worker.receive()) for worker in workers if worker.link in ready]


def end_with_client(client: int) -> None:
    """Prepare a worker that ends with its client, however that ends, and not by ctrl-C before."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    set_death_signal(signal.SIGKILL)  # if not on Linux, ``_serve`` looks by itself
    if os.getppid() != client:
        os._exit(1)


def _serve(
    work: Work,
    prepare: Callable[[int], None] | None,
    link: Connection,
    clients_end: Connection,
    client: int,
) -> None:
    """Do what is asked for until nobody asks any more."""
    clients_end.close()
    if prepare is not None:
        prepare(client)
    while os.getppid() == client:
        try:
            job = link.recv()
        except (EOFError, OSError):
            return  # the client has gone
        if job is None:
            return
        result = work(job, partial(_report, link, job, False))
        _report(link, job, True, result)


def _report(link: Connection, job: int, is_result: bool, content: Any) -> None:
    with contextlib.suppress(OSError):  # the client has gone: nobody listens any more
        link.send(PoolMessage(job, content, is_result))
