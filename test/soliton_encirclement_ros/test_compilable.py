"""The laws compile as they stand: numba takes the same functions and gives the same bits."""

import functools
import math
import random
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from soliton_encirclement_ros.actors import target_motion
from soliton_encirclement_ros.actors.spin import spin_law
from soliton_encirclement_ros.actors.spin.spin_laws import SPIN_LAWS
from soliton_encirclement_ros.controllers.terms import (
    encirclement,
    propagation_channels,
    saturation,
    soliton_channel,
    sqrt_controller,
    velocity_terms,
)
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.ring import (
    edge_weights,
    metrics,
    plane,
    polar,
    roaming,
    spacing,
    spacing_correction,
)
from soliton_encirclement_ros.core.scenario.random_streams import run_streams
from soliton_encirclement_ros.core.schedules import periodic
from soliton_encirclement_ros.core.states import dead_reckoning
from soliton_encirclement_ros.propagation import LAYERS
from soliton_encirclement_ros.sim.compilation.compiled import OPTIONS, twin
from velocity_mobility_ros.core.frames import wrap_2pi

GAINS = encirclement.EncirclementGains(1.0, 1.5, 4.0, 3.2, 3.2, 1.0, 10.0)
SCENES = 50


@functools.cache
def compiled(function: Callable) -> Callable:
    """Return a function as the engine compiles it, and with it every function of ours it calls."""
    return numba.njit(**OPTIONS)(twin(function))


def draws(seed: int, count: int, size: float = 10.0) -> list[float]:
    """Return repeatable numbers."""
    stream = random.Random(seed)
    return [stream.uniform(-size, size) for _ in range(count)]


def flat(value: Any) -> tuple:
    """Return the numbers in nested tuples, comparable bit for bit."""
    if isinstance(value, tuple):
        return tuple(number for part in value for number in flat(part))
    return (float(value),)


PLAIN = [
    (plane.direction, 2), (sqrt_controller.sqrt_controller, 1), (saturation.saturation, 4),
    (spacing.angular_rate, 4), (spacing.damped_error, 5), (velocity_terms.tangential_velocity, 3),
    (velocity_terms.spin_velocity, 3), (propagation_channels.compose, 2),
    (metrics.body_figures, 4), (target_motion.constant_velocity, 1),
]  # fmt: skip
REST: dict[Callable, tuple] = {
    sqrt_controller.sqrt_controller: (1.5, 3.2),
    saturation.saturation: (9.0,),
    velocity_terms.tangential_velocity: (0.2, 1.0),
    propagation_channels.compose: (0.2,),
    metrics.body_figures: (20.0,),
    target_motion.constant_velocity: (135.0,),
}


@pytest.mark.parametrize(('law', 'count'), PLAIN, ids=lambda law: getattr(law, '__name__', ''))
def test_a_plain_law_gives_the_same_bits(law: Callable, count: int) -> None:
    """Functions of a few numbers."""
    for seed in range(SCENES):
        arguments = (*draws(seed, count), *REST.get(law, ()))
        assert flat(compiled(law)(*arguments)) == flat(law(*arguments))


def test_our_law_gives_the_same_bits() -> None:
    """From the ring to the acceleration."""

    def fly(wrap: Callable, seed: int) -> tuple:
        thetas = np.array(sorted(draws(seed, 8, math.pi)))
        rates, weights = np.array(draws(seed + 1, 8, 0.3)), np.exp(draws(seed + 2, 8, 2.0))
        shift = wrap(spacing_correction.spacing_correction)(
            thetas, rates, weights, seed % 8, 0.1, 1 + seed % 5
        )
        at = wrap(polar.polar)(*draws(seed + 3, 4, 25.0), 1.0)
        wanted = wrap(encirclement.wanted_speeds)(at, shift, 0.2, (3.0, 4.0), 20.0, GAINS)
        pull = wrap(encirclement.wanted_acceleration)(at, wanted, shift, 20.0, GAINS)
        return flat((shift, at, wanted, pull))

    for seed in range(SCENES):
        assert fly(compiled, seed) == fly(lambda law: law, seed)


def test_dead_reckoning_gives_the_same_bits() -> None:
    """Records of records."""
    body = dead_reckoning.Motion((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (0.5, 0.6))
    assert flat(compiled(dead_reckoning.moved)(body, 0.15)) == flat(
        dead_reckoning.moved(body, 0.15)
    )


@pytest.mark.parametrize('name', LAYERS)
def test_a_layer_gives_the_same_bits(name: str) -> None:
    """Every propagation layer, over a few ticks from rest."""
    layer = LAYERS[name]
    gains = layer.gains(PropagationParameters(propagation_method=name))
    step, state, other = compiled(layer.step), layer.rest, layer.rest
    for seed in range(10):
        e_tau, *heard = draws(seed, 1 + 2 * len(layer.no_message), 1.0)
        pred = layer.no_message._make(heard[: len(layer.no_message)])
        succ = layer.no_message._make(heard[len(layer.no_message) :])
        state, signal = layer.step(state, e_tau, 0.05, pred, succ, gains)
        other, same = step(other, e_tau, 0.05, pred, succ, gains)
        assert (flat(other), same) == (flat(state), signal)


def test_the_tangential_states_give_the_same_bits() -> None:
    """The seed's and the successor's."""
    seed_gains = soliton_channel.ChannelGains(2.0, 0.1, 0.3, 0.05, 7.0, 0.5, 25.0, math.nan)
    own_gains = propagation_channels.TwoChannelGains(7.0, 7.0, 25.0, 1.0, 0.2)
    for law, state, count, gains in (
        (soliton_channel.soliton_step, soliton_channel.AT_REST, 5, seed_gains),
        (propagation_channels.two_channel_step, propagation_channels.AT_REST, 2, own_gains),
    ):
        arguments = (state, *draws(3, count, 1.0), 0.05, gains)
        assert flat(compiled(law)(*arguments)) == flat(law(*arguments))


@pytest.mark.parametrize('name', SPIN_LAWS)
def test_a_spin_law_gives_the_same_bits(name: str) -> None:
    """Every law, over errors that are lost, exactly zero and across half a turn."""
    law, gains = SPIN_LAWS[name], spin_law.SpinGains(1.0, 0.2, 0.8, 0.05, 0.1, 0.05, 0.5, 0.5)
    rest, step = compiled(law.rest), compiled(law.step)
    memory, other = law.rest(gains), rest(gains)
    for k, err in enumerate([*draws(5, 40, 3.1), 0.0, math.nan, *draws(6, 40, 0.5)]):
        memory, omega = law.step(memory, 0.05 * k, err, k % 7 > 0, gains)
        other, same = step(other, 0.05 * k, err, k % 7 > 0, gains)
        assert same == omega
        assert [number.hex() for number in other] == [number.hex() for number in memory]


def test_the_centre_error_gives_the_same_bits() -> None:
    """Up to nine agents, and nobody."""
    for seed in range(SCENES):
        xs, ys = (np.array(draws(seed + k, 1 + seed % 9, 25.0)) for k in (0, 100))
        arguments = (xs, ys, *draws(seed + 200, 2), 0.05)
        assert compiled(spin_law.centre_error)(*arguments) == spin_law.centre_error(*arguments)
    nobody = np.array([])
    assert compiled(spin_law.centre_error)(nobody, nobody, 1.0, 0.0, 0.05) == 0.0


@pytest.mark.parametrize('always_fresh', [True, False])
@pytest.mark.parametrize('protection', [90.0, 350.0, 360.0])
def test_the_token_goes_the_same_ways(protection: float, always_fresh: bool) -> None:
    """Agents that come and go, every 0.4 s."""
    token = same = edge_weights.NO_TOKEN
    for k in range(100):
        ids = np.array(random.Random(k // 4).sample(range(1, 9), k // 4 % 8), dtype=np.int64)
        thetas = np.array([wrap_2pi(angle) for angle in draws(k, len(ids), math.pi)])
        rest = (0.4 * k, protection, always_fresh, ids, thetas, np.argsort(thetas, kind='stable'))
        token = edge_weights.passed_token(token, *rest)
        same = compiled(edge_weights.passed_token)(same, *rest)
        assert same == token


def drawn_alike(rng: str, law: Callable, scenes: list[tuple]) -> None:
    """Fail unless a law gives the same bits and draws the same numbers, scene by scene."""
    one, other = run_streams(rng, 3).target, run_streams(rng, 3).target
    for scene in scenes:
        assert flat(compiled(law)(*scene, other)) == flat(law(*scene, one))
    assert other.random() == one.random()


RNG = pytest.mark.parametrize('rng', ['streams', 'reference'])


@RNG
def test_a_wanderer_gives_the_same_bits(rng: str) -> None:
    """At home, outside its box, and at rest."""
    scenes = [(5.0, 20.0, *draws(seed, 2, 30.0)) for seed in range(SCENES)]
    drawn_alike(rng, target_motion.random_velocity, [*scenes, (0.0, 20.0, 1.0, 1.0)])


@RNG
@pytest.mark.parametrize(('bound', 'keep'), [(40.0, 30.0), (10.0, 100.0)])
def test_a_goal_gives_the_same_bits(rng: str, bound: float, keep: float) -> None:
    """Found at the first tries, and not at all."""
    scenes = [(*draws(seed, 2, 20.0), bound, keep) for seed in range(SCENES)]
    drawn_alike(rng, roaming.pick_goal, scenes)


@RNG
def test_a_heading_gives_the_same_bits(rng: str) -> None:
    """Towards a goal, at the goal, and away from the target."""
    scenes = [(*draws(seed, 6, 40.0), 40.0, 30.0) for seed in range(SCENES)]
    scenes += [(40.0, y, 0.0, 0.0, 40.0, y + 0.5, 40.0, 30.0) for y in draws(1, 9, 40.0)]
    drawn_alike(rng, roaming.heading, scenes)
    lost = (40.0, 40.0, 0.0, 0.0, math.nan, math.nan, 40.0, 30.0)
    drawn_alike(rng, roaming.heading, [lost] * SCENES)


def test_firings_are_counted_alike() -> None:
    """Three periods over a minute of ticks of 0.05 s."""
    for period in (0.05, 0.1, 1.0):
        for k in range(1200):
            found = compiled(periodic.firings)(0.05 * k, 0.1, period)
            assert found == periodic.firings(0.05 * k, 0.1, period)


def test_the_metrics_give_the_same_bits() -> None:
    """Up to twelve agents, a speed that is no number included, and nobody."""
    for seed in range(SCENES):
        count = 1 + seed % 12
        radial, speed = draws(seed, count, 1.0), [math.nan, *draws(seed + 1, count - 1)]
        thetas = [wrap_2pi(angle) for angle in draws(seed + 2, count, math.pi)]
        weights = [abs(weight) + 0.1 for weight in draws(seed + 3, count)]
        arguments = tuple(map(np.array, (radial, speed, thetas, sorted(thetas), weights)))
        assert compiled(metrics.ring_metrics)(*arguments) == metrics.ring_metrics(*arguments)
    nobody = np.array([])
    assert np.isnan(compiled(metrics.ring_metrics)(nobody, nobody, nobody, nobody, nobody)).all()
