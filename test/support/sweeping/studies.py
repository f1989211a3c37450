"""For tests of studies: a small study file, and findings without a flight."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from soliton_encirclement_ros.analysis.law_study.study_findings import StudyFindings, findings_of
from soliton_encirclement_ros.core.run.experiment_records import (
    Candidate,
    Condition,
    StudyFlight,
    StudyOutline,
    TunedLaw,
)

SMALL_STUDY: Mapping[str, Any] = {
    'scenario': 'demo',
    'changes': {'run': {'sim_duration': 2.0, 'num_agents': 3}},
    'laws': {
        'soliton': {},
        'wide': {
            'controller': 'soliton',
            'search': {'control.k_r': {'low': 0.5, 'high': 2.0, 'log': True}},
        },
    },
    'conditions': {
        'settings': {'lag 1 s': {'mobility.tau_xy': 1.0}},
        'cases': {'calm': {}, 'loss 50 %': {'radio.communication_failure_rate': 0.5}},
    },
    'tuning': {
        'conditions': ['calm, lag 1 s'], 'seeds': {'first': 50, 'count': 2}, 'flights': 8,
        'objective': {'E_wgap': 1.0, 'E_r': 1.0},
    },
    'seeds': {'first': 1, 'count': 3},
    'metrics': ['E_wgap', 'E_r', 'min_separation'],
}  # fmt: skip
"""Two laws, two conditions, three seeds: flights of some hundredths of a second."""

CALM, LOSS = Condition('calm', 'lag 1 s'), Condition('loss', 'lag 1 s')
OUTLINE = StudyOutline(
    'made', 'ours', ('ours', 'ours_tuned', 'theirs'), ('without',), (CALM, LOSS),
    ('E_wgap', 'min_separation'), 12,
    {'ours': 'soliton', 'ours_tuned': 'soliton', 'theirs': 'franchi'},
)  # fmt: skip


def write_study(folder: Path, stem: str = 'small', **content: Any) -> Path:
    """Write a study file and return it; ``content`` replaces parts of ``SMALL_STUDY``."""
    path = folder / f'{stem}.yaml'
    whole = {key: value for key, value in {**SMALL_STUDY, **content}.items() if value is not None}
    path.write_text(yaml.safe_dump(whole, sort_keys=False), encoding='utf-8')
    return path


def made_flights(factors: Mapping[str, float], seeds: int = 12) -> list[StudyFlight]:
    """Return flights of ``OUTLINE`` whose values are those of chance times a factor by law."""
    stream = np.random.default_rng(6)
    found = []
    for condition in OUTLINE.conditions:
        for seed in range(seeds):
            common = float(stream.uniform(0.1, 0.2))
            for law in (*OUTLINE.laws, *OUTLINE.ablations):
                value = common * factors[law] * float(stream.uniform(0.95, 1.05))
                values = {'E_wgap': value, 'min_separation': 10.0 * value}
                found.append(StudyFlight(law, condition, seed, values))
    return found


def made_findings() -> StudyFindings:
    """Return findings: the chosen law is twice as good as ``theirs`` by one metric."""
    factors = {'ours': 1.0, 'ours_tuned': 1.0, 'theirs': 2.0, 'without': 1.5}
    shipped = Candidate('ours_tuned', {}, 6, -1.0)
    best = Candidate('ours_tuned', {'control.k_r': 1.25}, 6, -1.5)
    tuned = {'ours_tuned': TunedLaw(best, shipped, [shipped, best], 12)}
    return findings_of(OUTLINE, made_flights(factors), tuned)
