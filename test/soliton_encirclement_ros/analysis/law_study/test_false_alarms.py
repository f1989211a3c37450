"""Laws that are alike are rarely called different, however many comparisons there are."""

import numpy as np
from soliton_encirclement_ros.analysis.law_study.law_contrasts import contrasts, known_values
from soliton_encirclement_ros.core.law_study.study_records import (
    Condition,
    StudyFlight,
    StudyOutline,
)

STUDIES, SEEDS = 60, 12
LAWS = ('a', 'b', 'c', 'd')
CONDITIONS = tuple(Condition(str(k)) for k in range(4))
OUTLINE = StudyOutline('alike', 'a', LAWS, (), CONDITIONS, ('E_r',), SEEDS, {})


def study(stream):
    """Return flights of laws whose errors are drawn alike, with all that a seed has in common."""
    return [
        StudyFlight(law, condition, seed, {'E_r': float(common + stream.uniform())})
        for condition in CONDITIONS
        for seed, common in enumerate(stream.uniform(0.0, 5.0, SEEDS))
        for law in LAWS
    ]


def test_one_study_in_twenty_at_most_finds_a_difference_where_there_is_none():
    stream = np.random.default_rng(1)
    alarms = 0
    for _ in range(STUDIES):
        rows = contrasts(OUTLINE, known_values(study(stream)), LAWS[1:])
        alarms += any(row.verdict != 'open' for row in rows)
    assert alarms <= 7  # 3 are expected; more than 7 have a chance of 1 %
