"""The three laws on the same scenarios and seeds: what ours must show, in one table.

The laws alone: nothing keeps the agents apart.

    python bench/laws.py [SEEDS]

Times are medians over the seeds, counted until E_gap < 0.05 first holds; an original that never
gets there within the time until the next event counts as infinitely slow.
"""

import math
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from rich.progress import track

from soliton_encirclement_ros.core.run.summary import FIGURES, Figure
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.sim import simulation
from soliton_encirclement_ros.sim.forked_processes import make_forked_pool

OURS = 'soliton'
ORIGINALS = ('soliton_v1', 'two_channel')
LAWS = (*ORIGINALS, OURS)
WANDERING = {'target': {'target_motion_speed_xy': 5.0}}

Changes = Mapping[str, Mapping[str, Any]]
Values = Mapping[str, list[float]]
"""A figure's value for every seed, by law."""


class Demand(NamedTuple):
    """What a figure must show, as text, and the test of it."""

    text: str
    holds: Callable[[Values], bool]


class Trial(NamedTuple):
    """A scenario that comes along, changed, and the figures that count in it."""

    title: str
    scenario: str
    changes: Changes
    demands: Mapping[str, Demand]


def below(bound: float) -> Demand:
    """Demand that ours stays below a bound."""
    return Demand(f'< {bound:g}', lambda values: max(values[OURS]) < bound)


def at_most(share: float) -> Demand:
    """Demand that our median is at most a share of the better original's."""
    return Demand(
        f'at most {share:g} of the better',
        lambda values: middle(values[OURS]) <= share * min(middle(values[o]) for o in ORIGINALS),
    )


def wins(share: float) -> Demand:
    """Demand that ours is better than both originals in a share of the seeds."""
    return Demand(
        f'better in {100 * share:g} % of the seeds',
        lambda values: count_wins(values) >= share * len(values[OURS]),
    )


def count_wins(values: Values, figure: Figure = FIGURES[0]) -> int:
    """Return in how many seeds ours is better than both originals; small is good by default."""
    seeds = zip(*(values[law] for law in (OURS, *ORIGINALS)), strict=True)
    return sum(all(figure.better(ours, other) for other in others) for ours, *others in seeds)


REPORT = Demand('', lambda values: True)
CLOSING = {
    'time to close after failure': at_most(0.7),
    'time to close after recovery': at_most(0.7),
    'peak G_max after recovery': REPORT,
}
TRIALS = (
    Trial('target at constant 5 m/s', 'constant_velocity', {},
          {'E_gap': below(1e-3), 'E_r': below(1e-3)}),
    Trial('one failure and return, target stands', 'one_failure', {}, CLOSING),
    Trial('one failure and return, target wanders', 'one_failure', WANDERING, CLOSING),
    Trial('30 % loss, 100 ms delay, target wanders', 'lossy_radio', {},
          {'E_gap': at_most(0.5), 'E_r': REPORT, 'neighbour switches': REPORT}),
    Trial('defaults: target wanders, failures 1/min', 'failures', {},
          {'E_gap': wins(0.9), 'E_r': wins(0.9), 'neighbour switches': REPORT,
           'min separation': REPORT}),
)  # fmt: skip


def fly(trial: Trial, law: str, seed: int) -> dict[str, Any]:
    """Return the summary of one run."""
    scenario: Scenario = load_scenario(find_scenario(trial.scenario))
    choice = {
        'run': {'seed': seed},
        'control': {'controller': law},
        'safety': {'separation_filter': False},
    }
    scenario = scenario.with_changes(trial.changes, 'trial').with_changes(choice, 'trial')
    return simulation.fly(scenario).summary


def fly_all(seeds: int) -> dict[tuple[int, str], list[dict[str, Any]]]:
    """Fly every trial with every law and seed on all cores; return the summaries."""
    jobs = [(i, law, seed) for i in range(len(TRIALS)) for law in LAWS for seed in range(seeds)]
    summaries: dict[tuple[int, str], list[dict[str, Any]]] = {}
    with make_forked_pool() as pool:
        flown = zip(jobs, pool.map(_fly_one, jobs), strict=True)
        for (i, law, _), summary in track(flown, 'flying', len(jobs)):
            summaries.setdefault((i, law), []).append(summary)
    return summaries


def _fly_one(job: tuple[int, str, int]) -> dict[str, Any]:
    number, law, seed = job
    return fly(TRIALS[number], law, seed)


def rows(summaries: Mapping[tuple[int, str], list[dict[str, Any]]]) -> Iterator[tuple[str, ...]]:
    """Iterate over the lines of the table."""
    figures = {figure.name: figure for figure in FIGURES}
    for i, trial in enumerate(TRIALS):
        for name, demand in trial.demands.items():
            figure = figures[name]
            values = {
                law: [math.inf if v is None else v for v in map(figure.value, summaries[i, law])]
                for law in LAWS
            }
            wins_text = f'{count_wins(values, figure)}/{len(values[OURS])}'
            verdict = '' if demand is REPORT else ('holds' if demand.holds(values) else 'FAILS')
            numbers = [f'{middle(values[law]):.3g}' for law in LAWS]
            yield trial.title, figure.label, *numbers, wins_text, demand.text, verdict


def middle(values: list[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def main() -> int:
    """Print the table; return 1 if a demand fails."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    table = list(rows(fly_all(seeds)))
    head = ('trial', 'figure', *LAWS, 'seeds better', 'demand', 'verdict')
    for row in (head, ('---',) * len(head), *table):
        print('| ' + ' | '.join(row) + ' |')
    return int(any(row[-1] == 'FAILS' for row in table))


if __name__ == '__main__':
    sys.exit(main())
