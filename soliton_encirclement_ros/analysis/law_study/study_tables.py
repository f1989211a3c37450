"""The tables of a study: one row per flight, per comparison, and per set of gains tried."""

from collections.abc import Mapping, Sequence

from soliton_encirclement_ros.analysis.law_study.law_contrasts import Contrast
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings
from soliton_encirclement_ros.analysis.sweep.sweep_tables import Row, SweepTable
from soliton_encirclement_ros.core.law_study.study_records import (
    Candidate,
    StudyFlight,
    StudyOutline,
)


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
