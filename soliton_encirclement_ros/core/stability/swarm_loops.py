"""The loops of all agents of a swarm, from the parameters of their vehicles."""

import math
from collections.abc import Mapping

from velocity_mobility_ros.core.velocity_model import MobilityParameters

from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    command_limits,
    with_assumed_lag,
)
from soliton_encirclement_ros.core.ring.edge_weights import edge_weight
from soliton_encirclement_ros.core.stability.agent_loop import AgentLoop
from soliton_encirclement_ros.core.stability.assumed_lag import (
    assumed_lag,
    filter_follows,
    tracking_gain,
)
from soliton_encirclement_ros.core.stability.loop_gains import LoopGains
from soliton_encirclement_ros.core.stability.own_prediction import OwnPrediction
from soliton_encirclement_ros.core.stability.ring_factors import mode_factors, ring_factors

CONTINUOUS = 1000
"""Updates per period of a vehicle whose own controller is much faster."""

ACCELERATION_SHARE = 0.6
"""Latency per lag of the acceleration, of vehicles that have one besides that of the velocity."""

MOST_NAMES = 5
"""Most agents that a warning names."""

MOST_AGENTS = 100
"""Most agents of a ring whose modes are computed."""


def agent_loop(gains: LoopGains, limits: CommandLimits, period: float) -> AgentLoop:
    """Return the loop of an agent of which only the limits of its commands are known.

    Args:
        gains: The gains.
        limits: Holds lag and delay of its vehicle, which are taken as right.
        period: Control period [s].
    """
    loop, delay = _with_limits(gains, limits, period, 0.0), limits.response_delay
    if loop.prediction is None:
        return loop
    return loop._replace(command_latency=round(delay / loop.update))


def agent_loops(
    gains: LoopGains,
    vehicles: Mapping[str, MobilityParameters],
    period: float,
    substeps: int,
    delay: float,
    assumed_lag_factor: float = 1.0,
) -> dict[str, AgentLoop]:
    """Return the loop of every kind of vehicle, by the names of its agents; '' if all are alike.

    Args:
        gains: The gains.
        vehicles: The vehicles of the agents by name.
        period: Control period [s].
        substeps: Updates of the vehicles per period.
        delay: Largest delay of the radio [s].
        assumed_lag_factor: The lag that the agents assume as a multiple of the true one.
    """
    owners: dict[AgentLoop, list[str]] = {}
    for name, vehicle in vehicles.items():
        limits = with_assumed_lag(command_limits(vehicle), assumed_lag_factor)
        loop = _with_vehicle(gains, limits, vehicle, period, period / substeps)
        loop = loop._replace(delay=max(1, math.ceil(delay / period - 1e-9)))
        owners.setdefault(loop, []).append(name)
    if len(owners) == 1:
        return dict.fromkeys([''], next(iter(owners)))
    return {_label(names): loop for loop, names in owners.items()}


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


def _label(names: list[str]) -> str:
    """Return the names of some agents, in short."""
    more = len(names) - MOST_NAMES
    return ' '.join(names[:MOST_NAMES]) + (f' and {more} more' if more > 0 else '')


def _with_limits(
    gains: LoopGains, limits: CommandLimits, period: float, age: float
) -> AgentLoop:
    """Return the loop of an agent without latencies that knows the age of its measurement [s]."""
    tau, prediction = limits.tau_xy, None
    if gains.predicts:
        held = None if tau is None else assumed_lag(True, tau, period)
        prediction = OwnPrediction(limits.response_delay + age, held, period)
    return AgentLoop(
        gains.spacing,
        tracking_gain(gains.velocity, gains.velocity_share, tau, period),
        period,
        CONTINUOUS,
        _reached(tau, period / CONTINUOUS),
        assumed_lag(gains.is_sampled, tau, period),
        follows=filter_follows(gains.filter_share, tau, period, gains.longest_filter),
        prediction=prediction,
    )


def _with_vehicle(
    gains: LoopGains,
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
    if gains.predicts:
        # What a vehicle says of its own delay is predicted, so it must not count as an error.
        latency += vehicle.response_delay
    return _with_limits(gains, limits, period, age)._replace(
        substeps=round(period / update),
        tau=_reached(vehicle.lag_xy, update),
        command_latency=round(latency / update),
        odom_latency=round(age / update),
    )
