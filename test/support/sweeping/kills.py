"""A sweep on a cluster while somebody kills scheduler, workers and client at random moments."""

import random
import time
from pathlib import Path
from typing import NamedTuple

from support.cli import Process
from support.sweeping.sweeps import Cluster, start_sweep

VICTIMS = ('worker', 'client', 'scheduler')


class Kill(NamedTuple):
    """One kill: whom, how long after the last start [s], and what the client printed and returned.

    ``code`` is None where the client went on.
    """

    victim: str
    after: float
    code: int | None
    stderr: str


def sweep_under_fire(
    folder: Path, file: str, cluster: Cluster, victims: list[str], chance: random.Random,
    longest: float = 4.0,
) -> list[Kill]:  # fmt: skip
    """Fly a sweep to its end in ``folder/fire``; kill -9 one victim after the other meanwhile.

    Whoever was killed is started again: a client with the same command.

    Raises:
        AssertionError: The client did not end as it should.
    """
    kills: list[Kill] = []
    attempt = 0

    def start() -> Process:
        nonlocal attempt
        attempt += 1
        words = (file, '--out', 'fire', '--scheduler', cluster.address)
        return start_sweep(folder, *words, name=f'client-{attempt}')

    client = start()
    try:
        for victim in victims:
            after = chance.uniform(0.2, longest)
            time.sleep(after)
            if client.popen.poll() is not None:
                break
            code = _kill(victim, cluster, client, chance)
            kills.append(Kill(victim, after, code, client.err))
            if code is not None:
                client = start()
        assert client.end(120.0) == 0, client.err
    finally:
        client.__exit__()
    return kills


def _kill(victim: str, cluster: Cluster, client: Process, chance: random.Random) -> int | None:
    """Kill somebody, start who is no client again, and return how the client ended, if so."""
    if victim == 'client':
        client.popen.kill()
        return client.end()
    if victim == 'worker':
        number = chance.randrange(len(cluster.workers))
        cluster.workers[number].popen.kill()
        cluster.restart_worker(number)
        return None
    cluster.scheduler.popen.kill()
    code = client.end(60.0)
    cluster.restart()
    return code
