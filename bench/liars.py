"""One liar among ten agents of every kind, and whether honest agents are taken for liars.

    python bench/liars.py [--seeds 20] [--first 8000] [--honest 1000] [--loss 0.3] [--from 20]

Ten px4_x500 fly round a target of 1.5 m/s, by the engine. From a time on one of them lies to all
others, but flies on honestly. Printed are, over the seeds: when it was named first and by all,
honest agents that were named, the least true distance of two honest agents and of the liar to one
of them, each after the lie began, and E_gap of the honest ones alone from 10 s after that time on.
The row ``none`` is without a liar. Then honest flights of 60 s, of which a fifth has each of the
settings in ``HONEST``. Returns 1 if a liar is named after more than 2 s, a mean of E_gap is 0.15
or more, honest agents are named beside a liar, or more than one without any.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from machine import describe
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from soliton_encirclement_ros.core.ring.metrics import gap_figures
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.chunk import Chunk, places
from soliton_encirclement_ros.sim.engine import Engine
from soliton_encirclement_ros.sim.forked_processes import make_forked_pool

AGENTS, LIAR, ABSENT = 10, 3, 10
KINDS = {
    'frozen': 'frozen',
    'offset': 'offset 5 -3',
    'teleporting': 'random 8',
    'mirrored': 'mirrored',
    'sybil': f'sybil {ABSENT}',
    'repeats another': 'repeat 7',
}
SECONDS, SETTLED = 60.0, 10.0
NOISE = {
    'position_noise_xy': 0.3, 'velocity_noise_xy': 0.1, 'position_drift_xy': 0.5,
    'dropouts_per_min': 6.0, 'odom_latency': 0.05,
}  # fmt: skip
HONEST: dict[str, dict[str, dict[str, Any]]] = {
    'as above': {},
    'failures': {'failure': {'failure_enable': True, 'failure_mean_failures_per_min': 2.0}},
    'noise': {'mobility': NOISE},
    'delay, clocks': {'radio': {
        'communication_delay': 0.1, 'communication_jitter': 0.05, 'clock_offset': 0.02}},
    'fast target': {'target': {'target_motion_speed_xy': 4.0}},
}  # fmt: skip
Floats = NDArray[np.float64]


class Flight(NamedTuple):
    """What came of a flight.

    Attributes:
        named: Time from the lie until the liar was named first [s], infinite for never.
        by_all: Until it was named last [s].
        honest: Honest agents that were named.
        apart: Least distance of two honest agents after the lie began [m].
        liar: Least distance of the liar to an honest agent [m].
        gap: Mean of E_gap of the honest agents from SETTLED s after the lie on.
        worst: Its largest value.
    """

    named: float
    by_all: float
    honest: tuple[int, ...]
    apart: float
    liar: float
    gap: float
    worst: float


def scenario(seed: int, loss: float, changes: dict[str, dict[str, Any]]) -> Scenario:
    """Return a flight of ten agents without failures, with changes of its sections."""
    sections: dict[str, dict[str, Any]] = {
        'run': {'num_agents': AGENTS, 'sim_duration': SECONDS, 'seed': seed},
        'mobility': {'vehicle_file': 'px4_x500'},
        'target': {'target_motion_speed_xy': 1.5},
        'failure': {'failure_enable': False},
        'radio': {'communication_failure_rate': loss},
    }
    for section, values in changes.items():
        sections[section] = {**sections.get(section, {}), **values}
    return Scenario().with_changes(sections, 'bench')


def fly(flown: Scenario, liar: int, begin: float, out: Sequence[int] = ()) -> Flight:
    """Fly a scenario and judge it.

    Args:
        flown: The scenario.
        liar: Number of the liar, 0: none.
        begin: When it begins to lie [s].
        out: Numbers of agents that are never up.
    """
    engine, chunks = Engine(flown), []
    engine.on_chunk = lambda chunk: chunks.append(Chunk(*map(np.array, chunk)))
    engine.fly()
    agents, target, _ = zip(*map(places, chunks), strict=True)
    times = np.concatenate([chunk.times for chunk in chunks])
    there = np.concatenate(agents)[:, :, :3] - np.concatenate(target)[:, None, :3]
    flat, after = there[:, :, :2], times >= begin
    is_honest = np.array([k + 1 not in (liar, *out) for k in range(AGENTS)])
    honest, lied = flat[after][:, is_honest], flat[after][:, max(liar, 1) - 1]
    first, second = np.triu_indices(honest.shape[1], 1)
    apart = np.linalg.norm(honest[:, first] - honest[:, second], axis=2)
    to_liar = np.linalg.norm(honest - lied[:, None], axis=2) if liar else np.array([np.inf])
    gaps = [*map(e_gap, flat[times >= begin + SETTLED][:, is_honest])]
    seen = {named.agent_id: named for named in engine.seen.named}
    accused = out[0] if out else liar
    found = seen.pop(accused, None)
    return Flight(
        found.time - begin if found else np.inf, found.last - begin if found else np.inf,
        tuple(seen), apart.min(), to_liar.min(), float(np.mean(gaps)), max(gaps),
    )  # fmt: skip


def e_gap(places_of_ring: Floats) -> float:
    """Return E_gap of some agents round the target, at their true places."""
    thetas = sorted(np.arctan2(places_of_ring[:, 1], places_of_ring[:, 0]).tolist())
    return gap_figures(thetas, [1.0] * len(thetas))[1]


def lie(job: tuple[str, int, float, float]) -> Flight:
    """Fly with a liar of a kind, from a seed, with a loss, from a time [s] on."""
    kind, seed, loss, begin = job
    changes: dict[str, dict[str, Any]] = {}
    if kind in KINDS:
        changes['radio'] = {'byzantine': f'{begin}..: {LIAR} {KINDS[kind]}'}
    is_sybil = kind == 'sybil'
    if is_sybil:
        changes['failure'] = {'failure_schedule': f'0..: {ABSENT}'}
        changes['safety'] = {'roster_size': AGENTS - 1}
    liar = LIAR if kind in KINDS and not is_sybil else 0
    return fly(scenario(seed, loss, changes), liar, begin, (ABSENT,) if is_sybil else ())


def be_honest(job: tuple[str, int, float]) -> Flight:
    """Fly without a liar with the settings of a name, from a seed, with a loss."""
    name, seed, loss = job
    return fly(scenario(seed, loss, HONEST[name]), 0, 0.0)


def row_of(name: str, flights: Sequence[Flight]) -> str:
    """Return the line of a table on some flights of one kind."""
    named, by_all = (max(getattr(each, key) for each in flights) for key in ('named', 'by_all'))
    return (
        f'| {name} | {named:.2f}, {by_all:.2f} | {sum(len(each.honest) for each in flights)} '
        f'| {min(each.apart for each in flights):.2f} | {min(each.liar for each in flights):.2f} '
        f'| {np.mean([each.gap for each in flights]):.3f} '
        f'| {max(each.gap for each in flights):.3f} | {max(each.worst for each in flights):.3f} |'
    )


def main() -> int:
    """Print the tables; return 1 if a bound of lies in flight is broken."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--seeds', type=int, default=20)
    parser.add_argument('--first', type=int, default=8000, help='the first seed')
    parser.add_argument('--honest', type=int, default=1000, help='flights without a liar')
    parser.add_argument('--loss', type=float, default=0.3)
    parser.add_argument('--from', type=float, default=20.0, dest='begin', metavar='SECONDS')
    parser.add_argument('--processes', type=int, default=0, help='0: as many as cores')
    asked, console = parser.parse_args(), Console(stderr=True)
    seeds, broken = range(asked.first, asked.first + asked.seeds), 0
    with make_forked_pool(asked.processes) as pool:
        if asked.seeds:
            print('| liar | named first, last [s] | honest named | honest apart [m] | liar apart '
                  '[m] | E_gap | of the worst seed | at its worst |')  # fmt: skip
            print('| --- ' * 8 + '|')
        for kind in ('none', *KINDS) if asked.seeds else ():
            jobs = [(kind, seed, asked.loss, asked.begin) for seed in seeds]
            flights = [*track(pool.map(lie, jobs), kind, len(jobs), console=console)]
            print(row_of(kind, flights), flush=True)
            for each in flights if kind != 'none' and asked.begin > 0.0 else ():
                broken += each.named > 2.0 or each.gap >= 0.15 or len(each.honest) > 0
        jobs = [
            ([*HONEST][k % len(HONEST)], asked.first + 1000 + k, asked.loss)
            for k in range(asked.honest)
        ]
        flown = [*track(pool.map(be_honest, jobs), 'honest', len(jobs), console=console)]
    for name in HONEST if flown else ():
        own = [each for job, each in zip(jobs, flown, strict=True) if job[0] == name]
        print(f'{len(own)} honest flights, {name}: {sum(len(each.honest) for each in own)} named, '
              f'nearest {min(each.apart for each in own):.2f} m')  # fmt: skip
    broken += sum(len(each.honest) for each in flown) > 1
    print(f'\n{describe()}')
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(main())
