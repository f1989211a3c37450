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

NOTABLE = 1.05
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
        f'{_warning(name, names.velocity, whose, one, timing)}{_verdict(one, modes)} (docs/law.md)'
        for name, one, timing, modes in checks
        if not bound_use(one.gain, one.velocity_gain, timing) <= 1.0
    ]


def _warning(
    name: str, velocity: str, whose: str, loop: AgentLoop, timing: LoopTiming
) -> str:
    return (
        f'control.{name} = {loop.gain:g} 1/s may oscillate{f" ({whose})" if whose else ""}: '
        f'{_remedy(name, velocity, loop.velocity_gain, timing)}'
    )


def _remedy(name: str, velocity: str, k_v: float, timing: LoopTiming) -> str:
    """Return what would be allowed with all else as it is."""
    largest, tracking = largest_sure_gain(k_v, timing), f'{velocity} = {k_v:g} 1/s'
    if largest > 0.0:
        given = _listed([tracking, *_delays(timing)])
        return f'with {given} it is sure to settle up to {_rounded_down(largest)} 1/s'
    largest = largest_velocity_gain(timing)
    return (
        f'{tracking} is too high for any {name} with {_listed(_delays(timing))}; it must be '
        f'below {_rounded_down(largest)} 1/s'
    )


def _delays(timing: LoopTiming) -> list[str]:
    """Return what keeps the gains low; what has no effect is left out."""
    parts = [f'a control period of {timing.period:g} s']
    if timing.delay > 1:
        parts.append(f'messages that are {timing.delay} periods old')
    if timing.late > 0.0:
        parts.append(f'{timing.late:.3g} s of latency')
    if timing.predicted > 0.0:
        parts.append(f'{timing.predicted:.3g} s of prediction')
    if timing.excess >= NOTABLE:
        parts.append(f'a vehicle that accelerates {timing.excess:.3g} times as much as asked for')
    return parts


def _listed(parts: Sequence[str]) -> str:
    *first, last = parts
    return f'{", ".join(first)} and {last}' if first else last


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
        return '; by the linear model it settles all the same'
    return (
        f'; by the linear model errors grow {growth:.3g} times per tick until the limits of the '
        'vehicle hold them: its commands swing to and fro, also where the ring stays closed'
    )
