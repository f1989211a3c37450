"""Time of one step of the limiters, by Python and by compiled code.

    python bench/smoothing.py [STEPS]

Every step gets another request, so that the limits act; medians of seven rounds.
"""

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
from machine import describe

from soliton_encirclement_ros.sim.compilation.compiled import OPTIONS, twin
from soliton_encirclement_ros.sim.compilation.numba_import import has_numba
from velocity_mobility_ros.core import twist_smoothing
from velocity_mobility_ros.core.rate_limit import (
    AsymmetricRate, FixedRate, RateState, asymmetric_rate, fixed_rate, stepping
)
from velocity_mobility_ros.core.step_time import LimiterClock
from velocity_mobility_ros.core.twist_smoothing import STILL, Motion, MotionLimits

ROUNDS = 7
PERIOD_NS = 20_000_000
START_NS = 1_700_000_000_000_000_000
LIMITS = MotionLimits(3.0, 2.0)
RULES = twist_smoothing.ChainRules(
    10.0, 5.0, 1.5, 0.1, 0.05, LIMITS, 0.1, 0.5, MotionLimits(math.inf, math.inf)
)
fixed_step, asymmetric_step = stepping(fixed_rate), stepping(asymmetric_rate)
motion_step, chain_step = twist_smoothing.motion_step, twist_smoothing.step
accept = twist_smoothing.accept


def two_channels_fixed(steps: int, values: Sequence[float]) -> float:
    """Limit two channels by a fixed rate."""
    state = RateState(LimiterClock(START_NS, 0), 0)
    for i in range(1, steps + 1):
        wanted = (float(i % 7), float(i % 5))
        now_ns = START_NS + i * PERIOD_NS
        state = fixed_step(FixedRate(2.0), 0.1, state, values, wanted, now_ns)
    return values[0]


def two_channels_asymmetric(steps: int, values: Sequence[float]) -> float:
    """Limit two channels by two rates."""
    state = RateState(LimiterClock(START_NS, 0), 0)
    for i in range(1, steps + 1):
        wanted = (float(i % 7) - 3.0, float(i % 5) - 2.0)
        now_ns = START_NS + i * PERIOD_NS
        state = asymmetric_step(AsymmetricRate(1.0, 2.0), 0.1, state, values, wanted, now_ns)
    return values[0]


def motion(steps: int, values: Sequence[float]) -> float:
    """Limit a motion."""
    state = twist_smoothing.LimitedMotion(STILL, LimiterClock(START_NS, 0), 1.0, 0)
    for i in range(1, steps + 1):
        wanted = Motion((float(i % 7) - 3.0, float(i % 5) - 2.0, 1.0), float(i % 3) - 1.0)
        state = motion_step(LIMITS, 0.1, state, wanted, START_NS + i * PERIOD_NS)
    return state.motion.velocity[0]


def command_chain_of_a_vehicle(steps: int, values: Sequence[float]) -> float:
    """Make the whole chain: a command and an output per step."""
    limiter = twist_smoothing.LimitedMotion(STILL, LimiterClock(START_NS, 0), 1.0, 0)
    state = twist_smoothing.ChainState(limiter, STILL, START_NS, False, False, False, 0)
    for i in range(1, steps + 1):
        wanted = Motion((float(i % 7) - 3.0, float(i % 5) - 2.0, 1.0), float(i % 3) - 1.0)
        now_ns = START_NS + i * PERIOD_NS
        state = chain_step(RULES, accept(state, wanted, now_ns), STILL, False, now_ns)
    return state.limiter.motion.velocity[0]


CASES = (two_channels_fixed, two_channels_asymmetric, motion, command_chain_of_a_vehicle)


def compiled(case: Callable[..., float]) -> Callable[..., float]:
    """Return a case as machine code."""
    import numba

    return numba.njit(**OPTIONS)(twin(case))


def measure(
    case: Callable[..., float], steps: int, make: Callable[[], Sequence[float]]
) -> tuple[float, float]:
    """Return the time of a step [us], and the last output.

    Args:
        case: What to measure.
        steps: Steps of a round.
        make: Makes the row of the channels.
    """
    times, last = [], math.nan
    for _ in range(ROUNDS):
        values = make()
        began = time.perf_counter()
        last = case(steps, values)
        times.append(time.perf_counter() - began)
    return 1e6 * statistics.median(times) / steps, last


def main() -> int:
    """Print the table; return 1 if compiled code gives another last output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('steps', nargs='?', type=int, default=20_000)
    steps, same = parser.parse_args().steps, True
    print('| step | Python [us] | compiled [us] |')
    print('| --- | --- | --- |')
    for case in CASES:
        plain, expected = measure(case, steps, lambda: [0.0, 0.0])
        cell = '-'
        if has_numba():
            fast = compiled(case)
            same &= fast(steps, np.zeros(2)) == expected
            cell = f'{measure(fast, 50 * steps, lambda: np.zeros(2))[0]:.3f}'
        print(f'| {case.__name__.replace("_", " ")} | {plain:.2f} | {cell} |', flush=True)
    print(f'\n{describe()}')
    return 0 if same else 1


if __name__ == '__main__':
    sys.exit(main())
