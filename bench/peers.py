"""Tables of docs/research/peers.md, from the tables that sweeps leave.

    python bench/peers.py best sweeps/peers_tuning/table.csv
    python bench/peers.py compare sweeps/peers/table.csv
    python bench/peers.py pairs sweeps/peers/table.csv

``best`` ranks the gains of every law by the mean of E_gap + E_r over all seeds and both lags,
``compare`` prints medians over the seeds, ``pairs`` in how many seeds the first law is better.
"""

import csv
import math
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

LAW = 'controller'
SETTINGS = {
    'filter': 'safety.separation_filter',
    'agents': 'run.num_agents',
    'target [m/s]': 'target.target_motion_speed_xy',
    'lag [s]': 'mobility.tau_xy',
}
FIGURES = {
    'E_gap': 'E_gap',
    'E_r': 'E_r',
    'closed after failure [s]': 'time_to_close_after_failure',
    'after return [s]': 'time_to_close_after_recovery',
    'effort': 'corrected/M5_mean_v2',
    'smallest separation [m]': 'min_separation',
}
"""Columns of the table, by their headings; effort is the mean of (v / v_max)^2."""

LARGER_IS_BETTER = ('min_separation',)
SHOWN = 3

Row = dict[str, str]
Line = tuple[str, ...]


def number(text: str) -> float:
    """Return a cell as a number, NaN where it is empty."""
    return float(text) if text else math.nan


def groups(rows: list[Row], keys: list[str]) -> dict[Line, list[Row]]:
    """Return the rows by their values of some columns, in the order of the table."""
    grouped: dict[Line, list[Row]] = {}
    for row in rows:
        grouped.setdefault(tuple(row[key] for key in keys), []).append(row)
    return grouped


def settings(rows: list[Row]) -> dict[str, str]:
    """Return the settings that a sweep varies, by their headings."""
    return {title: key for title, key in SETTINGS.items() if key in rows[0]}


def cost(rows: list[Row]) -> float:
    """Return the mean of E_gap + E_r."""
    return statistics.fmean(number(row['E_gap']) + number(row['E_r']) for row in rows)


def best(rows: list[Row]) -> Iterator[Line]:
    """Iterate over the best gains of every law, after the heading."""
    gains = [key for key in rows[0] if key.startswith('control.')]
    yield 'law', 'gains', 'E_gap + E_r'
    for (law,), flown in groups(rows, [LAW]).items():
        varied = [key for key in gains if len({row[key] for row in flown}) > 1]
        ranked = sorted((cost(part), point) for point, part in groups(flown, varied).items())
        for value, point in ranked[:SHOWN]:
            texts = (f'{key[8:]} {text}' for key, text in zip(varied, point, strict=True))
            yield f'`{law}`', ', '.join(texts), f'{value:.3f}'


def compare(rows: list[Row]) -> Iterator[Line]:
    """Iterate over the medians of every law in every setting, after the heading."""
    varied = settings(rows)
    yield *varied, 'law', *FIGURES
    for (*point, law), flown in groups(rows, [*varied.values(), LAW]).items():
        yield *point, f'`{law}`', *(middle(flown, key) for key in FIGURES.values())


def middle(rows: list[Row], key: str) -> str:
    """Return the median of a column as text."""
    value = statistics.median(number(row[key]) for row in rows)
    return 'never' if math.isinf(value) else f'{value:.3g}'


def pairs(rows: list[Row]) -> Iterator[Line]:
    """Iterate over the number of seeds in which the first law is better than each other."""
    varied, first = settings(rows), rows[0][LAW]
    yield *varied, 'against', *FIGURES
    flown = groups(rows, [*varied.values(), LAW])
    for (*point, law), others in flown.items():
        ours = {row['seed']: row for row in flown[(*point, first)]}
        if law != first:
            wins = (wins_of(key, ours, others) for key in FIGURES.values())
            yield *point, f'`{law}`', *(f'{count} of {len(others)}' for count in wins)


def wins_of(key: str, ours: dict[str, Row], flown: list[Row]) -> int:
    """Return in how many seeds ours is better in a figure."""
    sign = -1.0 if key in LARGER_IS_BETTER else 1.0
    return sum(sign * number(ours[row['seed']][key]) < sign * number(row[key]) for row in flown)


TABLES: dict[str, Callable[[list[Row]], Iterator[Line]]] = {
    'best': best, 'compare': compare, 'pairs': pairs,
}  # fmt: skip


def main() -> None:
    """Print a table in Markdown."""
    kind, path = sys.argv[1:]
    with Path(path).open(encoding='utf-8', newline='') as file:
        lines = list(TABLES[kind](list(csv.DictReader(file))))
    lines.insert(1, ('---',) * len(lines[0]))
    for line in lines:
        print('| ' + ' | '.join(line) + ' |')


if __name__ == '__main__':
    main()
