"""How many agent-ticks per second the compiled engine flies, beside others.

    python bench/engine.py [--plot FILE] [--sizes N ...] [--laws LAW ...] [--rounds R] [--share S]

An agent-tick is one agent through one control tick: it receives all others, decides, sends, and
its body moves five times. The scenario is ``failures`` at 20 ticks per second; every agent's
telemetry is recorded at 10 Hz. Nothing keeps the agents apart, as in the
originals, except in the column ``filtered``: the first law with the separation filter, on a ring
that is large enough. A table for ten agents has all laws with the filter, and with the sensors and
latencies of docs/how_to/sensing.md. Every number is the median of some rounds, each in a
process of its own; all cases take turns, so that a busy spell of the machine hits all of them.

Compared with: the same tick in plain Python, as a node flies it; gradysim from PyPI with its own
mobility handler and protocols that do nothing (five mobility updates count as one agent-tick),
once idle and once telling every node its position at every control tick; and the original
experiment, whose author published what comes to 1,400 agent-ticks per second with ten agents.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from engine_parts.cases import CLOCKS, SENSED, Case, Outcome, measure, together
from engine_parts.plot import ORIGINAL, ORIGINAL_AGENTS, Found, draw
from machine import describe
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, OUR_NAMES, PREDICTIVE
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario

SIZES = (1, 3, 10, 30, 100, 300, 1000, 3000, 10000)
ROUNDS = 3

WORK = {'engine': 2_000_000, 'filtered': 1_000_000, SENSED: 500_000, CLOCKS: 500_000,
        'parquet': 1_000_000, 'csv': 1_000_000, 'every tick': 500_000, 'by repr': 100_000,
        'loop': 6000, 'gradysim': 100_000}  # fmt: skip
"""Agent-ticks of a round, for half a second to a second."""

LARGEST = {'loop': 100, 'gradysim': 1000, 'filtered': 1000}
"""Beyond that they take too long."""

UPDATES = Scenario().substeps
"""Mobility updates of an agent-tick."""

OURS = OUR_NAMES[0]
PEERS = (('loop', OURS), ('gradysim', 'telemetry'), ('gradysim', 'idle'))
FILTERED = ('filtered', OURS)
FILES = {
    'parquet': 'written as parquet',
    'csv': 'written as csv',
    'every tick': 'every tick written as csv',
    'by repr': "the same, printed by Python's repr",
}

SENSORS = {SENSED: 'and all of docs/how_to/sensing.md but clocks', CLOCKS: 'and wrong clocks'}

Row = Sequence[str]


def cases_of(sizes: Iterable[int], laws: Iterable[str], share: float) -> list[Case]:
    """Return what is measured; what is compared comes one after the other."""
    wanted = []
    for agents in sizes:
        peers = [peer for peer in (*PEERS, FILTERED) if agents <= LARGEST[peer[0]]]
        wanted += [(*each, agents) for each in (*peers, *(('engine', law) for law in laws))]
        if agents == ORIGINAL_AGENTS:
            kinds = (*FILES, 'filtered', *SENSORS)
            wanted += [(kind, law, agents) for law in laws for kind in kinds]
    return [
        Case(*each, max(1, round(share * WORK[each[0]]))) for each in dict.fromkeys(wanted)
    ]


def measure_all(cases: Sequence[Case], rounds: int) -> Found:
    """Measure every case some times; return the outcomes by kind, law and size."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    screen = Console(stderr=True)
    found: dict[tuple[str, str, int], list[Outcome]] = {}
    with Progress(*columns, TextColumn('{task.description}'), console=screen) as progress:
        task = progress.add_task('loading the laws', total=rounds * len(cases))
        measure(Case('engine', OURS, 1, 1))
        for case in cases * rounds:
            progress.update(task, description=f'{case.kind} {case.law}, {case.agents} agents')
            found.setdefault(case[:3], []).append(measure(case))
            progress.advance(task)
    return {key: together(outcomes) for key, outcomes in found.items()}


def main_table(found: Found, sizes: Iterable[int], laws: Sequence[str]) -> Iterator[Row]:
    """Iterate over the lines of the rates over the sizes."""
    yield ('agents', *laws, 'peak memory [MB]', 'set up in [ms]', 'plain Python',
           'gradysim, idle', 'gradysim, telemetry', f'{laws[0]} / gradysim, idle',
           f'{OURS}, filtered')  # fmt: skip
    for agents in sizes:
        ours = [found['engine', law, agents] for law in laws]
        loop, telemetry, idle, kept = (found.get((*peer, agents)) for peer in (*PEERS, FILTERED))
        yield (
            f'{agents:,}',
            *(number(outcome.rate) for outcome in ours),
            number(max(outcome.peak for outcome in ours)),
            number(1e3 * max(outcome.placing for outcome in ours)),
            *(number(outcome.rate) if outcome else '' for outcome in (loop, idle, telemetry)),
            number(ours[0].rate / idle.rate) if idle else '',
            number(kept.rate) if kept else '',
        )


def files_table(found: Found, laws: Iterable[str]) -> Iterator[Row]:
    """Iterate over the lines of what writing costs."""
    yield f'{ORIGINAL_AGENTS} agents', 'in memory', *FILES.values()
    for law in laws:
        kinds = ('engine', *FILES)
        yield law, *(number(found[kind, law, ORIGINAL_AGENTS].rate) for kind in kinds)


def sensors_table(found: Found, laws: Iterable[str]) -> Iterator[Row]:
    """Iterate over the lines of what noise, drift, dropouts and latency cost."""
    yield f'{ORIGINAL_AGENTS} agents', 'filtered', *SENSORS.values()
    for law in laws:
        kinds = ('filtered', *SENSORS)
        yield law, *(number(found[kind, law, ORIGINAL_AGENTS].rate) for kind in kinds)


def ratios_table(found: Found, sizes: Sequence[int], laws: Sequence[str]) -> Iterator[Row]:
    """Iterate over the lines of the ratios."""
    yield 'ratio', *laws

    def line(label: str, ratio: Callable[[str], float]) -> Row:
        return label, *(number(ratio(law)) for law in laws)

    def ten(kind: str, law: str) -> float:
        return found[kind, law, ORIGINAL_AGENTS].rate

    small, large = min(sizes), max(sizes)
    yield line('ten agents: to the original experiment, published',
               lambda law: ten('engine', law) / ORIGINAL)  # fmt: skip
    yield line('ten agents, written as parquet: to the original, published',
               lambda law: ten('parquet', law) / ORIGINAL)  # fmt: skip
    yield line('ten agents, every tick as csv: to the same by repr',
               lambda law: ten('every tick', law) / ten('by repr', law))  # fmt: skip
    for kind, name in PEERS:
        label = f'plain Python, {name}' if kind == 'loop' else f'{kind}, {name}'
        yield line(f'ten agents: to {label}',
                   lambda law, k=kind, n=name: ten('engine', law) / ten(k, n))  # fmt: skip
    yield line(f'time per agent-tick, {large:,} agents to {ORIGINAL_AGENTS}',
               lambda law: ten('engine', law) / found['engine', law, large].rate)  # fmt: skip
    yield line(
        f'peak memory, {large:,} agents to {small}',
        lambda law: found['engine', law, large].peak / found['engine', law, small].peak,
    )


def number(value: float) -> str:
    """Return a number with three digits that count."""
    rounded = float(f'{value:.3g}')
    return f'{rounded:,.0f}' if rounded >= 100.0 else f'{rounded:g}'


def trust(outcomes: Mapping[object, Outcome]) -> str:
    """Return how far the numbers can be trusted."""
    spreads = sorted(outcome.spread for outcome in outcomes.values())
    busy = min(outcome.busy for outcome in outcomes.values())
    return (
        f'rounds differ by {100 * spreads[len(spreads) // 2]:.0f} % of their median (at most '
        f'{100 * spreads[-1]:.0f} %); a process had its core for at least {100 * busy:.0f} % of '
        'the time'
    )


def print_table(rows: Iterable[Row]) -> None:
    """Print a markdown table, numbers to the right."""
    head, *body = rows
    for row in (head, ('---', *(('---:',) * (len(head) - 1))), *body):
        print('| ' + ' | '.join(row) + ' |')
    print()


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--plot', type=Path, help='draw a picture into this file')
    parser.add_argument('--sizes', type=int, nargs='+', default=SIZES, help='numbers of agents')
    laws = (*OUR_NAMES, PREDICTIVE)
    parser.add_argument('--laws', nargs='+', default=laws, choices=CONTROLLER_NAMES)
    parser.add_argument('--rounds', type=int, default=ROUNDS)
    parser.add_argument('--share', type=float, default=1.0, help='of the work of a round')
    return parser.parse_args()


def main() -> None:
    """Measure, print, draw."""
    asked = arguments()
    sizes, laws = sorted({*asked.sizes, ORIGINAL_AGENTS}), tuple(dict.fromkeys(asked.laws))
    found = measure_all(cases_of(sizes, laws, asked.share), asked.rounds)
    print(f'Agent-ticks per second, medians of {asked.rounds} rounds; {trust(found)}.\n')
    for rows in (
        main_table(found, sizes, laws),
        files_table(found, laws),
        sensors_table(found, laws),
        ratios_table(found, sizes, laws),
    ):
        print_table(rows)
    updates = UPDATES * found['gradysim', 'idle', ORIGINAL_AGENTS].rate
    print(f'The original experiment: {ORIGINAL:,.0f} with {ORIGINAL_AGENTS} agents, as published, '
          f'not measured here. gradysim, idle, there: {number(updates)} mobility updates per '
          f'second. {describe()}.')  # fmt: skip
    if asked.plot:
        draw(asked.plot, found)


if __name__ == '__main__':
    main()
