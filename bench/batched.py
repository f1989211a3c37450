"""Bodies x updates per second of every vehicle: one by one, over arrays, and compiled.

    python bench/batched.py [--sizes E ...] [--rounds R] [--seconds S] [--vehicles NAME ...]

- loop: one ``Body`` after the other, in plain Python (few of them: the rate does not depend on it)
- numpy, torch: ``BatchedVehicle`` in double precision; torch if it is installed, on the CPU
- compiled: the loop over bodies of the engine, one core

All bodies are of one kind with the default parameters and have commands of their own, which change
every 50 updates. Every round takes S seconds; printed is the fastest.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec

import numpy as np
from machine import describe
from rich.console import Console
from rich.progress import track

from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.vehicle_unit import (
    moving, states_at_rest, vehicle_rules
)
from soliton_encirclement_ros.swarm.memory import BODY_COLUMNS, CX, CZ
from velocity_mobility_ros.vehicles.batched.batched_vehicle import BatchedVehicle
from velocity_mobility_ros.vehicles.simulated_body import Body
from velocity_mobility_ros.vehicles.vehicle import VEHICLES

SIZES = (1, 10, 100, 1000, 10_000)
MOST_ALONE = 10
"""Bodies of the plain loop."""

PERIOD = 50
"""Updates between two commands."""

Fly = Callable[[np.ndarray], None]
"""Advances all bodies by ``PERIOD`` updates with commands (E, 3)."""


def loop(name: str, count: int) -> Fly:
    """Return the flight of bodies one by one."""
    bodies = [Body(VEHICLES[name].parameters(), start) for start in starts(count)]

    def fly(wishes: np.ndarray) -> None:
        for body, wish in zip(bodies, wishes.tolist(), strict=True):
            body.command(tuple(wish), 0.1)
        for _ in range(PERIOD):
            for body in bodies:
                body.step()

    return fly


def batch(name: str, count: int, library: str) -> Fly:
    """Return the flight of bodies over arrays."""
    kind = VEHICLES[name]
    bodies = BatchedVehicle(kind, kind.parameters(), starts(count), xp=library)

    def fly(wishes: np.ndarray) -> None:
        command = bodies.xp.array(wishes)
        for _ in range(PERIOD):
            bodies.step(command, 0.1)

    return fly


def machine_code(name: str, count: int) -> Fly:
    """Return the flight of bodies in compiled code."""
    parameters = [VEHICLES[name].parameters()] * count
    coefficients = vehicle_rules(parameters, plain=True).coefficients
    states = states_at_rest(parameters, starts(count), range(count))
    bodies, speeds = np.zeros((count, BODY_COLUMNS)), np.zeros((0, 0))
    move, dt = compiled(moving((VEHICLES[name],))), parameters[0].update_rate

    def fly(wishes: np.ndarray) -> None:
        bodies[:, CX : CZ + 1] = wishes
        move(coefficients, states, bodies, speeds, PERIOD, dt)

    return fly


def starts(count: int) -> list[tuple[float, float, float]]:
    """Return positions [m]."""
    return [(float(i), 0.0, 5.0) for i in range(count)]


WAYS: dict[str, Callable[[str, int], Fly]] = {
    'loop': loop,
    'numpy': lambda name, count: batch(name, count, 'numpy'),
    'torch': lambda name, count: batch(name, count, 'torch'),
    'compiled': machine_code,
}


def rate(fly: Fly, count: int, seconds: float, rounds: int) -> float:
    """Return the bodies x updates per second of the fastest round."""
    stream = np.random.default_rng(count)
    fly(stream.normal(0.0, 3.0, (count, 3)))
    found = 0.0
    for _ in range(rounds):
        flights, began, now = 0, time.perf_counter(), 0.0
        while not flights or now - began < seconds:
            fly(stream.normal(0.0, 3.0, (count, 3)))
            flights, now = flights + 1, time.perf_counter()
        found = max(found, flights * PERIOD * count / (now - began))
    return found


def rows(options: argparse.Namespace, ways: list[str]) -> Iterator[list[str]]:
    """Iterate over the cells of the table, row by row."""
    cases = [(name, count) for name in options.vehicles for count in options.sizes]
    screen = Console(stderr=True)
    for name, count in track(cases, 'flying', console=screen):
        cells = [name, f'{count:,}']
        for way in ways:
            number = min(count, MOST_ALONE) if way == 'loop' else count
            found = rate(WAYS[way](name, number), number, options.seconds, options.rounds)
            cells.append(f'{float(f"{found:.2g}"):,.0f}')
        yield cells


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--sizes', type=int, nargs='+', default=SIZES)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=float, default=0.5)
    parser.add_argument('--vehicles', nargs='+', default=list(VEHICLES), choices=list(VEHICLES))
    options = parser.parse_args()
    with_torch = find_spec('torch') is not None
    ways = [way for way in WAYS if way != 'torch' or with_torch]
    print(f'| vehicle | bodies | {" | ".join(ways)} |')
    print('| --- ' * (2 + len(ways)) + '|')
    for cells in rows(options, ways):
        print(f'| {" | ".join(cells)} |', flush=True)
    print(f'torch {version("torch")}, {describe()}' if with_torch else describe())


if __name__ == '__main__':
    sys.exit(main())
