"""How well a fit finds planted parameters, how often its intervals hold them, how long it takes.

    python bench/fit.py [REPEATS] [--agents N]

Odometry with 0.05 m/s and 0.02 m of noise, commands at 20 Hz, 60 s. Coverage: a manoeuvre with
steps, another every time, one agent, odometry at 50 Hz, 42 s fitted.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from machine import describe
from rich.progress import track

from soliton_encirclement_ros.analysis.fit import Fit, fit, roll_out
from soliton_encirclement_ros.analysis.recording import Member
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from velocity_mobility_ros.core.velocity_model import MobilityParameters

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test'))

from support.recorded.planted import PLANTED, QUAD, constant, encirclement, flight, noisy, steps

DELAY = 0.12
PULLED = {'white noise': 0.0, 'noise that remembers 0.1 s': 0.82}
LEAST = 85
"""So many of 100 intervals must hold the planted value."""

LARGEST = 0.03
"""Largest error of a recovered value."""


def cases(agents: int) -> Mapping[str, tuple[Sequence[Member], MobilityParameters, float]]:
    """Return flights by name, each with what was planted: parameters, and delay [s]."""
    chance = np.random.default_rng(2)
    default = MobilityParameters()

    def planted(mobility: MobilityParameters, count: int, rate: float, delay: float) -> list:
        return [
            noisy(flight(steps(chance), mobility, rate, delay, f'uav_{k + 1}'), chance)
            for k in range(count)
        ]

    ringed = [noisy(one, chance) for one in encirclement(agents=agents)]
    return {
        f'encirclement, {agents} agents, 20 Hz': (ringed, QUAD, 0.0),
        'steps, 1 agent, 20 Hz': (planted(QUAD, 1, 20.0, 0.0), QUAD, 0.0),
        'steps, 1 agent, 50 Hz': (planted(QUAD, 1, 50.0, DELAY), QUAD, DELAY),
        'steps, 1 agent, 100 Hz': (planted(default, 1, 100.0, DELAY), default, DELAY),
        f'steps, {agents} agents, 100 Hz': (planted(QUAD, agents, 100.0, DELAY), QUAD, DELAY),
        'steps below 0.6 m/s': ([noisy(flight(steps(chance, xy=0.6, z=0.3)), chance)], QUAD, 0.0),
        'hovering': ([noisy(flight(constant(0.0, 0.0, 0.0)), chance)], QUAD, 0.0),
    }


def row(name: str, found: Fit, mobility: MobilityParameters, delay: float, took: float) -> list:
    """Return the cells of a case: errors in percent, the delay's in milliseconds."""
    cells = []
    for key in PLANTED:
        one = found.estimates[key]
        error = 100.0 * (one.value / getattr(mobility, key) - 1.0) if one.value else 0.0
        cells.append(f'{error:+.2f}' if one.known else '-')
    one = found.estimates['delay']
    cells.append(f'{1000.0 * (one.value - delay):+.1f}' if one.known else '-')
    rms = f'{found.validation.xy:.4f}, {found.validation.z:.4f}'
    return [name, *cells, rms, f'{took:.1f}']


def recover(agents: int) -> bool:
    """Print the errors of every case; return whether all are small enough."""
    fly, small = compiled(roll_out), True
    print_row(['flight', *[f'{name} [%]' for name in PLANTED], 'delay [ms]', 'RMS [m/s]', 's'])
    print_row(['---'] * (len(PLANTED) + 4))
    for name, (members, mobility, delay) in cases(agents).items():
        began = time.perf_counter()
        found = fit(members, fly=fly)
        print_row(row(name, found, mobility, delay, time.perf_counter() - began))
        for key in PLANTED:
            one = found.estimates[key]
            if name.startswith(('steps, ', 'encirclement')) and one.known and one.value:
                small &= abs(one.value / getattr(mobility, key) - 1.0) <= LARGEST
    return small


def cover(repeats: int) -> bool:
    """Print how often each interval held the planted value; return whether often enough."""
    fly, enough = compiled(roll_out), True
    truth = {**{key: getattr(QUAD, key) for key in PLANTED}, 'delay': DELAY}
    print_row(['inside, of ' + str(repeats), *truth])
    print_row(['---'] * (len(truth) + 1))
    for name, memory in PULLED.items():
        inside = dict.fromkeys(truth, 0)
        for seed in track(range(repeats), name):
            chance = np.random.default_rng(seed)
            member = noisy(flight(steps(chance), delay=DELAY), chance, memory=memory)
            found = fit([member], fly=fly).estimates
            for key, value in truth.items():
                one = found[key]
                inside[key] += one.low is not None and one.low <= value <= one.high
        print_row([name, *map(str, inside.values())])
        enough &= all(100 * count >= LEAST * repeats for count in inside.values())
    return enough


def print_row(cells: Sequence[str]) -> None:
    """Print one row of a table."""
    print('| ' + ' | '.join(cells) + ' |', flush=True)


def main() -> int:
    """Print both tables; return 1 if an error is too large or an interval too narrow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('repeats', nargs='?', type=int, default=100)
    parser.add_argument('--agents', type=int, default=10)
    options = parser.parse_args()
    small = recover(options.agents)
    print()
    enough = cover(options.repeats)
    print()
    print(describe())
    return 0 if small and enough else 1


if __name__ == '__main__':
    sys.exit(main())
