"""A law's prediction of an agent's own motion, as numbers of one loop and as rows of its model.

It is that of ``controllers.lag_inversion`` below the limits of the vehicle: from the measured
motion on, a step of the lag that the law assumes for every command on the way.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

KEPT = 12
"""Number of past commands that are kept; farther back nothing is predicted."""

ROUNDING = 1e-6
"""Part of a period that is no command of its own."""


class OwnPrediction(NamedTuple):
    """How an own motion is predicted.

    Attributes:
        time: Over which time [s]: the age of the measurement and the delay of the vehicle, as
            the law knows both.
        lag: Lag of the model of the vehicle [s]; None: it follows at once.
        period: Control period [s].
    """

    time: float
    lag: float | None
    period: float

    @property
    def follows(self) -> float:
        """Share of a commanded change that the model of the vehicle makes in a period."""
        return 1.0 if self.lag is None else self.period / self.lag

    @property
    def reach(self) -> float:
        """Time over which is predicted [s], as far as commands are kept."""
        return sum(time for _, time in self.windows)

    @property
    def windows(self) -> list[tuple[int, float]]:
        """Age [ticks] of every command on the way, the oldest first, and how long it acts [s]."""
        if self.time < ROUNDING:
            return []
        whole = int(self.time / self.period + ROUNDING)
        rest = self.time - whole * self.period
        first = [(whole + 1, rest)] if whole < KEPT and rest > ROUNDING else []
        return first + [(age, self.period) for age in range(min(whole, KEPT), 0, -1)]


def predicted(motion: Array, commands: Sequence[Array], prediction: OwnPrediction) -> Array:
    """Return position and velocity when the next command takes effect, shape (2, S).

    Args:
        motion: Both as measured, shape (2, S).
        commands: Commands by age [ticks].
        prediction: How to predict.
    """
    x, v = motion
    for age, time in prediction.windows:
        follows = 1.0 if prediction.lag is None else time / prediction.lag
        v = v + follows * (commands[age] - v)
        x = x + time * v
    return np.stack([x, v])
