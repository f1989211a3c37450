"""Warns of gains with which the law ``soliton`` may oscillate instead of settling."""

import math
from collections.abc import Mapping, Sequence

from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.stability.agent_loop import AgentLoop
from soliton_encirclement_ros.core.stability.gain_bound import (
    LoopTiming,
    bound_use,
    largest_sure_gain,
    largest_velocity_gain,
    radial_timing,
    spacing_timing,
)
from soliton_encirclement_ros.core.stability.ring_stability import RADIAL, slowest_decay

SOLITON = 'soliton'

NOTABLE = 1.001
"""Least excess acceleration that a warning tells."""

MOST_TICKS = 60
"""Most ticks of delay of a loop whose linear model is computed; its matrix grows with them."""

Loops = Mapping[str, AgentLoop]
"""Loops with the spacing gain, by whom they belong to; '' for all agents."""


def law_warnings(
    control: ControlParameters, loops: Loops, factors: Sequence[complex] = ()
) -> list[str]:
    """Return one line per gain of the law ``soliton`` and kind of vehicle that may be unstable.

    Args:
        control: The gains.
        loops: The agents.
        factors: Mode factors of the ring, to tell what the linear model says; none: not told.
    """
    if control.controller != SOLITON:
        return []
    return [
        line for whose, loop in loops.items() for line in _warnings(whose, loop, factors, control)
    ]


def _warnings(
    whose: str, loop: AgentLoop, factors: Sequence[complex], control: ControlParameters
) -> list[str]:
    radial = loop._replace(gain=control.k_r)
    checks = (
        ('k_s', loop, spacing_timing(loop), factors),
        ('k_r', radial, radial_timing(loop), RADIAL if factors else ()),
    )
    return [
        _warning(name, whose, one, timing) + _verdict(one, modes)
        for name, one, timing, modes in checks
        if not bound_use(one.gain, one.velocity_gain, timing) <= 1.0
    ]


def _warning(name: str, whose: str, loop: AgentLoop, timing: LoopTiming) -> str:
    k_v = loop.velocity_gain
    return (
        f'control.{name} = {loop.gain:g} 1/s with k_v = {k_v:g} 1/s may oscillate'
        f'{f" ({whose})" if whose else ""}: {_formula(name, timing)} = '
        f'{bound_use(loop.gain, k_v, timing):.4g} should be at most 1; '
        f'{_remedy(name, k_v, timing)} (docs/law.md)'
    )


def _formula(name: str, timing: LoopTiming) -> str:
    """Return the left side of the bound; terms without effect are left out."""
    text = f'({timing.delay} {name} + 2 k_v) {timing.period:g} s'
    if timing.late > 0.0:
        text += f' + ({timing.late_factor:g} {name} + k_v) {timing.late:.3g} s of latency'
    if timing.excess >= NOTABLE:
        text = f'({text}) {timing.excess:.4g} for the acceleration that the vehicle makes of it'
    return text


def _remedy(name: str, k_v: float, timing: LoopTiming) -> str:
    largest = largest_sure_gain(k_v, timing)
    if largest > 0.0:
        return f'{name} may be at most {_rounded_down(largest)} 1/s'
    velocity = _rounded_down(largest_velocity_gain(timing))
    return f'no {name} is small enough, k_v must be below {velocity} 1/s'


def _rounded_down(value: float) -> str:
    """Return a number above 0 with three digits, not above what it is."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return f'{math.floor(value / unit + 1e-9) * unit:.3g}'


def _verdict(loop: AgentLoop, factors: Sequence[complex]) -> str:
    """Return what the linear model of a ring of such agents says."""
    late = (loop.command_latency + loop.odom_latency) // loop.substeps
    if not factors or loop.delay + late > MOST_TICKS:
        return ''
    growth = slowest_decay(factors, loop)
    if growth < 1.0:
        return '; the linear model settles all the same'
    return f'; in the linear model disturbances grow {growth:.3g} times per tick'
