"""How much of E_r with failures no law can avoid: the return flight, as fast as the vehicle can.

    python bench/return_flights.py [CONDITION ...] [--seeds 20] [--first 61000] [--minutes 5]

A vehicle that comes back stands where it failed, and the target has moved on. From a speed v_0 it
is at most min(v t, v_0 t + a t^2 / 2) away from there after a time t, whatever its law commands; a
and v are its limits. What then is left of its distance from the ring makes a lower bound of E_r
for any law, also for one that knows the future. The rest is what laws differ in.

CONDITIONs are those of the sweep real_vehicles with failures; without any the twelve at lags of
0.2 s and 1 s. The first 30 s do not count. *Better* is in how many seeds predictive is better than
both originals. In a longer flight chance evens out: who fails where, and how long that takes.
"""

import argparse
import functools
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from machine import describe
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from sweep_points import SweepPoints, read_points

from soliton_encirclement_ros.sim.chunk import AGENT_COLUMNS, Chunk
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.forked_processes import make_forked_pool
from velocity_mobility_ros.core.velocity_model import MobilityParameters

Floats = NDArray[np.float64]

SWEEP, OURS, ORIGINALS = 'real_vehicles', 'predictive', ('soliton_v1', 'two_channel')
LAWS = (*ORIGINALS, OURS)
TRANSIENT = 30.0
"""Time at the beginning [s] that does not count."""
X, Y, VX, VY, FAILED = map(AGENT_COLUMNS.index, ('x', 'y', 'vx', 'vy', 'failed'))
E_R, E_GAP = 0, 4
"""Columns of a chunk's metrics."""


class Job(NamedTuple):
    """A flight: condition, law, seed and duration [s]."""

    condition: str
    law: str
    seed: int
    duration: float


class Figures(NamedTuple):
    """Means of a flight: E_gap, E_r, and the lower bound of E_r."""

    e_gap: float
    e_r: float
    bound: float


@functools.cache
def sweep() -> SweepPoints:
    """Return the points of the sweep."""
    return read_points(SWEEP)


class Recorder:
    """Keeps all samples of a flight."""

    def __init__(self) -> None:
        """Keep none yet."""
        self.parts: list[tuple[Floats, Floats, Floats, Floats]] = []

    def keep(self, chunk: Chunk) -> None:
        """Keep the samples of a chunk, whose arrays are used again."""
        columns = chunk.agents[:, :, [X, Y, VX, VY, FAILED]]
        target, metrics = chunk.target[:, :2], chunk.metrics
        self.parts.append((chunk.times.copy(), columns, target.copy(), metrics.copy()))

    def joined(self) -> tuple[Floats, ...]:
        """Return times, (S, N, 5) of the agents, (S, 2) of the target, and metrics."""
        return tuple(np.concatenate(parts) for parts in zip(*self.parts, strict=True))


def fly(job: Job) -> Figures:
    """Fly, and return the figures."""
    changes = {'run.seed': job.seed, 'run.sim_duration': job.duration}
    scenario = sweep().scenario(job.law, job.condition, changes)
    engine, recorder = Engine(scenario, 1, telemetry=True, room=512), Recorder()
    engine.on_chunk = recorder.keep
    engine.fly()
    times, agents, target, metrics = recorder.joined()
    radius = scenario.swarm.encirclement_radius
    left = distances_left(times, agents, target, radius, scenario.vehicle_of('uav_1')) / radius
    up = agents[:, :, 4] == 0.0
    count = np.where(times >= TRANSIENT, up.sum(axis=1), 0)
    some = (count > 0) & np.isfinite(metrics[:, E_R])
    bound = np.sqrt((np.where(up, left, 0.0) ** 2).sum(axis=1)[some] / count[some])
    return Figures(metrics[some, E_GAP].mean(), metrics[some, E_R].mean(), bound.mean())


def distances_left(
    times: Floats, agents: Floats, target: Floats, radius: float, vehicle: MobilityParameters
) -> Floats:
    """Return the least distance from the ring that agents can have after they came back [m].

    Args:
        times: Times [s], (S,).
        agents: x, y, vx, vy and whether it has failed, (S, N, 5).
        target: x, y of the target, (S, 2).
        radius: Radius of the ring [m].
        vehicle: The agents' vehicle.
    """
    samples, count, _ = agents.shape
    begin, least = np.full(count, np.nan), np.zeros((samples, count))
    start = agents[0].copy()
    for k in range(1, samples):
        back = (agents[k - 1, :, 4] != 0.0) & (agents[k, :, 4] == 0.0)
        begin[back], start[back] = times[k - 1], agents[k - 1, back]
        spent = times[k] - begin
        run = np.hypot(start[:, 2], start[:, 3]) * spent + 0.5 * vehicle.max_acc_xy * spent**2
        reach = np.minimum(vehicle.max_speed_xy * spent, run)
        away = np.hypot(start[:, 0] - target[k, 0], start[:, 1] - target[k, 1])
        outside = np.maximum(away - reach - radius, radius - away - reach)
        least[k] = np.maximum(np.where(np.isnan(outside), 0.0, outside), 0.0)
    return least


def row(condition: str, flown: dict[str, list[Figures]]) -> str:
    """Return a condition's row of the table."""
    cells = [condition]
    for law in (OURS, *ORIGINALS):
        averages = np.mean(flown[law], axis=0)
        cells.append(', '.join(f'{mean:.3f}' for mean in averages))
    values = {law: np.array(flights) for law, flights in flown.items()}
    above_bound = {law: flights[:, 1] - flights[:, 2] for law, flights in values.items()}
    better = [wins({law: flights[:, k] for law, flights in values.items()}) for k in (0, 1)]
    cells.append(', '.join(map(str, (*better, wins(above_bound)))))
    ours, other = (values[law] for law in (OURS, ORIGINALS[0]))
    cells.append(f'{np.corrcoef(ours[:, 1] - other[:, 1], ours[:, 2] - other[:, 2])[0, 1]:.2f}')
    return f'| {" | ".join(cells)} |'


def wins(values: dict[str, Floats]) -> int:
    """Return in how many seeds ours is smaller than both originals."""
    best = np.minimum(*(values[law] for law in ORIGINALS))
    return int((values[OURS] < best).sum())


def conditions(named: Sequence[str]) -> list[str]:
    """Return the conditions: those named, else all whose cases are failures."""
    labels = [label for label in sweep().labels if 'failures' in label]
    unknown = [name for name in named if name not in labels]
    if unknown:
        known = '\n'.join(f'  {label}' for label in labels)
        raise SystemExit(f'no condition {unknown[0]!r}; those with failures are\n{known}')
    return [*named] or [label for label in labels if label.startswith('failures')]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('conditions', nargs='*', metavar='CONDITION')
    parser.add_argument('--seeds', type=int, default=20)
    parser.add_argument('--first', type=int, default=61000, help='the first seed')
    parser.add_argument('--minutes', type=float, default=5.0, help='duration of a flight')
    options = parser.parse_args()
    if not 60.0 * options.minutes > TRANSIENT:
        raise SystemExit(
            f'--minutes {options.minutes:g} must be above {TRANSIENT / 60.0:g}: the first '
            f'{TRANSIENT:g} s do not count'
        )
    seeds = range(options.first, options.first + options.seeds)
    names = conditions(options.conditions)
    duration = 60.0 * options.minutes
    flights = {
        name: {law: [Job(name, law, seed, duration) for seed in seeds] for law in LAWS}
        for name in names
    }
    jobs = [job for laws in flights.values() for several in laws.values() for job in several]
    console = Console(stderr=True)
    with make_forked_pool() as pool:
        flown = track(pool.map(fly, jobs), 'flying', len(jobs), console=console)
        figures = dict(zip(jobs, flown, strict=True))
    print('| | ' + ' | '.join((OURS, *ORIGINALS)) + ' | better | correlation |')
    print('| --- ' * (len(LAWS) + 3) + '|')
    for name, laws in flights.items():
        print(row(name, {law: [figures[job] for job in several] for law, several in laws.items()}))
    print('\nE_gap, E_r, the lower bound of E_r; better: the same and the rest of E_r')
    print(f'correlation: of the differences to {ORIGINALS[0]} in E_r and in the lower bound')
    print(describe())


if __name__ == '__main__':
    sys.exit(main())
