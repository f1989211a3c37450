"""The laws compile as they stand: numba takes the same functions and gives the same bits."""

import functools
import math
import random
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from soliton_encirclement_ros.actors.spin import spin_law
from soliton_encirclement_ros.actors.spin.spin_laws import SPIN_LAWS
from soliton_encirclement_ros.core.parameters.propagation_parameters import PropagationParameters
from soliton_encirclement_ros.core.ring import (
    edge_weights,
)
from soliton_encirclement_ros.propagation import LAYERS
from soliton_encirclement_ros.sim.compilation.compiled import OPTIONS, twin
from velocity_mobility_ros.core.frames import wrap_2pi


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
