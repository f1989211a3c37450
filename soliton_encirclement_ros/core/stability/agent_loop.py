"""What the stability of an agent of the law ``soliton`` depends on: gains, delays, latencies.

Sums (``total``) are added from left to right: the built-in ``sum`` compensates rounding since
Python 3.12; a plain loop gives the same bits in every version and in compiled code.
"""

from collections.abc import Iterable
from typing import NamedTuple


def total(values: Iterable[float]) -> float:
    """Return the sum, added from left to right."""
    result = 0.0
    for value in values:
        result += value
    return result


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


class AgentLoop(NamedTuple):
    """Gains and delays of an agent.

    Attributes:
        gain: Spacing or radial gain k [1/s].
        velocity_gain: Velocity gain k_v [1/s].
        period: Control period T [s].
        substeps: Updates n of the vehicle per period.
        tau: Lag of the vehicle [s]; None for no lag.
        assumed_lag: Lag g that the command makes up for [s].
        delay: Age d of the neighbours' messages [ticks], at least 1.
        command_latency: Time until a command takes effect [updates].
        odom_latency: Age of an agent's measurement of itself [updates].
        follows: Share p of a change of the acceleration that its filter lets through in a period.
        prediction: How the agent predicts its own motion; None: it does not.
    """

    gain: float
    velocity_gain: float
    period: float
    substeps: int
    tau: float | None
    assumed_lag: float
    delay: int = 1
    command_latency: int = 0
    odom_latency: int = 0
    follows: float = 1.0
    prediction: OwnPrediction | None = None

    @property
    def update(self) -> float:
        """Time between two updates of the vehicle [s]."""
        return self.period / self.substeps


def lag_over_period(period: float, substeps: int, tau: float | None) -> tuple[float, float]:
    """Return alpha [-] and beta [s]: change of speed and position per unit of commanded change.

    Args:
        period: Control period T [s].
        substeps: Updates n of the vehicle per period.
        tau: Lag of the vehicle [s]; None for no lag.
    """
    dt = period / substeps
    left = 0.0 if tau is None else 1.0 - dt / tau
    gained = [1.0 - left**j for j in range(1, substeps + 1)]
    return gained[-1], dt * total(gained)
