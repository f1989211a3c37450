"""Whether vehicles of the whole package keep their distance, and what that costs.

    python bench/separation.py [--flights 1000] [--seeds 20] [--vehicles lag_1 x500]
    python bench/separation.py --picture separation.png       # a swap of four, and nothing else

Ten agents fly from random starts to random goals (a third each: crossing, head-on, clustered), by
the engine: agents, messages, radio, failures and vehicles. The first of these flights are flown
without the filter, too. Then symmetric swaps through the centre, and included scenarios. Returns 1
if two agents come below 1 m with the filter, except in ``partition``, where halves of the swarm do
not hear each other; if a command exceeds a limit, or a number is not finite.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from machine import describe
from rich.console import Console
from rich.progress import track
from separation_parts.flights import Outcome, flown
from separation_parts.picture import draw
from separation_parts.scenes import KINDS, on_ways, scenario, swap

from soliton_encirclement_ros.core.scenario.scenario import load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario

AGENTS = 10
SECONDS = 25.0
SWAP_SECONDS = 60.0
SWAPS = (2, 3, 4, 6, 8, 12, 16)
FIRST_SEED = 9500
FIELD = 'field_multirotor'
FILES = ('x500', 'iris', 'hummingbird', 'crazyflie_2', FIELD)
VEHICLES: dict[str, dict[str, Any]] = {
    'lag_1': {},
    'lag_0.2': {'tau_xy': 0.2, 'tau_z': 0.2},
    **{name: {'vehicle_file': name} for name in FILES},
}
LOSSY = {'communication_failure_rate': 0.3, 'communication_delay': 0.1, 'clock_offset': 0.01}
INCLUDED = ('failures', 'demo', 'late_joiners', 'partition', 'crowd')


class Case(NamedTuple):
    """How agents fly: how many die, and whether radio and clocks are bad."""

    name: str
    dies: int = 0
    lossy: bool = False


CASES = (
    Case('prompt radio'),
    Case('3 of 10 die', 3),
    Case('30 % loss, 100 ms, clocks 10 ms', 0, True),
    Case('the same, 3 of 10 die', 3, True),
)


def sections(vehicle: str, lossy: bool, is_on: bool) -> dict[str, Any]:
    """Return the sections of a scenario."""
    safety: dict[str, Any] = {'separation_filter': is_on}
    if is_on and lossy:
        safety['silent_flight_time'] = 0.25  # four messages lost before the death
    if is_on and vehicle == FIELD:
        safety['position_noise'] = 0.5  # as in scenario field
    radio = LOSSY if lossy else {}
    return {'mobility': VEHICLES[vehicle], 'radio': radio, 'safety': safety}


def crossing(vehicle: str, case: Case, k: int, is_on: bool) -> Outcome:
    """Fly one of the random flights."""
    seed = FIRST_SEED + k
    kind = list(KINDS.values())[k % len(KINDS)]
    ways = kind(np.random.default_rng(seed), AGENTS)
    base = scenario(AGENTS, SECONDS, sections(vehicle, case.lossy, is_on), case.dies, seed)
    return flown(on_ways(base, ways), ways)


def swapping(vehicle: str, n: int, is_on: bool) -> Outcome:
    """Fly a symmetric swap."""
    ways = swap(n)
    base = scenario(n, SWAP_SECONDS, sections(vehicle, False, is_on), 0, FIRST_SEED)
    return flown(on_ways(base, ways), ways)


def included(name: str, seed: int, is_on: bool) -> Outcome:
    """Fly an included scenario."""
    changes = {'run': {'seed': seed}, 'safety': {'separation_filter': is_on}}
    return flown(load_scenario(find_scenario(name)).with_changes(changes, 'bench'))


def shown(things: Iterable[Any], what: str) -> Iterable[Any]:
    """Return an iterable that shows its progress."""
    return track(list(things), what, console=Console(stderr=True), transient=True)


def random_rows(
    vehicles: Sequence[str], flights: int, without: int, seen: list[Outcome]
) -> Iterator[list[str]]:
    """Iterate over the table of random flights."""
    yield ['vehicle, case', 'smallest [m]', 'below 1.8 m', 'below 1 m', 'arrived',
           'median arrival', 'without: smallest', 'below 1 m', 'median arrival']  # fmt: skip
    for vehicle in vehicles:
        for case in CASES:
            name = f'{vehicle}, {case.name}'
            on = [crossing(vehicle, case, k, True) for k in shown(range(flights), name)]
            off = [crossing(vehicle, case, k, False) for k in shown(range(without), name)]
            seen += on
            low, free = (np.array([flight.least for flight in side]) for side in (on, off))
            when = np.concatenate([flight.arrivals for flight in on])
            alone = np.concatenate([flight.arrivals for flight in off])
            there = np.isfinite(when)
            distances = [f'{low.min():.2f}', str((low < 1.8).sum()), str((low < 1.0).sum())]
            times = [f'{100.0 * there.mean():.1f} %', f'{np.median(when[there]):.1f} s']
            below = f'{(free < 1.0).sum()} of {without}'
            bare = [f'{free.min():.3f}', below, f'{np.median(alone):.1f} s']
            yield [name, *distances, *times, *bare]


def swap_rows(vehicles: Sequence[str], seen: list[Outcome]) -> Iterator[list[str]]:
    """Iterate over the table of swaps: smallest distance [m], slowest arrival by that alone."""
    yield ['swap of', *vehicles]
    for n in shown(SWAPS, 'swaps'):
        cells = []
        for vehicle in vehicles:
            on, off = swapping(vehicle, n, True), swapping(vehicle, n, False)
            seen.append(on)
            cells.append(f'{on.least:.2f} m, {max(on.arrivals) / max(off.arrivals):.2f}')
        yield [str(n), *cells]


def scenario_rows(names: Sequence[str], seeds: int, seen: list[Outcome]) -> Iterator[list[str]]:
    """Iterate over the table of included scenarios."""
    yield ['scenario', 'smallest [m]', 'below 1 m', 'E_r', 'E_gap', 'without: smallest',
           'below 1 m', 'E_r', 'E_gap', 'change of E_r, E_gap']  # fmt: skip
    for name in names:
        runs = range(FIRST_SEED, FIRST_SEED + seeds)
        pairs = [(included(name, k, True), included(name, k, False)) for k in shown(runs, name)]
        row, averages = [name], []
        for flights in zip(*pairs, strict=True):
            errors = np.mean([outcome.errors for outcome in flights], axis=0)
            averages.append(errors)
            least = min(outcome.least for outcome in flights)
            row += [f'{least:.2f}', str(sum(outcome.events for outcome in flights))]
            row += [f'{error:.4f}' for error in errors]
        if name != 'partition':  # two halves that hear nothing of each other
            seen += [on for on, _ in pairs]
        change = 100.0 * (averages[0] / averages[1] - 1.0)
        yield [*row, f'{change[0]:+.1f} %, {change[1]:+.1f} %']


def show(rows: Iterator[list[str]]) -> None:
    """Print a table as it grows."""
    for k, row in enumerate(rows):
        print('| ' + ' | '.join(row) + ' |', flush=True)
        if k == 0:
            print('|' + ' --- |' * len(row), flush=True)
    print(flush=True)


def main() -> int:
    """Print the tables; return 1 if something is wrong with the filter."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--flights', type=int, default=1000, help='random flights of each case')
    parser.add_argument('--without', type=int, default=200, help='how many without the filter')
    parser.add_argument('--seeds', type=int, default=20, help='flights of an included scenario')
    parser.add_argument('--vehicles', nargs='+', choices=VEHICLES, default=list(VEHICLES)[:3])
    parser.add_argument('--scenarios', nargs='*', choices=INCLUDED, default=INCLUDED)
    parser.add_argument('--no-swaps', action='store_true', help='leave the swaps out')
    parser.add_argument('--picture', type=Path, help='draw a swap of four, and nothing else')
    options, seen = parser.parse_args(), []
    if options.picture:
        draw(options.picture)
        return 0
    if options.flights > 0:
        without = min(options.flights, options.without)
        show(random_rows(options.vehicles, options.flights, without, seen))
    if not options.no_swaps:
        show(swap_rows(options.vehicles, seen))
    if options.scenarios:
        show(scenario_rows(options.scenarios, options.seeds, seen))
    beyond = sum(outcome.beyond for outcome in seen)
    infinite = sum(outcome.infinite for outcome in seen)
    close = sum(outcome.least < 1.0 for outcome in seen)
    print(f'{len(seen)} flights with the filter: {close} below 1 m, {beyond} commands beyond the '
          f'limits, {infinite} numbers not finite\n\n{describe()}')  # fmt: skip
    return 1 if close or beyond or infinite else 0


if __name__ == '__main__':
    sys.exit(main())
