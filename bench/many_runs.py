"""How long many runs take from the command line: sweeps on all cores, and a fleet in one process.

    python bench/many_runs.py [SEEDS] [--study SWEEP] [--rounds R] [--fleet RUNS]

- ``swarm sweep`` of SEEDS seeds x 3 laws x 300 s, 1000 seeds by default. With fewer, what 1000
  would take is extrapolated from them and from a sweep of a single seed, which is nearly all
  start-up.
- ``swarm sweep published_study``, the 61 runs of the original's study; the median of some rounds.
- RUNS runs of 5 agents and 20 s that one process keeps at once, see ``fleet.py``.

Every sweep has a fresh folder, and start-up, tables and pictures count. The laws are compiled
before: once per machine, about a minute.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import yaml
from machine import describe
from rich.console import Console

from soliton_encirclement_ros.core.parameters.control_parameters import OUR_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.simulation import fly

SEEDS = 1000
ROUNDS = 3
FLEET = 10_000
DURATION = 300.0
STUDY = 'published_study'
SWARM = (sys.executable, '-m', 'soliton_encirclement_ros.cli.main')
SCREEN = Console(stderr=True)

SWEEP = {
    'scenario': 'failures',
    'changes': {'run': {'sim_duration': DURATION}},
    'design': {'grid': {'control.controller': list(OUR_NAMES)}},
}


def sweep(sweep_file: str) -> tuple[float, int]:
    """Run ``swarm sweep`` in a fresh folder; return its wall time [s] and its number of runs."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*SWARM, 'sweep', sweep_file, '--out', folder]
        began = time.perf_counter()
        # What it shows is progress, for a person at a terminal.
        shown = sys.stderr if SCREEN.is_terminal else subprocess.DEVNULL
        code = subprocess.run(command, check=False, stdout=shown).returncode
        wall = time.perf_counter() - began
        if code:
            sys.exit(f'swarm sweep {sweep_file} ended with {code}')
        lines = (Path(folder) / 'table.csv').read_text(encoding='utf-8').splitlines()
    return wall, len(lines) - 1


def sweep_seeds(seeds: int) -> tuple[float, int]:
    """Do the same for so many seeds of all laws."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'many_runs.yaml'
        path.write_text(yaml.safe_dump({**SWEEP, 'seeds': seeds}), encoding='utf-8')
        return sweep(str(path))


def extrapolated(seeds: int, wall: float, start: float) -> float:
    """Return what ``SEEDS`` seeds would take [s].

    Args:
        seeds: How many were flown, more than one.
        wall: How long that took [s].
        start: How long a single one took [s].
    """
    return start + (wall - start) * (SEEDS - 1) / (seeds - 1)


def many_seeds(seeds: int) -> Iterator[tuple[str, str]]:
    """Iterate over what sweeps of many seeds take, as text."""
    wall, runs = sweep_seeds(seeds)
    rate = f'{runs / wall:.1f} runs/s, {runs * DURATION / wall:,.0f} times real time'
    size = f'{len(OUR_NAMES)} laws x {DURATION:g} s'
    yield f'{seeds} seeds x {size}', f'{wall:.1f} s ({rate})'
    if seeds == 1 or seeds == SEEDS:
        return
    start, _ = sweep_seeds(1)
    yield f'1 seed x {size}', f'{start:.1f} s'
    yield f'extrapolated to {SEEDS} seeds', f'{extrapolated(seeds, wall, start):.0f} s'


def study(name: str, rounds: int) -> tuple[str, str]:
    """Return what the study takes, as text."""
    flown = [sweep(name) for _ in range(rounds)]
    walls = sorted(wall for wall, _ in flown)
    spread = f'{walls[0]:.1f} to {walls[-1]:.1f}'
    text = f'{statistics.median(walls):.1f} s (median of {rounds}, {spread})'
    return f'{Path(name).stem}: {flown[0][1]} runs', text


def fleet(runs: int) -> tuple[str, str]:
    """Return what a fleet takes, as text."""
    script = str(Path(__file__).with_name('fleet.py'))
    done = subprocess.run([sys.executable, script, str(runs)], check=False,
                          stdout=subprocess.PIPE, text=True)  # fmt: skip
    if done.returncode:
        sys.exit(f'fleet.py {runs} ended with {done.returncode}')
    found = json.loads(done.stdout.splitlines()[-1])
    wall = found['placing_s'] + found['flying_s']
    text = (
        f'{wall:.1f} s ({found["placing_s"]:.1f} s of it placing), '
        f'{found["runs_per_s"]:g} runs/s, peak {found["peak_mb"]:.0f} MB, '
        f'{found["kb_per_run"]:.1f} kB per run'
    )
    return f'{runs:,} runs of 5 agents and 20 s at once in one process', text


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('seeds', type=int, nargs='?', default=SEEDS)
    parser.add_argument('--study', default=STUDY, help='a sweep, by name or file')
    parser.add_argument('--rounds', type=int, default=ROUNDS, help='of the study')
    parser.add_argument('--fleet', type=int, default=FLEET, help='runs in one process')
    return parser.parse_args()


def measure(asked: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Iterate over the lines of the table, as they are known, with the laws compiled before."""
    fly(Scenario().with_changes({'run': {'sim_duration': 1.0}}, 'bench'))
    yield from many_seeds(asked.seeds)
    yield study(asked.study, asked.rounds)
    yield fleet(asked.fleet)


def main() -> None:
    """Measure and print."""
    asked = arguments()
    print('| what | wall time |\n| --- | --- |')
    for what, text in measure(asked):
        print(f'| {what} | {text} |', flush=True)
    print(f'\n{describe()}.')


if __name__ == '__main__':
    main()
