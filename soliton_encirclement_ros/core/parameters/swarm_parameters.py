"""Parameters common to all members, and those of their vehicles, their paths and their failures.

The limits of commands follow from those of the vehicles.
"""

from dataclasses import dataclass, replace
from typing import Any

from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.velocity_model import MobilityParameters


@dataclass(frozen=True)
class SwarmParameters(Parameters):
    """Parameters common to all members."""

    control_period: float = parameter(
        0.05, 'time between two control ticks', unit='s', minimum=1e-3, maximum=10.0,
        fixed='all members and the simulation use it',
    )  # fmt: skip
    encirclement_radius: float = parameter(
        20.0, 'desired ring radius', unit='m', above=0.0,
        fixed='all agents and the monitor use it',
    )  # fmt: skip
    agent_state_timeout: float = parameter(
        0.25, 'age of its last state at which an agent counts as lost', unit='s', above=0.0
    )
    target_state_timeout: float = parameter(
        0.5, 'age of its last state at which the target counts as lost', unit='s', above=0.0
    )
    prune_expired_states: bool = parameter(True, 'delete the states of lost agents')


@dataclass(frozen=True)
class CommandLimits(Parameters, live=True):
    """Limits of an agent's commands, and the lag of its vehicle."""

    max_speed_xy: float = parameter(10.0, 'largest horizontal speed', unit='m/s', minimum=0.0)
    max_speed_z: float = parameter(5.0, 'largest vertical speed', unit='m/s', minimum=0.0)
    max_acc_xy: float = parameter(
        4.0, 'largest horizontal acceleration', unit='m/s^2', minimum=0.0
    )
    tau_xy: float | None = parameter(
        1.0, 'lag of the horizontal velocity; none: no lag', unit='s', above=0.0
    )
    max_acc_z: float = parameter(5.0, 'largest vertical acceleration', unit='m/s^2', minimum=0.0)
    tau_z: float | None = parameter(
        1.2, 'lag of the vertical velocity; none: no lag', unit='s', above=0.0
    )
    response_delay: float = parameter(
        0.0, 'time for which the vehicle goes on as before after a command', unit='s', minimum=0.0
    )


def command_limits(body: MobilityParameters) -> CommandLimits:
    """Return the limits of the commands of a vehicle."""
    return CommandLimits(
        body.max_speed_xy,
        body.max_speed_z,
        body.max_acc_xy,
        body.lag_xy,
        body.max_acc_z,
        body.lag_z,
        body.response_delay + body.command_latency,
    )


def with_assumed_lag(limits: CommandLimits, factor: float) -> CommandLimits:
    """Return the limits as an agent takes them whose vehicle has another lag than it assumes.

    Args:
        limits: Those of the vehicle.
        factor: The assumed lag as a multiple of the true one; 1: it is known.
    """
    if factor == 1.0:
        return limits
    tau_xy, tau_z = _times(limits.tau_xy, factor), _times(limits.tau_z, factor)
    return replace(limits, tau_xy=tau_xy, tau_z=tau_z)


def _times(lag: float | None, factor: float) -> float | None:
    return None if lag is None else factor * lag


@dataclass(frozen=True)
class VehicleChoices(Parameters):
    """Vehicle files of single members, empty for that of section ``mobility``; assumed lag."""

    target_vehicle: str = parameter('', 'vehicle file of the target, or name of an included one')
    adversary_vehicle: str = parameter('', 'the same of the adversary')
    agent_vehicles: str = parameter('', 'the same of some agents, such as "iris: 2 3; x500: 5"')
    assumed_lag_factor: float = parameter(
        1.0, 'lag that agents assume of their vehicle, as a multiple of its lag', above=0.0,
        maximum=100.0,
    )  # fmt: skip


@dataclass(frozen=True)
class PathParameters(Parameters):
    """How paths are flown; the same for all members."""

    path_max_speed: float | None = parameter(
        None, 'largest speed on a path; none: what the vehicle can follow', unit='m/s', above=0.0
    )
    path_max_acceleration: float | None = parameter(
        None, 'largest acceleration on a path; none: what the vehicle can follow', unit='m/s^2',
        above=0.0,
    )  # fmt: skip
    path_cruise_speed: float | None = parameter(
        None, 'speed on a path where no timed point is ahead; none: the largest one', unit='m/s',
        above=0.0,
    )  # fmt: skip
    path_gain: float = parameter(
        1.0, 'speed per distance from the place on the path', unit='1/s', minimum=0.0
    )
    path_leash: float = parameter(
        2.0, 'distance from the place on the path at which it waits for the vehicle', unit='m',
        above=0.0,
    )  # fmt: skip


@dataclass(frozen=True)
class PathChoices(PathParameters):
    """Path files of single members; empty: they move as their sections say."""

    target_path: str = parameter(
        '', 'path of the target: a CSV or YAML file, or a recorded run such as runs/latest#target'
    )
    adversary_path: str = parameter('', 'the same of the adversary')
    agent_paths: str = parameter(
        '',
        'paths of some agents, such as "a.csv: 2 3; b.yaml: 5"; their laws take over at the end',
    )


@dataclass(frozen=True)
class MemberPath(PathParameters):
    """The path of one member."""

    path: str = parameter(
        '', 'path to fly: a CSV or YAML file, or a recorded run such as runs/latest#target'
    )


WHEN_INJECTED: dict[str, Any] = {'only_with': {'inject_failures': True}}
"""For parameters that need failure injection."""

BY_CHANCE: dict[str, Any] = {'only_with': {'failure_enable': True, **WHEN_INJECTED['only_with']}}


@dataclass(frozen=True)
class FailureParameters(Parameters):
    """Failures of agents, each followed by a recovery."""

    failure_enable: bool = parameter(True, 'inject random failures')
    failure_check_period: float = parameter(
        0.1, 'time between two random draws', unit='s', minimum=1e-3, **BY_CHANCE
    )
    failure_mean_failures_per_min: float = parameter(
        1.0,
        'mean failures per minute of up-time of an agent',
        unit='1/min',
        minimum=0.0,
        **BY_CHANCE,
    )
    failure_off_time: float = parameter(
        8.0, 'time until recovery', unit='s', minimum=0.0, **BY_CHANCE
    )
    failure_schedule: str = parameter(
        '', 'scheduled outages of agents, such as "40..48: 3; 0..30: 7 8"', **WHEN_INJECTED
    )
