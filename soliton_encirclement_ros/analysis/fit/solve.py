"""Fits the values by least squares of the velocities predicted for whole stretches.

The loss is soft L1, so that outliers have little effect.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.descent import descend, soft_cost
from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.joined_stretches import JoinedStretches
from soliton_encirclement_ros.analysis.fit.parameter_vector import (
    ALL_NAMES,
    DELAY,
    LAGS,
    PAIRS,
    VERTICAL,
    to_solver,
    to_values,
)
from soliton_encirclement_ros.analysis.recording import Floats

SOFTNESS = 3.0
"""Residuals above this many deviations count less than their square."""

STEP = 1e-4
"""Step for numeric derivatives: of a logarithm, or of the delay [s]."""

SMALLEST, LARGEST = 1e-3, 1e3
"""Bounds of limits and, from above, of lags [SI units]."""

MAX_EVALUATIONS = 60
"""Upper limit of evaluated points."""


class Solution(NamedTuple):
    """The best values found.

    Attributes:
        values: All values, the fixed ones included.
        cost: Half the sum of the softened squares of the scaled residuals.
    """

    values: Floats
    cost: float


class Solver:
    """Residuals of joined stretches, scaled by the standard deviation of each axis."""

    def __init__(self, joined: JoinedStretches, scale: Floats, settings: FitSettings) -> None:
        """Store the data to fit.

        Args:
            joined: The stretches.
            scale: (3,) standard deviation of a sample [m/s].
            settings: Bounds of the delay, update period.
        """
        self.joined = joined
        self.scale = scale
        self._low = np.log([SMALLEST] * len(ALL_NAMES))
        self._high = np.log([LARGEST] * len(ALL_NAMES))
        # A lag of one update is no lag: the law then applies the command at once.
        self.shortest_lag = settings.update_rate
        self._low[list(LAGS)] = np.log(self.shortest_lag)
        self._low[DELAY], self._high[DELAY] = settings.shortest_delay, settings.longest_delay

    def residuals(self, values: Floats) -> Floats:
        """Return measured minus predicted velocity divided by the scale, (n, 3)."""
        return (self.joined.measured - self.joined.predicted(values, self.scale)) / self.scale

    def cost(self, values: Floats) -> float:
        """Return half the sum of the softened squares."""
        return soft_cost(self.residuals(values), SOFTNESS)

    def slopes(self, values: Floats) -> Floats:
        """Return the Jacobian of the residuals by the solver's numbers (n, 3, p)."""
        numbers, base = to_solver(values), self.residuals(values)
        slopes = np.zeros((*base.shape, len(numbers)))
        for pair in PAIRS:
            if max(pair) >= len(numbers):
                continue
            moved = numbers.copy()
            moved[list(pair)] += STEP
            change = (self.residuals(to_values(moved)) - base) / STEP
            for i in pair:
                axes = slice(2, 3) if i in VERTICAL and i != DELAY else slice(0, 2)
                axes = slice(0, 3) if i == DELAY else axes
                slopes[:, axes, i] = change[:, axes]
        return slopes

    def solve(
        self, values: Floats, fixed: Collection[int] = (), most: int = MAX_EVALUATIONS
    ) -> Solution:
        """Return the local optimum from start values.

        Args:
            values: Start values; an infinite limit stays infinite.
            fixed: Indices of values that are not fitted.
            most: Upper limit of evaluated points.
        """
        start = to_solver(values)
        free = [i for i in range(len(start)) if i not in fixed and np.isfinite(start[i])]

        def whole(numbers: Floats) -> Floats:
            all_numbers = start.copy()
            all_numbers[free] = numbers
            return to_values(all_numbers)

        found = descend(
            lambda numbers: self.residuals(whole(numbers)).ravel(),
            lambda numbers: self.slopes(whole(numbers))[:, :, free].reshape(-1, len(free)),
            start[free], (self._low[free], self._high[free]), SOFTNESS, most,
        )  # fmt: skip
        return Solution(whole(found.numbers), found.cost)
