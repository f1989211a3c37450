"""Warns of gains with which ``soliton`` or ``predictive`` may oscillate instead of settling.

The loops of all agents of a swarm follow from the parameters of their vehicles.
"""

import math
from collections.abc import Mapping, Sequence

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.parameters.control_parameters import (
    PREDICTIVE, SAMPLED, SOLITON, ControlParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, command_limits, with_assumed_lag
)
from soliton_encirclement_ros.core.ring.edge_weights import edge_weight
from soliton_encirclement_ros.core.stability.agent_loop import (
    RADIAL, AgentLoop, OwnPrediction, mode_factors, ring_factors, slowest_decay
)
from soliton_encirclement_ros.core.stability.gain_bound import (
    LoopTiming, assumed_lag, bound_use, filter_follows, largest_sure_gain, largest_velocity_gain,
    radial_timing, spacing_timing, tracking_gain
)
from velocity_mobility_ros.core.user_errors import join_with_and
from velocity_mobility_ros.core.velocity_model import MobilityParameters

CONTINUOUS = 1000
"""Updates per period of a vehicle whose own controller is much faster."""

ACCELERATION_SHARE = 0.6
"""Latency per lag of the acceleration, of vehicles that have one besides that of the velocity."""

MOST_NAMES = 5
"""Most agents that a warning names."""

MOST_AGENTS = 100
"""Most agents of a ring whose modes are computed."""


def has_bound(control: ControlParameters) -> bool:
    """Return whether a section selects our law, whose gains are bounded."""
    return control.controller in (PREDICTIVE, SOLITON)


def agent_loop(control: ControlParameters, limits: CommandLimits, period: float) -> AgentLoop:
    """Return the loop of an agent of which only the limits of its commands are known.

    Args:
        control: Section of the law, one of ``has_bound``.
        limits: Holds lag and delay of its vehicle, which are taken as right.
        period: Control period [s].
    """
    loop, delay = _with_limits(control, limits, period, 0.0), limits.response_delay
    if loop.prediction is None:
        return loop
    return loop._replace(command_latency=round(delay / loop.update))


def agent_loops(
    control: ControlParameters,
    vehicles: Mapping[str, MobilityParameters],
    period: float,
    substeps: int,
    delay: float,
    assumed_lag_factor: float = 1.0,
) -> dict[str, AgentLoop]:
    """Return the loop of every kind of vehicle, by the names of its agents; '' if all are alike.

    Args:
        control: Section of the law, one of ``has_bound``.
        vehicles: The vehicles of the agents by name.
        period: Control period [s].
        substeps: Updates of the vehicles per period.
        delay: Largest delay of the radio [s].
        assumed_lag_factor: The lag that the agents assume as a multiple of the true one.
    """
    owners: dict[AgentLoop, list[str]] = {}
    for name, vehicle in vehicles.items():
        limits = with_assumed_lag(command_limits(vehicle), assumed_lag_factor)
        loop = _with_vehicle(control, limits, vehicle, period, period / substeps)
        loop = loop._replace(delay=max(1, math.ceil(delay / period - 1e-9)))
        owners.setdefault(loop, []).append(name)
    are_alike = len(owners) == 1
    return {'' if are_alike else named(names, MOST_NAMES): loop for loop, names in owners.items()}


def swarm_factors(agents: int, hops: int, protection_deg: float) -> list[complex]:
    """Return the mode factors of the ring, none for a single agent or a very large ring.

    Args:
        agents: Number of agents.
        hops: Neighbours on either side.
        protection_deg: Angle of the circle that they cover [deg]; the rest is one open arc.
    """
    if not 2 <= agents <= MOST_AGENTS:
        return []
    weight = edge_weight(protection_deg, agents)
    if weight == 1.0:
        return [*mode_factors(agents, hops)]
    return ring_factors([weight, *[1.0] * (agents - 1)], hops)


def _reached(tau: float | None, update: float) -> float | None:
    """Return a lag [s] with which the vehicle itself is stable; one far below an update is one."""
    if tau is None or tau >= 0.5 * update:
        return tau
    return update


def _with_limits(
    control: ControlParameters, limits: CommandLimits, period: float, age: float
) -> AgentLoop:
    """Return the loop of an agent without latencies that knows the age of its measurement [s]."""
    tau, prediction = limits.tau_xy, None
    longest = math.inf if control.acc_filter is None else control.acc_filter
    if control.own_prediction:
        held = None if tau is None else assumed_lag(True, tau, period)
        prediction = OwnPrediction(limits.response_delay + age, held, period)
    return AgentLoop(
        control.k_s,
        tracking_gain(control.k_v, control.velocity_share, tau, period),
        period,
        CONTINUOUS,
        _reached(tau, period / CONTINUOUS),
        assumed_lag(control.lag_inversion == SAMPLED, tau, period),
        follows=filter_follows(control.acc_filter_share, tau, period, longest),
        prediction=prediction,
    )


def _with_vehicle(
    control: ControlParameters,
    limits: CommandLimits,
    vehicle: MobilityParameters,
    period: float,
    update: float,
) -> AgentLoop:
    """Return the loop of an agent; ``limits`` are those that it assumes, ``update`` is in s."""
    lag, own = vehicle.lag_xy or 0.0, vehicle.tau_xy or 0.0
    latency = vehicle.command_latency + ACCELERATION_SHARE * (lag - own)
    # Between two measurements the last one gets older, by half their period on average.
    age = vehicle.odom_latency + 0.5 * (vehicle.odom_period or 0.0)
    if control.own_prediction:
        # What a vehicle says of its own delay is predicted, so it must not count as an error.
        latency += vehicle.response_delay
    return _with_limits(control, limits, period, age)._replace(
        substeps=round(period / update),
        tau=_reached(vehicle.lag_xy, update),
        command_latency=round(latency / update),
        odom_latency=round(age / update),
    )


NOTABLE = 1.05
"""Least excess acceleration that a warning tells."""

MOST_TICKS = 60
"""Most ticks of delay of a loop whose linear model is computed; its matrix grows with them."""

Loops = Mapping[str, AgentLoop]
"""Loops with the spacing gain, by owner; '' for all agents."""


def law_warnings(
    control: ControlParameters, loops: Loops, factors: Sequence[complex] = ()
) -> list[str]:
    """Return one line per gain of a law and kind of vehicle that may be unstable.

    Args:
        control: Section of the law, one of ``has_bound``.
        loops: The agents.
        factors: Mode factors of the ring, for the verdict of the linear model; none: left out.
    """
    warnings = []
    for whose, loop in loops.items():
        radial = loop._replace(gain=control.k_r)
        checks = (
            ('k_s', loop, spacing_timing(loop), factors),
            ('k_r', radial, radial_timing(loop), RADIAL if factors else ()),
        )
        warnings += [
            f'control.{name} = {model.gain:g} 1/s may oscillate{f" ({whose})" if whose else ""}: '
            f'{_remedy(name, model.velocity_gain, timing)}{_verdict(model, modes)} '
            '(docs/research/law.md)'
            for name, model, timing, modes in checks
            if not bound_use(model.gain, model.velocity_gain, timing) <= 1.0
        ]
    return warnings


def agent_warnings(
    control: ControlParameters, limits: CommandLimits, period: float
) -> list[str]:
    """Return the same lines as far as an agent can tell, which knows itself alone.

    Args:
        control: The record that belongs to its controller.
        limits: Lag and delay of its vehicle.
        period: Control period [s].
    """
    if not has_bound(control):
        return []
    return law_warnings(control, {'': agent_loop(control, limits, period)})


def _remedy(name: str, k_v: float, timing: LoopTiming) -> str:
    """Return the value that would be allowed with all else as it is."""
    largest, tracking = largest_sure_gain(k_v, timing), f'k_v = {k_v:g} 1/s'
    if largest > 0.0:
        given = join_with_and([tracking, *_delays(timing)])
        return f'with {given} it is sure to settle up to {_rounded_down(largest)} 1/s'
    largest = largest_velocity_gain(timing)
    return (
        f'{tracking} is too high for any {name} with {join_with_and(_delays(timing))}; it must be '
        f'below {_rounded_down(largest)} 1/s'
    )


def _delays(timing: LoopTiming) -> list[str]:
    """Return the causes that keep the gains low, without those of no effect."""
    causes = [f'a control period of {timing.period:g} s']
    if timing.delay > 1:
        causes.append(f'messages that are {timing.delay} periods old')
    if timing.late > 0.0:
        causes.append(f'{timing.late:.3g} s of latency')
    if timing.predicted > 0.0:
        causes.append(f'{timing.predicted:.3g} s of prediction')
    if timing.excess >= NOTABLE:
        causes.append(f'a vehicle that accelerates {timing.excess:.3g} times as much as asked for')
    return causes


def _rounded_down(value: float) -> str:
    """Return a number above 0 with three digits, not above what it is."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return f'{math.floor(value / unit + 1e-9) * unit:.3g}'


def _verdict(loop: AgentLoop, factors: Sequence[complex]) -> str:
    """Return the verdict of the linear model of a ring of such agents."""
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
