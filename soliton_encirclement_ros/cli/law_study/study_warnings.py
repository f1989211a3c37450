"""Warnings of a study before its first flight, on standard error."""

import sys
from typing import Any


def warn_of_few_seeds(study: Any) -> None:
    """Warn if no comparison can become significant, whatever the flights show."""
    from soliton_encirclement_ros.analysis.law_study.law_contrasts import LEVEL
    from soliton_encirclement_ros.analysis.law_study.rank_tests import smallest_p

    conditions, seeds = len(study.conditions), len(study.seeds)
    comparisons = max(len(study.laws) - 1, len(study.ablations)) * conditions
    if smallest_p(seeds) * comparisons < LEVEL:
        return
    needed = next(n for n in range(1, 1000) if smallest_p(n) * comparisons < LEVEL)
    print(
        f'warning: {seeds} seeds cannot show a significant difference in {comparisons} '
        f'comparisons of a metric: use at least {needed}',
        file=sys.stderr,
    )
