"""How a law does beside others: its median over theirs, so that less than 1 is better."""

from collections.abc import Mapping, Sequence

from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.core.law_study.study_metrics import METRICS
from soliton_encirclement_ros.core.law_study.study_records import Condition

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


