"""A sweep on a real Dask cluster on loopback, with ten kills -9 at random moments.

    python bench/sweep_kills.py [KILLS] [SEED]

Scheduler, one of two workers, or the client is killed and started again; in the end every table
must be the same, byte for byte, as that of an undisturbed sweep in this machine's own processes.
"""

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import soliton_encirclement_ros  # noqa: F401  before the folder of its tests, which has its name

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test'))

from support.cli import Process
from support.sweeping.sweeps import (
    LAWS, SLOW, Cluster, compile_laws, fingerprints, start_sweep, write_sweep
)

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
    longest: float = 9.0,
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
            if client.popen.poll() == 0:
                break
            if client.popen.poll() is not None:  # a worker died while the client looked at it
                client = start()
            code = _kill(victim, cluster, client, chance)
            kills.append(Kill(victim, after, code, client.err))
            if code is not None:
                client = start()
        assert client.end(600.0) == 0, client.err
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


CONTENT = {
    'changes': {'run': {**SLOW['run'], 'sim_duration': 3000.0}},
    'seeds': 100,
    'design': LAWS,
}


def fly(folder: Path, kills: int, seed: int) -> tuple[list[Kill], bool]:
    """Fly both sweeps; return the kills and whether all tables are the same."""
    compile_laws()
    chance = random.Random(seed)
    victims = [VICTIMS[i % len(VICTIMS)] for i in range(kills)]
    chance.shuffle(victims)
    file = write_sweep(folder, **CONTENT).name
    with Cluster(folder) as cluster:
        made = sweep_under_fire(folder, file, cluster, victims, chance)
    with start_sweep(folder, file, '--out', 'calm', name='calm') as calm:
        assert calm.end(600.0) == 0, calm.err
    found, expected = fingerprints(folder / 'fire'), fingerprints(folder / 'calm')
    return made, len(expected) == 6 and found == expected


def main() -> int:
    """Print the table; return 1 unless the tables are the same after all kills."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        made, same = fly(Path(folder), kills, seed)
    print('| kill -9 of | after [s] | exit code of the client | its last line |')
    print('| --- | --- | --- | --- |')
    for kill in made:
        code = 'goes on' if kill.code is None else str(kill.code)
        last = (kill.stderr.splitlines() or [''])[-1]
        print(f'| {kill.victim} | {kill.after:.2f} | {code} | {last} |')
    print(f'{len(made)} of {kills} kills; tables {"identical" if same else "DIFFER"}')
    return 0 if same and len(made) == kills else 1


if __name__ == '__main__':
    sys.exit(main())
