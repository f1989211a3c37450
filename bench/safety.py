"""Time of one call of the separation filter, by Python and by compiled code.

    python bench/safety.py [CALLS] [--sizes 2 5 10 50] [--spacing 8]

Vehicles at random places that fly at random velocities; every call is another one's. They share
one table of bodies, as in the engine with a radio without loss. The last column is for ten of
them, with the others far away. Medians of seven rounds.
"""

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from machine import describe

from soliton_encirclement_ros.core.laws.filter_codes import NONE
from soliton_encirclement_ros.safety.filter import RESULT, filter_into
from soliton_encirclement_ros.safety.filter_records import (
    AGE, EMPTY, KIND, MUTUAL, SCRATCH_COLUMNS, SCRATCH_ROWS, SPAN, FilterSettings, OwnState, X
)
from soliton_encirclement_ros.safety.nearest_bodies import span_bound, span_of
from soliton_encirclement_ros.sim.compilation.call_graph import adopt
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from soliton_encirclement_ros.sim.compilation.numba_import import has_numba
from velocity_mobility_ros.core.velocity_model import MobilityParameters

ROUNDS = 7
NEAR, FAR = 10, 2000.0
"""So many vehicles are near each other, the others so far away [m], in the last column."""
SETTINGS = FilterSettings(MobilityParameters().limits)


def calls(settings, others, owns, wishes, fence, scratch, result, count):
    """Filter in turn for all vehicles; return how many commands changed."""
    changed = 0
    for k in range(count):
        i = k % len(owns)
        own, wish = owns[i], wishes[i]
        result[4] = 0.0
        state = OwnState((own[0], own[1], own[2]), (own[3], own[4], own[5]))
        wanted = (wish[0], wish[1], wish[2])
        others[i][KIND] = EMPTY
        reason = filter_into(settings, state, wanted, wanted, others, fence, scratch, result)
        others[i][KIND] = MUTUAL
        changed += reason != NONE
    return changed


adopt(calls)


def scene(size: int, spacing: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the vehicles as bodies, their states and their wanted velocities.

    Args:
        size: Number of vehicles.
        spacing: Square root of the area for each [m].
    """
    draw, side = random.Random(size), spacing * math.sqrt(size)
    owns, wishes = np.zeros((size, 6)), np.zeros((size, 3))
    for own, wish in zip(owns, wishes, strict=True):
        own[:2] = draw.uniform(0.0, side), draw.uniform(0.0, side)
        own[3:5] = draw.uniform(-4.0, 4.0), draw.uniform(-4.0, 4.0)
        wish[:2] = draw.uniform(-8.0, 8.0), draw.uniform(-8.0, 8.0)
    spans = span_bound(SETTINGS, SETTINGS.limits[2], SETTINGS.limits[4])
    others = np.zeros((size, SPAN + 1))
    others[:, :6], others[:, AGE], others[:, KIND] = owns, 0.05, MUTUAL
    others[:, SPAN] = [span_of(spans, row) for row in others]
    return others, owns, wishes


def ten_and_far(size: int, spacing: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ten vehicles, as ``scene``, and among the bodies further ones that are far away."""
    near, owns, wishes = scene(min(size, NEAR), spacing)
    others = scene(size, spacing)[0]
    others[:, X] += FAR
    others[: len(near)] = near
    return others, owns, wishes


def measure(call: Callable[..., int], arguments: tuple, count: int) -> tuple[float, int]:
    """Return the time of a call [us] and how many of them changed the command."""
    times, changed = [], 0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        changed = call(*arguments, count)
        times.append(time.perf_counter() - began)
    return 1e6 * statistics.median(times) / count, changed


def main() -> int:
    """Print the table; return 1 if compiled code changes other commands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('calls', nargs='?', type=int, default=1000)
    parser.add_argument('--sizes', type=int, nargs='+', default=[2, 5, 10, 20, 50, 100])
    parser.add_argument('--spacing', type=float, default=8.0, help='mean spacing [m]')
    options, same = parser.parse_args(), True
    print('| vehicles | commands changed | Python [us] | compiled [us] | ten near ones [us] |')
    print('| --- | --- | --- | --- | --- |')
    for size in options.sizes:
        others, owns, wishes = scene(size, options.spacing)
        scratch, fence = np.zeros((SCRATCH_ROWS, SCRATCH_COLUMNS)), np.zeros((0, 4))
        lists = tuple(array.tolist() for array in (others, owns, wishes, fence, scratch))
        plain, changed = measure(calls, (SETTINGS, *lists, [0.0] * RESULT), options.calls)
        cell = '- | -'
        if has_numba():
            rest = fence, scratch, np.zeros(RESULT)
            arrays = (SETTINGS, others, owns, wishes, *rest)
            compiled(calls)(*arrays, 1)
            same &= compiled(calls)(*arrays, options.calls) == changed
            far = (SETTINGS, *ten_and_far(size, options.spacing), *rest)
            both = [measure(compiled(calls), one, 20 * options.calls)[0] for one in (arrays, far)]
            cell = ' | '.join(f'{time:.2f}' for time in both)
        share = 100.0 * changed / options.calls
        print(f'| {size} | {share:.0f} % | {plain:.1f} | {cell} |', flush=True)
    print(f'\n{describe()}')
    return 0 if same else 1


if __name__ == '__main__':
    sys.exit(main())
