"""Whether the law ``soliton`` ends on the even ring from anywhere, with saturation and failures.

    python bench/region_of_attraction.py [FLIGHTS] [--first SEED] [--below ERROR]
                                         [--set SECTION.KEY=VALUE ...]

Every flight draws 2 to 10 agents, one of ``STARTS`` and one of ``TARGETS``; in half of the flights
agents fail and return at random for a minute. Nothing keeps the agents apart, and their gains,
limits and lags are the defaults, unless set. A flight has settled when E_gap and E_r stay below
an error, 0.01, to its end: a minute after everybody can have caught up with the target. The time
until then counts from the start or from the last failure or return. Exits with 1 if a flight does
not settle.
"""

import argparse
import math
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import yaml
from machine import describe
from rich.progress import track

from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.forked_processes import make_forked_pool
from velocity_mobility_ros.vehicles.kinematic import KinematicState

FLIGHTS = 10_000
FIRST = 60_000
SETTLED = 0.01
"""E_gap and E_r below which a ring is even."""

RADIUS = 20.0
FARTHEST = 100.0
"""Distance of the farthest starts [m]: five times the radius."""

CALM, SHAKEN = 60.0, 60.0
"""Duration of a flight after all have caught up, and with failures, if there are any [s]."""

OUTAGES = 20.0
"""Outages per minute of the whole swarm, while agents fail."""

Draw = np.random.Generator
Places = np.ndarray


def anywhere(draw: Draw, count: int) -> Places:
    """Spread evenly over a disc."""
    return discs(draw, count, FARTHEST)


def in_one_place(draw: Draw, count: int) -> Places:
    """All at the same point."""
    return np.tile(discs(draw, 1, FARTHEST), (count, 1))


def on_one_side(draw: Draw, count: int) -> Places:
    """Within 5 m of a point."""
    return discs(draw, 1, FARTHEST) + discs(draw, count, 5.0)


def on_one_ray(draw: Draw, count: int) -> Places:
    """Behind each other, as seen from the target."""
    angle, away = draw.uniform(0.0, math.tau), draw.uniform(0.0, FARTHEST, count)
    return np.outer(away, (math.cos(angle), math.sin(angle)))


def at_the_target(draw: Draw, count: int) -> Places:
    """Within 1 m of the target."""
    return discs(draw, count, 1.0)


def bunched_on_the_ring(draw: Draw, count: int) -> Places:
    """On the ring, within a tenth of a radian."""
    angles = draw.uniform(0.0, math.tau) + draw.uniform(0.0, 0.1, count)
    return RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def discs(draw: Draw, count: int, radius: float) -> Places:
    """Return points spread evenly over a disc round the origin, shape (count, 2)."""
    away = radius * np.sqrt(draw.random(count))
    angles = draw.uniform(0.0, math.tau, count)
    return np.stack([away * np.cos(angles), away * np.sin(angles)], axis=1)


STARTS: dict[str, Callable[[Draw, int], Places]] = {
    'anywhere': anywhere,
    'in one place': in_one_place,
    'on one side': on_one_side,
    'on one ray': on_one_ray,
    'at the target': at_the_target,
    'bunched on the ring': bunched_on_the_ring,
}
TARGETS = {'stands': 0.0, '5 m/s': 5.0, '8 m/s': 8.0}
"""Speeds of targets that fly straight on [m/s]; vehicles fly 10."""


class Flown(NamedTuple):
    """What a flight was and what came of it; ``time`` [s] is infinite if it did not settle."""

    seed: int
    start: str
    target: str
    shaken: bool
    agents: int
    time: float
    e_gap: float
    e_r: float


def outages(draw: Draw, agents: int) -> str:
    """Return a schedule of random outages, each of half a second to 8 s."""
    windows = []
    for _ in range(draw.poisson(OUTAGES * SHAKEN / 60.0)):
        begin, length = draw.uniform(0.0, SHAKEN - 0.5), draw.uniform(0.5, 8.0)
        agent, end = draw.integers(1, agents + 1), min(begin + length, SHAKEN)
        windows.append(f'{begin:.2f}..{end:.2f}: {agent}')
    return '; '.join(windows)


def scenario_of(
    draw: Draw, agents: int, speed: float, shaken: bool, changes: Mapping[str, Any]
) -> Scenario:
    """Return the scenario of a flight.

    Args:
        draw: Random numbers.
        agents: Number of agents.
        speed: Speed of the target [m/s].
        shaken: Whether agents fail.
        changes: Values by section and key that are set besides.
    """
    behind = FARTHEST + speed * SHAKEN * shaken
    catching_up = behind / (Scenario().mobility.max_speed_xy - speed)
    duration = SHAKEN * shaken + catching_up + CALM
    known = {
        'control': {'controller': 'soliton'},
        'run': {'num_agents': agents, 'sim_duration': duration},
        'target': {
            'target_motion': 'constant', 'target_motion_speed_xy': speed,
            'target_motion_heading_deg': math.degrees(draw.uniform(-math.pi, math.pi)),
        },
        'failure': {
            'failure_enable': False, 'failure_schedule': outages(draw, agents) if shaken else '',
        },
        'adversary': {'adversary_enable': False},
        'safety': {'separation_filter': False},
        'radio': {'communication_transmission_range': 1e5},
    }  # fmt: skip
    changed = {key: {**known.get(key, {}), **values} for key, values in changes.items()}
    sections = {**known, **changed}
    return Scenario().with_changes(sections, 'a flight')


def fly(seed: int, changes: Mapping[str, Any], below: float = SETTLED) -> Flown:
    """Fly the flight of a seed; it has settled when its errors stay below a bound."""
    draw = np.random.default_rng(seed)
    agents, shaken = int(draw.integers(2, 11)), bool(draw.random() < 0.5)
    start, target = str(draw.choice([*STARTS])), str(draw.choice([*TARGETS]))
    scenario = scenario_of(draw, agents, TARGETS[target], shaken, changes)
    engine = Engine(scenario, telemetry=False)
    velocities = discs(draw, agents, scenario.mobility.max_speed_xy).tolist()
    places = STARTS[start](draw, agents).tolist()
    for k, (x, y), (vx, vy) in zip(scenario.agent_ids, places, velocities, strict=True):
        engine.place(uav(k), KinematicState((x, y, 0.0), (vx, vy, 0.0), 0.0, 0.0))
    engine.fly()
    series = {name: np.asarray(engine.seen.series[name]) for name in ('time', 'E_gap', 'E_r')}
    calm_from = max((event.time for event in engine.seen.events), default=0.0)
    time = settling_time(series, below) - calm_from
    end = float(series['E_gap'][-1]), float(series['E_r'][-1])
    return Flown(seed, start, target, shaken, agents, max(0.0, time), *end)


def settling_time(series: Mapping[str, np.ndarray], below: float) -> float:
    """Return the time [s] from which both errors stay small, infinite if there is none."""
    small = (series['E_gap'] < below) & (series['E_r'] < below)
    if not small[-1]:
        return math.inf
    large = np.flatnonzero(~small)
    return float(series['time'][large[-1]]) if large.size else 0.0


def rows(flights: Sequence[Flown]) -> Iterator[tuple[str, ...]]:
    """Iterate over the lines of the table."""
    yield '', 'flights', 'settled', 'time [s]: median', '99 %', 'longest', 'its seed'
    yield 'all', *figures(flights)
    for field, values in (('start', STARTS), ('target', TARGETS), ('shaken', (False, True)),
                          ('agents', range(2, 11))):  # fmt: skip
        for value in values:
            some = [flight for flight in flights if getattr(flight, field) == value]
            if some:
                yield f'{field}: {value}', *figures(some)


def figures(flights: Sequence[Flown]) -> tuple[str, ...]:
    """Return how many flights settled, and how long it took."""
    longest = max(flights, key=lambda flight: flight.time)
    times = sorted(flight.time for flight in flights)
    settled = sum(map(math.isfinite, times))
    shown = (statistics.median(times), times[math.ceil(0.99 * len(times)) - 1], longest.time)
    return (
        str(len(flights)), str(settled), *(f'{time:.1f}' for time in shown), str(longest.seed)
    )  # fmt: skip


def setting(text: str) -> tuple[str, str, Any]:
    """Return section, key and value of ``SECTION.KEY=VALUE``."""
    name, _, value = text.partition('=')
    section, _, key = name.partition('.')
    if not (section and key and value):
        raise argparse.ArgumentTypeError(f'{text!r} must be SECTION.KEY=VALUE')
    return section, key, yaml.safe_load(value)


def main(args: Sequence[str] | None = None) -> int:
    """Fly all, print the table and the flights that did not settle."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    shows = 'default: %(default)s'
    parser.add_argument('flights', nargs='?', type=int, default=FLIGHTS, help=shows)
    parser.add_argument('--first', type=int, default=FIRST, metavar='SEED', help=shows)
    parser.add_argument('--below', type=float, default=SETTLED, metavar='ERROR', help=shows)
    parser.add_argument(
        '--set', type=setting, action='append', default=[], dest='settings',
        metavar='SECTION.KEY=VALUE', help='a value of all scenarios',
    )  # fmt: skip
    given = parser.parse_args(args)
    changes: dict[str, dict[str, Any]] = {}
    for section, key, value in given.settings:
        changes.setdefault(section, {})[key] = value
    seeds = range(given.first, given.first + given.flights)
    fly_seed = partial(fly, changes=changes, below=given.below)
    with make_forked_pool() as pool:
        flights = [*track(pool.map(fly_seed, seeds), 'flying', len(seeds))]
    for row in rows(flights):
        print('| ' + ' | '.join(row) + ' |')
    lost = [fly_seed for fly_seed in flights if not math.isfinite(fly_seed.time)]
    for fly_seed in lost:
        print('not settled:', fly_seed)
    print(describe())
    return 1 if lost else 0


if __name__ == '__main__':
    sys.exit(main())
