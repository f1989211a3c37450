"""Warns of gains with which ``soliton`` or ``predictive`` may oscillate instead of settling."""

import math
from collections.abc import Mapping, Sequence

from soliton_encirclement_ros.core.parameters.control_parameters import ControlParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.stability.agent_loop import AgentLoop
from soliton_encirclement_ros.core.stability.gain_bound import (
    LoopTiming,
    bound_use,
    largest_sure_gain,
    largest_velocity_gain,
    radial_timing,
    spacing_timing,
)
from soliton_encirclement_ros.core.stability.loop_gains import LoopGains, loop_gains
from soliton_encirclement_ros.core.stability.ring_stability import RADIAL, slowest_decay
from soliton_encirclement_ros.core.stability.swarm_loops import agent_loop

NOTABLE = 1.001
"""Least excess acceleration that a warning tells."""

MOST_TICKS = 60
"""Most ticks of delay of a loop whose linear model is computed; its matrix grows with them."""

Loops = Mapping[str, AgentLoop]
"""Loops with the spacing gain, by whom they belong to; '' for all agents."""


def law_warnings(
    gains: LoopGains, loops: Loops, factors: Sequence[complex] = ()
) -> list[str]:
    """Return one line per gain of a law and kind of vehicle that may be unstable.

    Args:
        gains: The gains.
        loops: The agents.
        factors: Mode factors of the ring, to tell what the linear model says; none: not told.
    """
    return [
        line for whose, loop in loops.items() for line in _warnings(whose, loop, factors, gains)
    ]


def agent_warnings(
    control: ControlParameters, limits: CommandLimits, period: float
) -> list[str]:
    """Return the same lines as far as an agent can tell, which knows itself alone.

    Args:
        control: The record that belongs to its controller.
        limits: Lag and delay of its vehicle.
        period: Control period [s].
    """
    gains = loop_gains(control)
    return [] if gains is None else law_warnings(gains, {'': agent_loop(gains, limits, period)})


def _warnings(
    whose: str, loop: AgentLoop, factors: Sequence[complex], gains: LoopGains
) -> list[str]:
    radial, names = loop._replace(gain=gains.radius), gains.names
    checks = (
        (names.spacing, loop, spacing_timing(loop), factors),
        (names.radius, radial, radial_timing(loop), RADIAL if factors else ()),
    )
    return [
        _warning(name, names.velocity, whose, one, timing) + _verdict(one, modes)
        for name, one, timing, modes in checks
        if not bound_use(one.gain, one.velocity_gain, timing) <= 1.0
    ]


def _warning(
    name: str, velocity: str, whose: str, loop: AgentLoop, timing: LoopTiming
) -> str:
    k_v = loop.velocity_gain
    return (
        f'control.{name} = {loop.gain:g} 1/s with {velocity} = {k_v:g} 1/s may oscillate'
        f'{f" ({whose})" if whose else ""}: {_formula(name, velocity, timing)} = '
        f'{bound_use(loop.gain, k_v, timing):.4g} should be at most 1; '
        f'{_remedy(name, velocity, k_v, timing)} (docs/law.md)'
    )


def _formula(name: str, velocity: str, timing: LoopTiming) -> str:
    """Return the left side of the bound; terms without effect are left out."""
    text = f'({timing.delay} {name} + 2 {velocity}) {timing.period:g} s'
    if timing.late > 0.0:
        late = f'{timing.late:.3g} s of latency'
        text += f' + ({timing.late_factor:g} {name} + {velocity}) {late}'
    if timing.predicted > 0.0:
        text += f' + {name} {timing.predicted:.3g} s of prediction'
    if timing.excess >= NOTABLE:
        text = f'({text}) {timing.excess:.4g} for the acceleration that the vehicle makes of it'
    return text


def _remedy(name: str, velocity: str, k_v: float, timing: LoopTiming) -> str:
    largest = largest_sure_gain(k_v, timing)
    if largest > 0.0:
        return f'{name} may be at most {_rounded_down(largest)} 1/s'
    largest = largest_velocity_gain(timing)
    return f'no {name} is small enough, {velocity} must be below {_rounded_down(largest)} 1/s'


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
