"""Memory of the estimators of a flight at the start."""

import numpy as np

from soliton_encirclement_ros.core.estimation.estimate_rules import (
    AT_START,
    ESTIMATE_SIZE,
    write_nothing,
)
from soliton_encirclement_ros.core.estimation.estimator import FIELDS
from soliton_encirclement_ros.core.run.figures.estimate_error import ERROR_COLUMNS
from soliton_encirclement_ros.swarm.memory import SightArrays
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.target_report import OUT_COLUMNS


def sight_arrays(rules: Rules) -> SightArrays:
    """Return estimators that know nothing."""
    count = rules.swarm.agents if rules.sight.on else 0
    estimates = np.zeros((count, ESTIMATE_SIZE))
    for row in estimates:
        write_nothing(row)
    return SightArrays(
        np.tile(rules.sight.rest, (count, 1)),
        np.tile(np.array(AT_START, dtype=float), (count, 1)),
        estimates,
        np.zeros((count, ERROR_COLUMNS)),
        np.zeros((count, FIELDS + len(rules.sight.no_message))),
        np.zeros(OUT_COLUMNS),
    )
