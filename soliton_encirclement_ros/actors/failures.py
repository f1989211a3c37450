"""When an agent is down: random failures with recovery, and an operator's word."""

import math

import numpy as np

from soliton_encirclement_ros.core.parameters import FailureParameters
from soliton_encirclement_ros.core.schedule import ROUNDING, Periodic


def failure_probability(mean_per_min: float, period: float) -> float:
    """Return the chance to fail within one check period, ``1 - exp(-rate dt)``.

    Args:
        mean_per_min: Mean failures per minute of up-time.
        period: Check period dt [s].
    """
    return 1.0 - math.exp(-(mean_per_min / 60.0) * period)


class Failures:
    """One agent's state of health."""

    def __init__(
        self, parameters: FailureParameters, stream: np.random.Generator, start: float
    ) -> None:
        """Be up from ``start`` [s] on; draws come from ``stream`` alone."""
        self._parameters = parameters
        self._stream = stream
        self._probability = failure_probability(
            parameters.failure_mean_failures_per_min, parameters.failure_check_period
        )
        self._checks = Periodic(parameters.failure_check_period, start)
        self._back_at = math.inf
        self.failed = False

    def update(self, now: float) -> bool:
        """Fail or recover if the time has come; return whether the agent is down at ``now`` [s].

        The tick of recovery still counts as down: control resumes one period later.
        """
        if self.failed:
            if now + ROUNDING >= self._back_at:
                self.recover(now)
            return True
        if self._parameters.failure_enable and self._draws_failure(self._checks.due(now)):
            self.fail(now + self._parameters.failure_off_time)
        return self.failed

    def _draws_failure(self, checks: int) -> bool:
        """Make all the draws that are due, so that a fast check keeps its rate on slow ticks."""
        draws = [self._stream.random() for _ in range(checks)]
        return any(draw < self._probability for draw in draws)

    def fail(self, back_at: float = math.inf) -> None:
        """Go down until ``back_at`` [s]; without a time until ``recover``."""
        self.failed = True
        self._back_at = back_at

    def recover(self, now: float) -> None:
        """Come back at ``now`` [s]."""
        self.failed = False
        self._checks = Periodic(self._parameters.failure_check_period, now)
