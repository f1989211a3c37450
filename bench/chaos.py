"""A swarm of ten ROS nodes on three computers, and a random fault every five seconds.

    python bench/chaos.py MINUTES [--seed N] [--agents N] [--kinds KIND ...] [--out FOLDER]
                          [--px4] [--shared-memory] [--mutant NODE=MISTAKE]
    python bench/chaos.py --scene calm|lossy|partition|mistakes [--mutant NODE=MISTAKE]
    python bench/chaos.py --replay RECORD
    python bench/chaos.py --shrink RECORD
    python bench/chaos.py --list

Flies the nodes as a user starts them, in network namespaces that a seeded relay joins (root is
needed), and watches the vehicles from outside. Prints each fault as it comes, and a verdict; the
faults and what they broke land in record.json. ``--replay`` flies the faults of a record
again, ``--shrink`` looks for the shortest list of them that still breaks what was broken first,
and leaves it in shortest.json.
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import velocity_mobility_ros  # noqa: F401  before the folder of its tests, which has its name

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test'))

from chaos_parts import px4_swarm
from chaos_parts.faults import (
    KINDS, SCENES, Fault, Targets, draw_faults, from_record, table_of_kinds, to_record
)
from chaos_parts.flight import NotFlownError, Options, Result, fly
from chaos_parts.invariants import by_invariant
from chaos_parts.mutants import MUTANTS
from chaos_parts.shrink import shrink
from chaos_parts.swarm import ADVERSARY, HOSTS, OBSERVERS, TARGET

from soliton_encirclement_ros.cli.output import say

AGENTS = 10
NEARNESS = {'separation', 'collision'}
"""Invariants of the same kind: vehicles too near to each other, and much too near."""

LEAD = 2.0
"""Time before the first fault when faults are flown again without those before them [s]."""


def drawn_faults(asked: argparse.Namespace) -> list[Fault]:
    """Return the faults of a run by its seed."""
    if asked.scene:
        return SCENES[asked.scene]
    agents = [f'uav_{k}' for k in range(1, asked.agents + 1)]
    others = map(px4_swarm.bridge_of, agents) if asked.px4 else [ADVERSARY]
    targets = Targets(agents, [*agents, *others, TARGET, *OBSERVERS], HOSTS)
    return draw_faults(asked.seed, 60.0 * asked.minutes, targets, asked.kinds)


def options_of(asked: argparse.Namespace, folder: Path) -> Options:
    """Return the options of a flight."""
    mutants = dict(word.split('=', 1) for word in asked.mutant)
    shared = asked.shared_memory
    return Options(asked.agents, asked.seed, folder, mutants, shared, say, asked.px4)


def show(result: Result, asked: argparse.Namespace) -> int:
    """Print the verdict, keep the record, and return the exit code."""
    record = {
        'agents': asked.agents, 'px4': asked.px4, 'seed': asked.seed, 'minutes': asked.minutes,
        'mutant': asked.mutant, **result.record(),
    }  # fmt: skip
    path = asked.out / 'record.json'
    path.write_text(json.dumps(record, indent=1))
    for line in result.explained:
        say(f'explained: {line}')
    for breach in result.breaches[:40]:
        say(f'BREACH {breach.invariant} at {breach.at:.1f} s, {breach.who}: {breach.text}')
    counts = {kind: sum(one.kind == kind for one in result.faults) for kind in KINDS}
    say('faults: ' + ', '.join(f'{kind} {n}' for kind, n in counts.items() if n))
    say(json.dumps(result.figures))
    broken = ', '.join(f'{name} {n}' for name, n in by_invariant(result.breaches).items())
    verdict = f'broken: {broken}' if broken else 'every invariant holds'
    say(f'{len(result.faults)} faults, seed {asked.seed}: {verdict}; {path}')
    return 1 if broken else 0


def moved(faults: Sequence[Fault]) -> list[Fault]:
    """Return faults without the time before the first and between those far from each other."""
    result: list[Fault] = []
    shift, end = 0.0, -LEAD
    for fault in sorted(faults, key=lambda one: one.at):
        pause = fault.at - shift - end
        if pause > 30.0 or not result:
            shift += pause - (30.0 if result else LEAD * 2)
        result.append(Fault(**{**fault.__dict__, 'at': fault.at - shift}))
        end = max(end, result[-1].end)
    return result


def find_shortest(record: dict, asked: argparse.Namespace) -> list[Fault]:
    """Return the shortest list of faults of a record that breaks what it broke first.

    Whatever else a flight breaks may be the work of a slow machine, and does not count.

    Raises:
        NotFlownError: Nothing is broken in the record.
    """
    if not record['breaches']:
        raise NotFlownError(f'{asked.shrink}: nothing is broken in it')
    first = min(record['breaches'], key=lambda breach: breach['at'])['invariant']
    wanted = NEARNESS if first in NEARNESS else {first}

    def fails(faults: Sequence[Fault]) -> bool:
        say(f'--- {len(faults)} faults: {"; ".join(map(str, faults))}')
        for _ in range(asked.tries):
            try:
                result = fly(moved(faults), options_of(asked, asked.out / 'flight'))
            except NotFlownError as error:
                say(f'--- not flown: {error}')
                continue
            broken = by_invariant(result.breaches)
            if wanted & set(broken):
                say(f'--- still broken: {broken}')
                return True
        say(f'--- not broken: {first}')
        return False

    return shrink([from_record(one) for one in record['faults']], fails)


def parse(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('minutes', type=float, nargs='?', default=2.0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--agents', type=int, default=0, help=f'{AGENTS}, with PX4 '
                        f'{px4_swarm.AGENTS}')
    parser.add_argument('--px4', action='store_true',
                        help='fly emulated PX4s with their bridges, by an operator')
    parser.add_argument('--kinds', nargs='+', choices=KINDS, default=list(KINDS))
    parser.add_argument('--out', type=Path, default=Path('runs/chaos'))
    parser.add_argument('--mutant', action='append', default=[], metavar='NODE=MISTAKE',
                        help=f'a mistake of a node, or of all agents: {", ".join(MUTANTS)}')
    parser.add_argument('--scene', choices=SCENES, help='fly these faults instead of drawn ones')
    parser.add_argument('--shared-memory', action='store_true',
                        help='let nodes of a computer use it, as by default')
    parser.add_argument('--replay', type=Path, metavar='RECORD')
    parser.add_argument('--shrink', type=Path, metavar='RECORD')
    parser.add_argument('--tries', type=int, default=2, help='flights of each shorter list')
    parser.add_argument('--list', action='store_true', help='print the kinds of faults')
    asked = parser.parse_args(words)
    asked.agents = asked.agents or (px4_swarm.AGENTS if asked.px4 else AGENTS)
    return asked


def main() -> int:
    """Fly; return 0 if every invariant holds, 1 if not, 2 if it cannot be flown."""
    asked = parse()
    if asked.list:
        say(table_of_kinds())
        return 0
    if os.geteuid() != 0:
        print('error: network namespaces need root: run it as root', file=sys.stderr)
        return 2
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell has them ignored
        signal.signal(number, signal.default_int_handler)
    asked.out = asked.out.resolve()
    try:
        if path := asked.replay or asked.shrink:
            record = json.loads(path.read_text())
            asked.agents, asked.seed = record['agents'], record['seed']
            asked.px4 = record['px4']
            asked.mutant, asked.minutes = record['mutant'], record['minutes']
            if asked.shrink:
                faults = find_shortest(record, asked)
                shortest = asked.out / 'shortest.json'
                shortest.write_text(json.dumps({
                    **record, 'faults': [to_record(fault) for fault in moved(faults)],
                    'breaches': [],
                }, indent=1))  # fmt: skip
                say(f'shortest: {"; ".join(map(str, faults)) or "no fault"}; {shortest}')
                return 1
            faults = [from_record(one) for one in record['faults']]
        else:
            faults = drawn_faults(asked)
        return show(fly(faults, options_of(asked, asked.out)), asked)
    except NotFlownError as error:
        print(f'error: {error}', file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == '__main__':
    sys.exit(main())
