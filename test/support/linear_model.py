"""The linear model of one agent of the law ``soliton`` near rest, in discrete time with latencies.

Along the ring, x is the displacement of an agent and v its speed relative to the target. At tick k

    a_k = k_v (k s - v_m) + k s'        s = y - x_m,  s' = w - v_m
    f_k = f_(k-1) + p (a_k - f_(k-1))   filter of the acceleration; p = 1: none
    c_k = v_m + g f_k                   command, held for one period

(x_m, v_m) is what the agent measures of itself, ``odom_latency`` old, or what it predicts from
that for the time when the command takes effect (``OwnPrediction``). (y, w) is the weighted
average of the neighbours' measurements of d ticks ago, extrapolated to the present. g is the lag
that the command makes up for. The vehicle, v' = (c - v) / tau, follows a command
``command_latency`` after it was sent. The radial motion is the same without neighbours, and with
k_r for k.

The prediction is that of ``controllers.terms.own_motion`` below the limits of
the vehicle: from the measured motion on, a step of the lag that the law assumes for every command
on the way.

The place of every agent is an average of its neighbours' positions, y = M x. Near rest a ring of
equal agents splits into modes, one per eigenvalue m of M (``ring_factors``), each a small matrix.
On an even ring they are the waves, and all m are real; with uneven weights and two hops or more m
may be complex. Rows of M are weights of an average, so 1 is an eigenvalue, the rotation of the
whole ring, and no other is larger. Factor 0 is the radial motion with k_r for k; the angle of the
rotation is free (an eigenvalue 1 that is ignored), but not its rate.
"""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from soliton_encirclement_ros.core.ring.edge_weights import edge_weight
from soliton_encirclement_ros.core.ring.ring_geometry import spacing_correction
from soliton_encirclement_ros.core.stability.agent_loop import (
    AgentLoop,
    OwnPrediction,
    lag_over_period,
    total,
)
from velocity_mobility_ros.core.coordinate_frames import TURN

Array = NDArray[np.float64]


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


class LinearAgent(NamedTuple):
    """One tick of an agent: ``state+ = own state + push (told of the neighbours)``.

    Attributes:
        own: Matrix of its own state, shape (S, S).
        push: Effect of a unit of acceleration that the neighbours ask for, shape (S,).
        told: What an agent's state asks of its neighbours, per unit of weight, shape (S,).
    """

    own: Array
    push: Array
    told: Array


class _Layout(NamedTuple):
    """Where the state has what: motions, commands, measurements by age [ticks], the filter."""

    motions: int
    commands: int
    delay: int

    def motion(self, age: int) -> slice:
        """Position and velocity, from age 0 on."""
        return slice(2 * age, 2 * age + 2)

    def command(self, age: int) -> int:
        """A command, from age 1 on."""
        return 2 * self.motions + age - 1

    def measured(self, age: int) -> slice:
        """Position and velocity as measured, from age 1 on."""
        first = 2 * self.motions + self.commands + 2 * (age - 1)
        return slice(first, first + 2)

    @property
    def filtered(self) -> int:
        """The acceleration of the last command."""
        return self.size - 1

    @property
    def size(self) -> int:
        return 2 * self.motions + self.commands + 2 * self.delay + 1


def linear_agent(loop: AgentLoop) -> LinearAgent:
    """Return the linear model of an agent; every row below is a linear form of the state."""
    at, rows = _layout(loop)
    gain, k_v, delay = loop.gain, loop.velocity_gain, loop.delay
    measured = _measured(loop, at, rows)
    before = rows[0], *(rows[at.command(age)] for age in range(1, at.commands + 1))
    x, v = measured if loop.prediction is None else predicted(measured, before, loop.prediction)
    wanted = -k_v * gain * x - (k_v + gain) * v
    filtered = rows[at.filtered] + loop.follows * (wanted - rows[at.filtered])
    command = v + loop.assumed_lag * filtered
    own = np.zeros_like(rows)
    commands = command, *before[1:]
    own[at.motion(0)] = _moved(loop, rows[at.motion(0)], commands, 0, loop.substeps)
    for age in range(1, at.motions):
        own[at.motion(age)] = rows[at.motion(age - 1)]
    for age in range(1, at.commands + 1):
        own[at.command(age)] = commands[age - 1]
    own[at.measured(1)] = measured
    for age in range(2, delay + 1):
        own[at.measured(age)] = rows[at.measured(age - 1)]
    own[at.filtered] = filtered
    y, w = rows[at.measured(delay)]
    age = delay * loop.period + loop.odom_latency * loop.update
    return LinearAgent(own, _push(loop, at), k_v * gain * (y + age * w) + gain * w)


def mode_matrix(factor: complex, agent: LinearAgent) -> NDArray:
    """Return the one-tick matrix of a mode of a ring of equal agents; ``factor`` is its m."""
    return agent.own + factor * np.outer(agent.push, agent.told)


def _layout(loop: AgentLoop) -> tuple[_Layout, Array]:
    """Return the layout of the state, and every state alone: the rows of a unit matrix."""
    whole, part = divmod(loop.odom_latency, loop.substeps)
    before = 1 if part else 0
    commands = loop.command_latency // loop.substeps + 1 + before * (whole + 1)
    if loop.prediction is not None:
        commands = max(commands, *(age for age, _ in loop.prediction.windows), 1)
    at = _Layout(whole + 1 + before, commands, loop.delay)
    return at, np.eye(at.size)


def _measured(loop: AgentLoop, at: _Layout, rows: Array) -> Array:
    """Return position and velocity as an agent measures them, shape (2, S)."""
    whole, part = divmod(loop.odom_latency, loop.substeps)
    if part == 0:
        return rows[at.motion(whole)]
    start = whole + 1
    commands = rows[0], *(rows[at.command(age)] for age in range(1, at.commands + 1))
    return _moved(loop, rows[at.motion(start)], commands, start, loop.substeps - part)


def _moved(
    loop: AgentLoop, motion: Array, commands: tuple[Array, ...], age: int, updates: int
) -> Array:
    """Return the motion some updates after the tick that is ``age`` ticks old.

    Args:
        loop: The agent.
        motion: Position and velocity at that tick, shape (2, S).
        commands: Commands by age.
        age: Age of the tick [ticks].
        updates: At most one period.
    """
    whole, part = divmod(loop.command_latency, loop.substeps)
    first = min(updates, part)
    if first:
        motion = _held(loop, motion, commands[age + whole + 1], first)
    return _held(loop, motion, commands[age + whole], updates - first)


def _held(loop: AgentLoop, motion: Array, command: Array, updates: int) -> Array:
    """Return the motion after some updates with one command."""
    if updates == 0:
        return motion
    time = updates * loop.update
    alpha, beta = lag_over_period(time, updates, loop.tau)
    x, v = motion
    return np.stack([x + time * v + beta * (command - v), v + alpha * (command - v)])


def _push(loop: AgentLoop, at: _Layout) -> Array:
    """Return the effect of a unit of acceleration, within the same period or later."""
    push = np.zeros(at.size)
    push[at.filtered] = loop.follows
    push[at.command(1)] = commanded = loop.assumed_lag * loop.follows
    acts = loop.substeps - loop.command_latency
    if acts > 0:
        alpha, beta = lag_over_period(acts * loop.update, acts, loop.tau)
        push[at.motion(0)] = beta * commanded, alpha * commanded
    return push


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
    count, whole = len(weights), sum(weights)
    places = [TURN * part / whole for part in accumulate(weights[:-1], initial=0.0)]
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


def swarm_factors(agents: int, hops: int, protection_deg: float) -> list[complex]:
    """Return the mode factors of a ring.

    Args:
        agents: Number of agents, at least 2.
        hops: Neighbours on either side.
        protection_deg: Angle of the circle that they cover [deg]; the rest is one open arc.
    """
    return ring_factors([edge_weight(protection_deg, agents), *[1.0] * (agents - 1)], hops)


def largest_gain(factors: Sequence[complex], loop: AgentLoop) -> float:
    """Return the gain k [1/s] at which the first mode stops decaying; that of ``loop`` is free."""

    def decays(gain: float) -> bool:
        return slowest_decay(factors, loop._replace(gain=gain)) < 1.0

    low, high = 0.0, 1.0
    while decays(high):
        low, high = high, 2.0 * high
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if decays(middle) else (low, middle)
    return low
