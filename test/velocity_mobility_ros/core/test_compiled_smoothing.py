"""The limiters compile as they stand, and give the same bits."""

import functools
import math
import random

import numba
import pytest

from soliton_encirclement_ros.sim.compilation.compiled import OPTIONS, twin
from velocity_mobility_ros.core import twist_smoothing
from velocity_mobility_ros.core.twist_smoothing import Motion, MotionLimits

START_NS = 1_700_000_000_000_000_000
WORST = [math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 0.0, -0.0]


@functools.cache
def compiled(function):
    return numba.njit(**OPTIONS)(twin(function))


def drawn(draw, size):
    """Return a number, one in thirty of which nobody should send."""
    return draw.choice(WORST) if draw.random() < 0.03 else draw.uniform(-size, size)


def steps(draw):
    """Return a time step [ns]: mostly a period, sometimes none, a setback or a long one."""
    rare = draw.choice([0, -3 * 10**9, 5 * 10**9])
    return rare if draw.random() < 0.05 else draw.randrange(10**6, 4 * 10**7)


def motion(draw):
    velocity = (drawn(draw, 8.0), drawn(draw, 8.0), drawn(draw, 8.0))
    return Motion(velocity, drawn(draw, 2.0))


def bits(value):
    """Return all numbers of a record, comparable to the last bit and to the sign of zero."""
    if isinstance(value, tuple):
        return tuple(one for part in value for one in bits(part))
    return (float(value).hex(),)


@pytest.mark.parametrize('max_error', [math.inf, 1.0])
def test_the_chain_gives_the_same_bits(max_error):
    draw, now = random.Random(3), START_NS
    rules = twist_smoothing.ChainRules(
        5.0, 3.0, 1.0, 0.3, 0.1, MotionLimits(3.0, 2.0), 0.1, 0.5, MotionLimits(max_error, 0.5)
    )
    names = 'accept', 'step', 'stop', 'release'
    accept, step, stop, release = (compiled(getattr(twist_smoothing, name)) for name in names)
    state = same = twist_smoothing.at_rest(now)
    for i in range(3000):
        now, wanted, measured = now + steps(draw), motion(draw), motion(draw)
        if draw.random() < (0.5 if i % 200 < 150 else 0.0):
            state = twist_smoothing.accept(state, wanted, now)
            same = accept(same, wanted, now)
        if i % 500 == 499:
            state, same = twist_smoothing.stop(state), stop(same)
        if i % 500 == 20:
            state, same = twist_smoothing.release(state), release(same)
        known = draw.random() < 0.5 and all(
            map(math.isfinite, (*measured.velocity, *measured[1:]))
        )
        state = twist_smoothing.step(rules, state, measured, known, now)
        same = step(rules, same, measured, known, now)
        assert bits(state) == bits(same)
    assert state.timeouts >= 10
