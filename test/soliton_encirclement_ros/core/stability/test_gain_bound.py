"""The bound on gains: random swarms with gains just on it are stable, and little beyond some not.

Swarms differ in number, hops, weights, period, updates, lag, lag that the law assumes, latencies,
age of messages, inversion of the lag, filter, and in what they predict of their own motion.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pytest

from soliton_encirclement_ros.core.stability.agent_loop import (
    RADIAL, AgentLoop, OwnPrediction, mode_factors, ring_factors, slowest_decay
)
from soliton_encirclement_ros.core.stability.gain_bound import (
    LoopTiming, assumed_lag, bound_use, filter_follows, filter_time, largest_sure_gain,
    largest_velocity_gain, radial_timing, spacing_timing
)
from support.stepped_loop import stepped

FEW = 400
"""Swarms drawn in the ordinary run; the nightly one draws 10,000."""

ROUNDING = 1e-9
LATEST = 6
PLAIN, FILTERED, PREDICTING, BOTH = KINDS = ('plain', 'filtered', 'predicting', 'both')
"""Largest latencies [periods] and age of messages [ticks]."""


class Drawn(NamedTuple):
    """A ring, an agent of it without gain k yet, and the share of the bound that k_v uses."""

    weights: list[float]
    hops: int
    loop: AgentLoop
    share: float


def between(draw: np.random.Generator, low: float, high: float) -> float:
    """Return a random number, even in its logarithm."""
    return float(low * (high / low) ** draw.random())


def maybe(draw: np.random.Generator, chance: float, value: Callable[[], float]) -> float:
    """Return a random value by chance, else 0."""
    return value() if draw.random() < chance else 0.0


def drawn_loop(draw: np.random.Generator, kind: str = PLAIN) -> AgentLoop:
    """Return an agent without gains; its filter is no slower than its vehicle."""
    filtered, predicts = kind in (FILTERED, BOTH), kind in (PREDICTING, BOTH)
    substeps, period = int(draw.integers(1, 11)), between(draw, 0.01, 0.2)
    tau = None if draw.random() < 0.2 else max(between(draw, 0.02, 3.0), period / substeps)
    believed = between(draw, 0.1, 10.0) * (tau or period)
    known = tau if draw.random() < 0.3 else believed
    slowest = max(tau or 0.0, period) / max(known or 0.0, period)
    share = maybe(draw, 0.6, lambda: slowest * draw.random() ** 2) if filtered else 0.0

    def latency() -> float:
        return maybe(draw, 0.7, lambda: draw.integers(0, LATEST * substeps + 1))

    loop = AgentLoop(
        0.0, 0.0, period, substeps, tau,
        assumed_lag(bool(draw.random() < 0.5), known, period),
        int(draw.integers(1, LATEST + 1)), int(latency()), int(latency()),
        filter_follows(share, known, period),
    )  # fmt: skip
    return loop._replace(prediction=drawn_prediction(draw, loop, known)) if predicts else loop


def drawn_prediction(
    draw: np.random.Generator, loop: AgentLoop, known: float | None
) -> OwnPrediction:
    """Return a prediction over the true latencies or others, with the lag that the law knows."""
    age, late = loop.odom_latency * loop.update, loop.command_latency * loop.update
    kind = draw.random()
    if kind < 0.4:
        late *= between(draw, 0.1, 10.0)
    elif kind < 0.6:
        late = LATEST * loop.period * draw.random()
    lag = None if known is None else assumed_lag(True, known, loop.period)
    return OwnPrediction(age + late, lag, loop.period)


def drawn_swarms(seed: int, count: int, kind: str = PLAIN) -> Iterator[Drawn]:
    """Iterate over random swarms of 2 to 10 agents with 1 to 4 hops."""
    draw = np.random.default_rng(seed)
    for _ in range(count):
        weights = (10.0 ** draw.uniform(-1.0, 1.0, int(draw.integers(2, 11)))).tolist()
        hops, loop = int(draw.integers(1, 5)), drawn_loop(draw, kind)
        yield Drawn(weights, hops, loop, draw.uniform(0.02, 0.98))


def on_bound(loop: AgentLoop, timing: LoopTiming, share: float) -> AgentLoop:
    """Return an agent whose gains use the whole bound, k_v a share of it."""
    k_v = share * largest_velocity_gain(timing)
    found = loop._replace(gain=largest_sure_gain(k_v, timing), velocity_gain=k_v)
    assert bound_use(found.gain, k_v, timing) == pytest.approx(1.0)
    return found


def radii(swarm: Drawn, scale: float = 1.0) -> tuple[float, float]:
    """Return the spectral radii along the ring and of the radius, with gains times a scale."""
    loop = swarm.loop
    return tuple(
        slowest_decay(factors, one._replace(
            gain=scale * one.gain, velocity_gain=scale * one.velocity_gain
        ))
        for factors, one in (
            (ring_factors(swarm.weights, swarm.hops),
             on_bound(loop, spacing_timing(loop), swarm.share)),
            (RADIAL, on_bound(loop, radial_timing(loop), swarm.share)),
        )
    )  # fmt: skip


@pytest.mark.timeout(600)
@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('count', [FEW, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_swarms_on_the_bound_settle(count: int, kind: str) -> None:
    """Not one of the drawn swarms grows."""
    grown = [
        (swarm, found)
        for swarm in drawn_swarms(1, count, kind)
        if max(found := radii(swarm)) > 1.0 + ROUNDING
    ]
    assert grown == []


@pytest.mark.parametrize('count', [60, pytest.param(1000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize('kind', ['rare measurements', 'lag of the acceleration'])
def test_what_counts_as_latency_does(kind: str, count: int) -> None:
    """Rare measurements by half their period, a lag of the acceleration by 0.6 of it."""
    draw = np.random.default_rng(5)
    for swarm in drawn_swarms(6, count):
        loop, period, acceleration_tau = swarm.loop, 1, math.nan
        lag = loop.tau
        if kind == 'rare measurements':
            period = int(draw.integers(1, LATEST * loop.substeps + 1))
            extra = 0.5 * period * loop.update
        else:
            acceleration_tau = between(draw, 0.02, 2.0)
            extra, lag = 0.6 * acceleration_tau, (loop.tau or 0.0) + acceleration_tau
            loop = loop._replace(assumed_lag=assumed_lag(False, lag, loop.period))
        timing = spacing_timing(loop._replace(tau=lag))
        gains = on_bound(loop, timing._replace(late=timing.late + extra), swarm.share)
        factors = ring_factors(swarm.weights, swarm.hops)
        worst = min(factors, key=lambda m: complex(m).real)
        for factor in (worst, factors[0]):
            assert stepped(gains, factor, 900, period, acceleration_tau) < 1.0 + 1e-5


def first_unstable(swarm: Drawn) -> float:
    """Return by what both gains on the bound are multiplied when the first mode grows."""
    low, high = 1.0, 2.0
    while max(radii(swarm, high)) < 1.0 and high < 100.0:
        low, high = high, 2.0 * high
    for _ in range(12):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if max(radii(swarm, middle)) < 1.0 else (low, middle)
    return low


def test_the_bound_is_not_vacuous() -> None:
    """Some swarm is unstable a little beyond it, half of them below a few times the gains."""
    margins = [first_unstable(swarm) for swarm in drawn_swarms(4, 300)]
    assert 1.0 <= min(margins) < 1.125
    assert float(np.median(margins)) < 4.0


def test_an_exact_prediction_takes_the_latencies_out() -> None:
    """What is left is that neighbours are not predicted; a wrong time and a wrong lag add up."""
    late = AgentLoop(1.5, 4.0, 0.05, 1000, 0.5, 0.5, 1, 4000, 2000)
    held = assumed_lag(True, 0.5, 0.05)
    exact = late._replace(prediction=OwnPrediction(0.3, held, 0.05))
    assert radial_timing(exact).late == pytest.approx(0.0, abs=1e-3)
    assert (spacing_timing(exact).predicted, radial_timing(exact).predicted) == (0.3, 0.0)
    short = late._replace(prediction=OwnPrediction(0.2, held, 0.05))
    assert spacing_timing(short).late == pytest.approx(0.1, abs=1e-3)
    slow = late._replace(prediction=OwnPrediction(0.3, 2.0 * held, 0.05))
    quick = late._replace(prediction=OwnPrediction(0.3, 0.5 * held, 0.05))
    for wrong in (slow, quick):
        assert spacing_timing(wrong).late == pytest.approx(0.15, abs=1e-3)
    assert spacing_timing(late).late == pytest.approx(0.3)


@pytest.mark.parametrize('tau', [None, 0.3, 2.0])
@pytest.mark.parametrize('period', [0.01, 0.1])
def test_the_bound_holds_for_large_even_rings(period: float, tau: float | None) -> None:
    """A grid of rings up to 60 agents with 8 hops and messages up to ten ticks old."""
    known = [m for n in range(2, 61) for hops in range(1, 9) for m in mode_factors(n, hops)[1:]]
    factors = [1.0, *np.linspace(min(known), max(known), 21).tolist()]
    for delay in (1, 2, 4, 10):
        loop = AgentLoop(0.0, 0.0, period, 5, tau, assumed_lag(False, tau, period), delay)
        for share in (0.02, 0.2, 0.5, 0.9):
            assert slowest_decay(factors, on_bound(loop, spacing_timing(loop), share)) < 1.0


def test_without_latencies_it_is_the_delay_and_the_period() -> None:
    """With the right lag, (d k_s + 2 k_v) T and (k_r + 2 k_v) T."""
    loop = AgentLoop(1.5, 4.0, 0.05, 1000, 1.0, 1.0, 3)
    assert bound_use(1.5, 4.0, spacing_timing(loop)) == pytest.approx((4.5 + 8.0) * 0.05)
    assert bound_use(1.0, 4.0, radial_timing(loop)) == pytest.approx((1.0 + 8.0) * 0.05)


def test_latencies_filter_and_a_wrong_lag_use_more_of_it() -> None:
    """Latencies add up, the filter counts half, a lag assumed too long multiplies."""
    right = AgentLoop(1.5, 4.0, 0.05, 1000, 0.5, 0.5)
    late = right._replace(command_latency=2000, odom_latency=1000)
    late = late._replace(follows=filter_follows(0.2, 0.5, 0.05))
    assert spacing_timing(late).late == pytest.approx(0.1 + 0.05 + 0.5 * 0.1)
    assert spacing_timing(right).excess == 1.0
    wrong = spacing_timing(right._replace(assumed_lag=1.5)).excess
    assert wrong == pytest.approx(3.0 * (1.0 - math.exp(-0.1)) / 0.1, rel=1e-3)
    assert spacing_timing(right._replace(assumed_lag=0.1)).excess == 1.0


@pytest.mark.parametrize('constant', [0.01, 0.05, 2.0])
def test_the_filter_time_is_that_of_its_share(constant: float) -> None:
    """There and back; a filter that lets all through has none."""
    assert filter_time(filter_follows(constant, 1.0, 0.05), 0.05) == pytest.approx(constant)
    assert filter_time(1.0, 0.05) == 0.0
