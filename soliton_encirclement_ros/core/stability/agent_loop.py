"""The linear model of the law ``soliton`` near its ring, in discrete time with latencies.

Along the ring, x is the displacement of an agent and v its speed relative to the target. At tick k

    a_k = k_v (k s - v_m) + k s'        s = y - x_m,  s' = w - v_m
    f_k = f_(k-1) + p (a_k - f_(k-1))   filter of the acceleration; p = 1: none
    c_k = v_m + g f_k                   command, held for one period

(x_m, v_m) is the own motion that an agent measures, ``odom_latency`` old, or its prediction from
that for the time when the command takes effect (``OwnPrediction``). (y, w) is the weighted
average of the neighbours' measurements of d ticks ago, extrapolated to the present. g is the lag
that the command makes up for. The vehicle, v' = (c - v) / tau, follows a command
``command_latency`` after it was sent. The radial motion is the same without neighbours, and with
k_r for k.

The prediction is that of ``controllers.terms.own_motion`` below the limits of
the vehicle: from the measured motion on, a step of the lag that the law assumes for every command
on the way.

**The ring.** A mode says how strongly an agent's place follows those of its neighbours. The place
of every agent is an average of its neighbours' positions, y = M x. A ring of equal agents near
rest has a mode per eigenvalue m of M (``ring_factors``), each a small matrix
(docs/research/law.md). On an even ring they are the waves, and all m are real; with uneven
weights and two hops or more m may be complex. Rows of M are weights of an average, so 1 is an
eigenvalue, the rotation of the whole ring, whose angle is free (an eigenvalue 1 that is ignored),
but not its rate; no other is larger. Factor 0 is the radial motion with k_r for k.

Sums (``total``) are added from left to right: the built-in ``sum`` compensates rounding since
Python 3.12; a plain loop gives the same bits in every version and in compiled code.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.ring.ring_geometry import spacing_correction
from velocity_mobility_ros.core.coordinate_frames import TURN


def total(values: Iterable[float]) -> float:
    """Return the sum, added from left to right."""
    result = 0.0
    for value in values:
        result += value
    return result


Array = NDArray[np.float64]

STORED_COMMANDS = 12
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
        ticks = int(self.time / self.period + ROUNDING)
        rest = self.time - ticks * self.period
        first = [(ticks + 1, rest)] if ticks < STORED_COMMANDS and rest > ROUNDING else []
        return first + [(age, self.period) for age in range(min(ticks, STORED_COMMANDS), 0, -1)]


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


class LinearAgent(NamedTuple):
    """One tick of an agent: ``state+ = own state + push (sent of the neighbours)``.

    Attributes:
        own: Matrix of its own state, shape (S, S).
        push: Effect of a unit of acceleration that the neighbours ask for, shape (S,).
        sent: What an agent's state asks of its neighbours, per unit of weight, shape (S,).
    """

    own: Array
    push: Array
    sent: Array


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


def linear_agent(loop: AgentLoop) -> LinearAgent:
    """Return the linear model of an agent; everything below is a linear form of the state."""
    motions, commands, measurements, before, demand = _forms(loop)
    gain, k_v = loop.gain, loop.velocity_gain
    by_age = [demand, *commands]  # that of age 0 is found below
    measured = _measured(loop, motions, by_age)
    x, v = measured if loop.prediction is None else predicted(measured, by_age, loop.prediction)
    acceleration = demand - k_v * gain * x - (k_v + gain) * v
    filtered = before + loop.follows * (acceleration - before)
    by_age[0] = v + loop.assumed_lag * filtered
    moved = _moved(loop, motions[0], by_age, 0, loop.substeps)
    after = np.vstack([moved, *motions[:-1], *by_age[:-1], measured, *measurements[:-1], filtered])
    y, w = measurements[-1]
    age = loop.delay * loop.period + loop.odom_latency * loop.update
    sent = k_v * gain * (y + age * w) + gain * w
    return LinearAgent(after[:, :-1], after[:, -1], sent[:-1])


def mode_matrix(factor: complex, agent: LinearAgent) -> NDArray:
    """Return the one-tick matrix of a mode of a ring of equal agents; ``factor`` is its m."""
    return agent.own + factor * np.outer(agent.push, agent.sent)


def _forms(loop: AgentLoop) -> list[Array]:
    """Return the parts of the state, then the acceleration that the neighbours ask for.

    Each is a row of a unit matrix. The parts are motions (position and velocity) from age 0 on
    [ticks], commands and measurements from age 1 on, and the acceleration of the last command.
    """
    ticks, remainder = divmod(loop.odom_latency, loop.substeps)
    before = 1 if remainder else 0
    count = loop.command_latency // loop.substeps + 1 + before * (ticks + 1)
    if loop.prediction is not None:
        count = max(count, *(age for age, _ in loop.prediction.windows), 1)
    ends = np.cumsum([2 * (ticks + 1 + before), count, 2 * loop.delay, 1])
    motions, commands, measurements, filtered, demand = np.split(np.eye(ends[-1] + 1), ends)
    pairs = -1, 2, ends[-1] + 1
    return [motions.reshape(pairs), commands, measurements.reshape(pairs), filtered[0], demand[0]]


def _measured(loop: AgentLoop, motions: Array, commands: Sequence[Array]) -> Array:
    """Return position and velocity as an agent measures them, shape (2, S)."""
    ticks, remainder = divmod(loop.odom_latency, loop.substeps)
    if remainder == 0:
        return motions[ticks]
    start = ticks + 1
    return _moved(loop, motions[start], commands, start, loop.substeps - remainder)


def _moved(
    loop: AgentLoop, motion: Array, commands: Sequence[Array], age: int, updates: int
) -> Array:
    """Return the motion some updates after the tick that is ``age`` ticks old.

    Args:
        loop: The agent.
        motion: Position and velocity at that tick, shape (2, S).
        commands: Commands by age.
        age: Age of the tick [ticks].
        updates: At most one period.
    """
    ticks, remainder = divmod(loop.command_latency, loop.substeps)
    first = min(updates, remainder)
    if first:
        motion = _held(loop, motion, commands[age + ticks + 1], first)
    return _held(loop, motion, commands[age + ticks], updates - first)


def _held(loop: AgentLoop, motion: Array, command: Array, updates: int) -> Array:
    """Return the motion after some updates with one command."""
    if updates == 0:
        return motion
    time = updates * loop.update
    alpha, beta = lag_over_period(time, updates, loop.tau)
    x, v = motion
    return np.stack([x + time * v + beta * (command - v), v + alpha * (command - v)])


ROTATION = 1.0
"""Mode factor of the rotation of the whole ring."""


def mode_factors(count: int, hops: int) -> list[float]:
    """Return the factor of every wave on an even ring, the rotation of the whole first.

    The mean of cos(2 pi k h / N) over the neighbours in use, k = 0 .. N - 1: a wave with factor m
    decays at k_s (1 - m) in continuous time.

    Args:
        count: Number N of agents, at least 2.
        hops: Neighbours on either side.
    """
    window = max(1, min(hops, (count - 1) // 2))
    return [
        total(math.cos(2.0 * math.pi * k * h / count) for h in range(1, window + 1)) / window
        for k in range(count)
    ]


def averaging_matrix(weights: Sequence[float], hops: int) -> NDArray[np.float64]:
    """Return the matrix M of a ring whose gaps are in proportion to the weights of its arcs.

    The rate of ``spacing_correction`` is linear in the rates of the neighbours, with the weights
    of the average.

    Args:
        weights: Weight of the arc from each agent to the next, above 0; at least 2.
        hops: Neighbours on either side.

    Returns:
        Shape (N, N); rows sum to 1.
    """
    count, ticks = len(weights), sum(weights)
    places = [TURN * remainder / ticks for remainder in accumulate(weights[:-1], initial=0.0)]
    matrix, rates = np.zeros((count, count)), [0.0] * count
    for j in range(count):
        rates[j] = 1.0
        for i in {(j + h) % count for h in range(-hops, hops + 1)} - {j}:
            matrix[i, j] = spacing_correction(places, rates, weights, i, 0.0, hops).rate
        rates[j] = 0.0
    return matrix


def ring_factors(weights: Sequence[float], hops: int) -> list[complex]:
    """Return the factor of every mode of a weighted ring, the rotation of the whole first.

    Args:
        weights: As of ``averaging_matrix``.
        hops: Neighbours on either side.
    """
    factors = np.linalg.eigvals(averaging_matrix(weights, hops))
    rotation = int(np.argmin(np.abs(factors - ROTATION)))
    return [ROTATION, *np.delete(factors, rotation).tolist()]


RADIAL = (0.0,)
"""The factors of the radial motion."""


def slowest_decay(factors: Sequence[complex], loop: AgentLoop) -> float:
    """Return the spectral radius of the slowest of some modes, each given by its factor.

    Of a pair of complex conjugates one is enough.
    """
    agent = linear_agent(loop)
    used = [m for m in factors if complex(m).imag >= 0.0]
    poles = np.linalg.eigvals(np.stack([mode_matrix(m, agent) for m in used]))
    return max(_largest(own, m == ROTATION) for m, own in zip(used, poles, strict=True))


def _largest(poles: NDArray, rotates: bool) -> float:
    if rotates:
        poles = np.delete(poles, np.argmin(np.abs(poles - 1.0)))
    return float(np.max(np.abs(poles)))
