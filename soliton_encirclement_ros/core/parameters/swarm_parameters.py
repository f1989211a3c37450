"""Parameters common to all members, and the limits of commands."""

from dataclasses import dataclass, replace

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
