"""Runs of one scenario under several controllers, side by side and seed by seed."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.laws.law_registry import law_labels
from soliton_encirclement_ros.core.run.finished_run import FinishedRun
from soliton_encirclement_ros.core.run.run_folder import to_plain
from soliton_encirclement_ros.core.run.scenario_differences import refuse_differences
from soliton_encirclement_ros.core.run.summary import FIGURES, PAIRED, WEIGHTED, Figure
from soliton_encirclement_ros.experiments.paired_statistics import Spread, compare_pairs, spread


class ComparisonRow(NamedTuple):
    """One figure: its spread over the seeds by controller, None without a value.

    ``best`` names the controllers with the best median, none if all are equal; ``ratio`` is
    the best median over the best of the others, None without a meaning.
    """

    figure: Figure
    spreads: dict[str, Spread | None]
    best: tuple[str, ...]
    ratio: float | None


Duel = Mapping[str, Any]
"""A figure of two controllers over their common seeds: ``figure``, ``controller``, ``other``, how
often the first was better or equal, ``seeds``, and the row of ``compare_pairs``."""


class LawComparison(NamedTuple):
    """All about one scenario; ``seeds`` by controller."""

    scenario: str
    seeds: dict[str, list[int]]
    rows: list[ComparisonRow]
    duels: list[Duel]
    left_out: list[tuple[str, str]]


def compare(runs: Sequence[FinishedRun]) -> list[LawComparison]:
    """Return one comparison per scenario.

    Invalid runs are left out, and of several runs with the same controller and seed all but
    the newest.

    Raises:
        RunError: Runs of one scenario differ in more than controller and seed, or none is left.
    """
    groups: dict[str, list[FinishedRun]] = defaultdict(list)
    for run in runs:
        groups[str(run.scenario['name'])].append(run)
    comparisons = [_compare_one(name, group) for name, group in groups.items()]
    if not any(comparison.seeds for comparison in comparisons):
        raise RunError('no finished run to compare: ' + '; '.join(
            f'{name}: {reason}'
            for comparison in comparisons for name, reason in comparison.left_out
        ))  # fmt: skip
    return comparisons


def _compare_one(name: str, runs: Sequence[FinishedRun]) -> LawComparison:
    used, left_out = _choose(runs)
    named = law_labels({controller for controller, _ in used})
    refuse_differences(list(used.values()))
    summaries: dict[str, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for (controller, seed), run in sorted(used.items()):
        summaries[named[controller]][seed] = run.summary
    values = {
        figure.name: {
            controller: {
                seed: value for seed, summary in by_seed.items()
                if (value := figure.value(summary)) is not None
            } for controller, by_seed in summaries.items()
        } for figure in FIGURES
    }  # fmt: skip
    shown = [
        figure for figure in FIGURES
        if figure.name not in WEIGHTED or values[figure.name] != values[WEIGHTED[figure.name]]
    ]
    rows = [_row(figure, values[figure.name]) for figure in shown]
    duels = [duel for figure in PAIRED for duel in _duels(figure, values[figure.name])]
    seeds = {controller: list(by_seed) for controller, by_seed in summaries.items()}
    return LawComparison(name, seeds, rows, duels, left_out)


def _choose(
    runs: Sequence[FinishedRun],
) -> tuple[dict[tuple[str, int], FinishedRun], list[tuple[str, str]]]:
    """Return the valid runs by controller and seed, and the others with the reason."""
    used: dict[tuple[str, int], FinishedRun] = {}
    left_out = [(run.name, run.flaw) for run in runs if run.flaw]
    for run in sorted((run for run in runs if not run.flaw), key=lambda run: run.created):
        older = used.get((run.controller, run.seed))
        if older is not None:
            left_out.append((older.name, 'a newer run has the same controller and seed'))
        used[run.controller, run.seed] = run
    return used, left_out


def _row(figure: Figure, values: Mapping[str, Mapping[int, float]]) -> ComparisonRow:
    spreads = {law: spread(list(by_seed.values())) for law, by_seed in values.items()}
    medians = {
        law: law_spread.median for law, law_spread in spreads.items() if law_spread is not None
    }
    ranked = sorted(set(medians.values()), reverse=figure.higher_is_better)
    if len(ranked) < 2:
        return ComparisonRow(figure, spreads, (), None)
    top, second = ranked[:2]
    best = tuple(controller for controller, median in medians.items() if median == top)
    sensible = math.isfinite(second) and second != 0.0
    return ComparisonRow(figure, spreads, best, top / second if sensible else None)


def _duels(figure: Figure, values: Mapping[str, Mapping[int, float]]) -> list[Duel]:
    laws = list(permutations(values, 2))
    pairs = [
        [(values[first][seed], values[second][seed])
         for seed in values[first] if seed in values[second]]
        for first, second in laws
    ]
    rows = compare_pairs(pairs, [figure.higher_is_better] * len(laws))
    return [
        {
            'figure': figure.name, 'controller': first, 'other': second, 'better': row['better'],
            'equal': row['count'] - row['better'] - row['worse'], 'seeds': row['count'], **row,
        }
        for (first, second), row in zip(laws, rows, strict=True)
    ]  # fmt: skip


def as_json(comparison: LawComparison) -> dict[str, Any]:
    """Return a comparison as plain data; JSON has no infinity, so never becomes null."""
    return to_plain({
        'scenario': comparison.scenario,
        'seeds': comparison.seeds,
        'figures': [
            {
                'name': row.figure.name,
                'unit': row.figure.unit,
                'higher_is_better': row.figure.higher_is_better,
                'controllers': row.spreads,
                'best': row.best,
                'ratio': row.ratio,
            }
            for row in comparison.rows
        ],
        'paired': comparison.duels,
        'left_out': [{'run': name, 'why': why} for name, why in comparison.left_out],
    })  # fmt: skip
