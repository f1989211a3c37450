"""The laws compile as they stand: numba takes the same functions and gives the same bits."""

import functools
import math
import random
import types
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from soliton_encirclement_ros.core import (
    approach,
    commands,
    encirclement,
    motion,
    plane,
    priority,
    ring_window,
    soliton,
    spacing,
    two_channel,
)
from soliton_encirclement_ros.core.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.propagation import LAYERS

OURS = ('velocity_mobility_ros', 'soliton_encirclement_ros')
GAINS = encirclement.Gains(1.0, 1.5, 4.0, 3.2, 1.0, 10.0)
SCENES = 50


@functools.cache
def compiled(function: Callable) -> Callable:
    """Return a function compiled, and with it every function of ours that it calls."""
    names = {
        name: compiled(value)
        if isinstance(value, types.FunctionType) and value.__module__.startswith(OURS)
        else value
        for name, value in function.__globals__.items()
        if name in function.__code__.co_names
    }
    copy = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    return numba.njit(copy)


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
    (plane.direction, 2), (approach.approach, 1), (priority.largest_share, 4),
    (spacing.angular_rate, 4), (spacing.damped_error, 5), (commands.tangential_velocity, 3),
    (commands.spin_velocity, 3), (two_channel.compose, 2),
]  # fmt: skip
REST: dict[Callable, tuple] = {
    approach.approach: (1.5, 3.2),
    priority.largest_share: (9.0,),
    commands.tangential_velocity: (0.2, 1.0),
    two_channel.compose: (0.2,),
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
        shift = wrap(ring_window.window_shift)(thetas, rates, weights, seed % 8, 1 + seed % 5)
        at = wrap(encirclement.polar)(*draws(seed + 3, 4, 25.0), 1.0)
        wanted = wrap(encirclement.wanted_speeds)(at, shift, 0.2, (3.0, 4.0), 20.0, GAINS)
        pull = wrap(encirclement.wanted_acceleration)(at, wanted, shift, 20.0, GAINS)
        return flat((shift, at, wanted, pull))

    for seed in range(SCENES):
        assert fly(compiled, seed) == fly(lambda law: law, seed)


def test_dead_reckoning_gives_the_same_bits() -> None:
    """Records of records."""
    body = motion.Motion((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (0.5, 0.6))
    assert flat(compiled(motion.moved)(body, 0.15)) == flat(motion.moved(body, 0.15))


@pytest.mark.parametrize('name', LAYERS)
def test_a_layer_gives_the_same_bits(name: str) -> None:
    """Every propagation layer, over a few ticks from rest."""
    layer = LAYERS[name]
    gains = layer.gains(PropagationParameters(propagation_method=name))
    step, state, other = compiled(layer.step), layer.rest, layer.rest
    for seed in range(10):
        e_tau, *heard = draws(seed, 1 + 2 * len(layer.silence), 1.0)
        pred = layer.silence._make(heard[: len(layer.silence)])
        succ = layer.silence._make(heard[len(layer.silence) :])
        state, signal = layer.step(state, e_tau, 0.05, pred, succ, gains)
        other, same = step(other, e_tau, 0.05, pred, succ, gains)
        assert (flat(other), same) == (flat(state), signal)


def test_the_tangential_states_give_the_same_bits() -> None:
    """The seed's and the successor's."""
    seed_gains = soliton.SolitonGains(2.0, 0.1, 0.3, 0.05, 7.0, 0.5, 25.0, math.nan)
    own_gains = two_channel.TwoChannelGains(7.0, 7.0, 25.0, 1.0, 0.2)
    for law, state, count, gains in (
        (soliton.soliton_step, soliton.AT_REST, 5, seed_gains),
        (two_channel.two_channel_step, two_channel.AT_REST, 2, own_gains),
    ):
        arguments = (state, *draws(3, count, 1.0), 0.05, gains)
        assert flat(compiled(law)(*arguments)) == flat(law(*arguments))
