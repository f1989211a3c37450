"""The original experiment's published table beside ours: what agrees, and by how much not.

    python bench/published_study.py [TABLE.csv]

TABLE.csv is what `swarm sweep` leaves; rows that it lacks, without it all, are flown here. The
published table, published_sweep.csv, lies in the folder SWARM_REFERENCE_DIR, else in
../shared/reference. Chaotic layers magnify the last bit of a square root: a row that misses a
tolerance is flown with 20 seeds, and what was published must then lie between the smallest and
the largest value of these.
"""

import csv
import math
import os
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import track

from soliton_encirclement_ros.core.flight_statistics.original_study import FIGURE_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.sim.forked_processes import make_forked_pool
from soliton_encirclement_ros.sim.simulation import fly

SEEDS = 20
VARIANT = 'as_published'
SHARED = Path(__file__).resolve().parents[2] / 'shared' / 'reference'
MISSES = 'MISSES'

SETTINGS = {
    'propagation_method': 'propagation_method',
    'composition_mode': 'tangential_composition_mode',
    'k_prop': 'propagation_k_prop',
}
"""What identifies a row: the published column, and the scenario's key."""

ORIGINAL = {
    'run': {'sim_duration': 300.0, 'num_agents': 10, 'rng': 'reference'},
    'control': {'controller': 'two_channel'},
    'safety': {'separation_filter': False},
}
"""The original experiment, as far as it is not our default."""

Figures = Mapping[str, float]


class Case(NamedTuple):
    """One row: the layer, how its signal is composed, and its gain [1/s]."""

    method: str
    mode: str
    k: float


class Tolerance(NamedTuple):
    """How far off a figure may be: a share of the published value, or the figure's own unit."""

    share: float
    least: float = 0.0

    def holds(self, published: float, ours: float) -> bool:
        """Say whether ours is near enough; NaN never is."""
        return abs(ours - published) <= max(self.share * abs(published), self.least)


TOLERANCES = {
    'M1_P95_e_pooled': Tolerance(0.05),
    'M2_P95_P95i': Tolerance(0.15),
    'M3_P95_abs_dedt': Tolerance(0.15),
    'M4_RMS_osc': Tolerance(0.15),
    'M5_mean_v2': Tolerance(0.05),
    'M7_settle_median': Tolerance(0.10, 0.5),
}
"""The figures that are judged; the others are shown."""


class Row(NamedTuple):
    """One case: what was published, ours, and ours with every seed if it was flown."""

    case: Case
    published: Figures
    ours: Figures
    seeds: Sequence[Figures]

    def verdict(self, name: str) -> str:
        """Return the remark on a figure, empty for one that is not judged."""
        if name not in TOLERANCES:
            return ''
        if TOLERANCES[name].holds(self.published[name], self.ours[name]):
            return f'within {100 * TOLERANCES[name].share:g} %'
        drawn = self.drawn(name)
        inside = drawn and min(drawn) <= self.published[name] <= max(drawn)
        return 'in the spread' if inside else MISSES

    def drawn(self, name: str) -> list[float]:
        """Return the values of a figure over the seeds that have one."""
        return [seed[name] for seed in self.seeds if not math.isnan(seed[name])]

    @property
    def misses(self) -> bool:
        """Whether a figure is out of its tolerance and not known to be chance."""
        return any(self.verdict(name) == MISSES for name in TOLERANCES)


def reference_folder() -> Path:
    """Return the folder of the published table."""
    return Path(os.environ.get('SWARM_REFERENCE_DIR') or SHARED)


def read_table(path: Path, prefix: str = '') -> dict[Case, Figures]:
    """Return the rows of a table by case; of a case with several seeds the smallest seed's."""
    with path.open(encoding='utf-8', newline='') as file:
        lines = list(csv.DictReader(file))
    if not lines:
        return {}
    header = list(lines[0])
    settings = [column(header, *names, path=path) for names in SETTINGS.items()]
    figures = {name: column(header, prefix + name, path=path) for name in FIGURE_NAMES}
    seed = next((name for name in header if name.split('.')[-1] == 'seed'), None)
    figures_by_case: dict[Case, Figures] = {}
    for line in sorted(lines, key=lambda line: int(line[seed]) if seed else 0):
        method, mode, k = (line[name] for name in settings)
        case = Case(method, mode, 0.0 if method == 'baseline' else float(k))
        values = {name: float(line[there] or 'nan') for name, there in figures.items()}
        figures_by_case.setdefault(case, values)
    return figures_by_case


def column(header: Iterable[str], *names: str, path: Path) -> str:
    """Return the column of some name, with or without its section before it."""
    for name in header:
        if name in names or name.split('.')[-1] in names:
            return name
    sys.exit(f'{path}: no column {" or ".join(names)}')


def fly_all(cases: Iterable[Case], seeds: Iterable[int]) -> dict[Case, list[Figures]]:
    """Fly some cases with some seeds on all cores."""
    seeds = list(seeds)
    jobs = [(case, seed) for case in cases for seed in seeds]
    figures_by_case: dict[Case, list[Figures]] = {}
    screen = Console(stderr=True)
    with make_forked_pool() as pool:
        flown = zip(jobs, pool.map(fly_one, jobs), strict=True)
        for (case, _), figures in track(flown, 'flying', len(jobs), console=screen):
            figures_by_case.setdefault(case, []).append(figures)
    return figures_by_case


def fly_one(job: tuple[Case, int]) -> Figures:
    """Return the figures of one case and seed."""
    case, seed = job
    study = fly(scenario_of(case, seed)).study
    return {name: study[f'{VARIANT}/{name}'] for name in FIGURE_NAMES}


def scenario_of(case: Case, seed: int) -> Scenario:
    """Return what the original flew in a case."""
    choice = {
        'run': {'seed': seed},
        'control': {'tangential_composition_mode': case.mode},
        'propagation': {'propagation_method': case.method, 'propagation_k_prop': case.k},
    }
    return Scenario().with_changes(ORIGINAL, 'study').with_changes(choice, 'study')


def compare(published: Mapping[Case, Figures], ours: Mapping[Case, Figures]) -> list[Row]:
    """Return all rows; what is missing, and the spread of what misses, is flown."""
    missing = fly_all([case for case in published if case not in ours], [0])
    ours = {**ours, **{case: figures for case, (figures,) in missing.items()}}
    rows = [Row(case, figures, ours[case], ()) for case, figures in published.items()]
    spread = fly_all([row.case for row in rows if row.misses], range(SEEDS))
    return [row._replace(seeds=spread.get(row.case, ())) for row in rows]


def lines(rows: Iterable[Row]) -> Iterator[tuple[str, ...]]:
    """Iterate over the lines of the printed table."""
    for row in rows:
        for name in FIGURE_NAMES:
            there, here, drawn = row.published[name], row.ours[name], row.drawn(name)
            difference = f'{100 * (here / there - 1.0):+.1f} %' if there else '-'
            spread = [f'{of(drawn):.4g}' if drawn else '' for of in (min, statistics.median, max)]
            numbers = (f'{there:.4g}', f'{here:.4g}', difference, *spread)
            yield (
                row.case.method,
                row.case.mode,
                f'{row.case.k:g}',
                name,
                *numbers,
                row.verdict(name),
            )


def main() -> int:
    """Print the table; return 1 if something is neither near enough nor within the spread."""
    table = reference_folder() / 'published_sweep.csv'
    if not table.is_file():
        sys.exit(f'{table}: there is no such file; name the folder of it by SWARM_REFERENCE_DIR')
    published = read_table(table)
    ours = read_table(Path(sys.argv[1]), f'{VARIANT}/') if len(sys.argv) > 1 else {}
    rows = compare(published, ours)
    head = ('method', 'mode', 'k', 'figure', 'published', 'ours', 'difference',
            'smallest', 'median', 'largest', 'verdict')  # fmt: skip
    for line in (head, ('---',) * len(head), *lines(rows)):
        print('| ' + ' | '.join(line) + ' |')
    return int(any(row.misses for row in rows))


if __name__ == '__main__':
    sys.exit(main())
