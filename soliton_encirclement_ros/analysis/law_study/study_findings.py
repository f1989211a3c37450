"""The findings of a study: medians, comparisons and tuned gains; kept as ``study.json``.

Tables have one row per flight, per comparison, and per set of gains tried. A ratio of medians is
that of a law over others, so that less than 1 is better.
"""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from soliton_encirclement_ros.analysis.law_study.law_contrasts import (
    Contrast,
    Known,
    contrasts,
    known_values,
)
from soliton_encirclement_ros.analysis.sweep_tables import Row, SweepTable
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.figures.sample_statistics import median
from soliton_encirclement_ros.core.files import replacing
from soliton_encirclement_ros.core.run.experiment_records import (
    METRICS,
    Candidate,
    Condition,
    StudyFlight,
    StudyOutline,
    TunedLaw,
)

FILE = 'study.json'
LAYOUT = 1
"""Version of the file."""


class Middle(NamedTuple):
    """The median of a metric over the seeds; None if no seed has a value, or it is infinite.

    ``count`` is the number of seeds with a value, ``never`` of them are infinite.
    """

    metric: str
    case: str
    setting: str
    law: str
    median: float | None
    count: int
    never: int


class TunedGains(NamedTuple):
    """The gains that tuning found; costs are those of ``sim/law_study/objective``."""

    law: str
    gains: Mapping[str, Any]
    cost: float | None
    shipped_cost: float | None
    candidates: int
    flights: int


class StudyFindings(NamedTuple):
    """All findings of a study.

    Attributes:
        outline: What was compared.
        flights: Number of flights of the test.
        medians: Of every metric, condition and law, ablations included.
        laws: The chosen law against all others.
        ablations: The chosen law against itself with a part switched off.
        tuned: The tuned laws.
    """

    outline: StudyOutline
    flights: int
    medians: list[Middle]
    laws: list[Contrast]
    ablations: list[Contrast]
    tuned: list[TunedGains]


def findings_of(
    outline: StudyOutline, flights: Sequence[StudyFlight], tuned: Mapping[str, TunedLaw]
) -> StudyFindings:
    """Return the findings of finished flights."""
    known = known_values(flights)
    return StudyFindings(
        outline,
        len(flights),
        _medians(outline, known),
        contrasts(outline, known, outline.others),
        contrasts(outline, known, outline.ablations),
        [_tuned(name, one) for name, one in tuned.items()],
    )


def _medians(outline: StudyOutline, known: Known) -> list[Middle]:
    found = []
    for metric in outline.metrics:
        for condition in outline.conditions:
            for law in (*outline.laws, *outline.ablations):
                values = list(known.get((law, condition, metric), {}).values())
                middle = _finite(median(values))
                never = sum(map(math.isinf, values))
                found.append(Middle(metric, *condition, law, middle, len(values), never))
    return found


def _tuned(name: str, tuned: TunedLaw) -> TunedGains:
    best, shipped = tuned.best, tuned.shipped
    return TunedGains(
        name, dict(best.gains), _finite(best.cost), _finite(shipped.cost),
        len(tuned.candidates), tuned.flights,
    )  # fmt: skip


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def write_findings(path: Path, findings: StudyFindings) -> Path:
    """Write findings as JSON, whole or not at all.

    Raises:
        RunError: The file cannot be written.
    """
    outline = findings.outline._asdict()
    outline['conditions'] = [one._asdict() for one in findings.outline.conditions]
    content = {
        'layout': LAYOUT,
        'outline': outline,
        'flights': findings.flights,
        **{
            name: [row._asdict() for row in getattr(findings, name)]
            for name in ('medians', 'laws', 'ablations', 'tuned')
        },
    }
    try:
        with replacing(path) as part:
            part.write_text(json.dumps(content, indent=1, allow_nan=False), encoding='utf-8')
    except OSError as error:
        raise RunError(f'{path}: cannot write: {error.strerror}') from None
    return path


def read_findings(folder: Path) -> StudyFindings:
    """Return the findings of a study's folder.

    Raises:
        RunError: There are none, or they cannot be read.
    """
    path = folder / FILE
    try:
        content = json.loads(path.read_text(encoding='utf-8'))
        return _read(content)
    except FileNotFoundError:
        raise RunError(
            f'{folder}: has no {FILE}: name the folder of a finished study (swarm study run)'
        ) from None
    except OSError as error:
        raise RunError(f'{path}: cannot read: {error.strerror}') from None
    except (ValueError, KeyError, TypeError):
        raise RunError(f'{path}: is not the result of a study: run the study again') from None


def _read(content: Mapping[str, Any]) -> StudyFindings:
    if content['layout'] != LAYOUT:
        raise ValueError
    outline = dict(content['outline'])
    conditions = tuple(Condition(**one) for one in outline.pop('conditions'))
    lists = {key: tuple(outline.pop(key)) for key in ('laws', 'ablations', 'metrics')}
    return StudyFindings(
        StudyOutline(conditions=conditions, **lists, **outline),
        content['flights'],
        [Middle(**row) for row in content['medians']],
        [Contrast(**row) for row in content['laws']],
        [Contrast(**row) for row in content['ablations']],
        [TunedGains(**row) for row in content['tuned']],
    )


def candidates_of(tuned: Mapping[str, TunedLaw]) -> list[Candidate]:
    """Return everything that was tried, law by law."""
    return [candidate for one in tuned.values() for candidate in one.candidates]


Medians = Mapping[str, float | None]
"""Medians of a metric under one condition by law."""


def medians_of(findings: StudyFindings, metric: str) -> dict[Condition, dict[str, float | None]]:
    """Return the medians of a metric by condition and law."""
    found: dict[Condition, dict[str, float | None]] = {}
    for row in findings.medians:
        if row.metric == metric:
            found.setdefault(Condition(row.case, row.setting), {})[row.law] = row.median
    return found


def ratio_to_best(metric: str, medians: Medians, law: str, others: Sequence[str]) -> float | None:
    """Return the median of a law over the best of some others; None without a meaning.

    Where more is better it is the other way round, so that a ratio below 1 is always better.

    Args:
        metric: Name of the metric.
        medians: Medians by law.
        law: The law.
        others: The others.
    """
    is_more = METRICS[metric].higher_is_better
    theirs = [value for name in others if (value := medians[name]) is not None]
    own = medians[law]
    if own is None or not theirs:
        return None
    best = max(theirs) if is_more else min(theirs)
    above, below = (best, own) if is_more else (own, best)
    return above / below if above >= 0.0 and below > 0.0 else None


def best_laws(metric: str, medians: Medians, laws: Sequence[str]) -> list[str]:
    """Return the laws with the best median."""
    known = {law: value for law in laws if (value := medians[law]) is not None}
    if not known:
        return []
    best = (max if METRICS[metric].higher_is_better else min)(known.values())
    return [law for law, value in known.items() if value == best]


def by_setting(conditions: Sequence[Condition]) -> dict[str, list[Condition]]:
    """Return conditions by their setting, in order."""
    found: dict[str, list[Condition]] = {}
    for one in conditions:
        found.setdefault(one.setting, []).append(one)
    return found


def flight_table(outline: StudyOutline, flights: Sequence[StudyFlight]) -> SweepTable:
    """Return one row per flight of the test, in the order of the study."""
    rows = [
        {
            'law': one.law,
            'case': one.condition.case,
            'setting': one.condition.setting,
            'seed': one.seed,
            **{name: one.values[name] for name in outline.metrics},
        }
        for one in flights
    ]
    return SweepTable(rows, ['law', 'case', 'setting', 'seed', *outline.metrics])


def contrast_table(findings: StudyFindings) -> SweepTable:
    """Return one row per comparison; ``family`` says whether the other is a law or an ablation."""
    families: Mapping[str, Sequence[Contrast]] = {
        'law': findings.laws, 'ablation': findings.ablations,
    }  # fmt: skip
    rows: list[Row] = [
        {'family': family, 'chosen': findings.outline.chosen, **one._asdict(),
         'verdict': one.verdict}
        for family, contrasts in families.items()
        for one in contrasts
    ]  # fmt: skip
    return SweepTable(rows, list(rows[0]) if rows else [])


def tuning_table(candidates: Sequence[Candidate]) -> SweepTable:
    """Return one row per set of gains that was tried; no gains: as shipped."""
    keys = list(dict.fromkeys(key for one in candidates for key in one.gains))
    rows = [
        {
            'law': one.law,
            'flights': one.flights,
            'cost': one.cost,
            **{key: one.gains.get(key) for key in keys},
        }
        for one in candidates
    ]
    return SweepTable(rows, ['law', 'flights', 'cost', *keys])
