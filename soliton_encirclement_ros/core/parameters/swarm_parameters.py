"""What all members of a swarm share, and what may be asked of a vehicle."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter


@dataclass(frozen=True)
class SwarmParameters(Parameters):
    """What all members share."""

    control_period: float = parameter(
        0.05, 'time between two control ticks', unit='s', minimum=1e-3, maximum=10.0,
        fixed='all members share it, and the simulation',
    )  # fmt: skip
    encirclement_radius: float = parameter(
        20.0, 'wanted ring radius', unit='m', above=0.0,
        fixed='all agents share it, and the monitor measures by it',
    )  # fmt: skip
    agent_state_timeout: float = parameter(
        0.25, 'age at which an agent counts as gone', unit='s', above=0.0
    )
    target_state_timeout: float = parameter(
        0.5, 'age at which the target counts as gone', unit='s', above=0.0
    )
    prune_expired_states: bool = parameter(True, 'forget agents that are gone')


@dataclass(frozen=True)
class CommandLimits(Parameters, live=True):
    """What an agent may ask of its vehicle, and how the vehicle answers."""

    max_speed_xy: float = parameter(10.0, 'largest horizontal speed', unit='m/s', minimum=0.0)
    max_speed_z: float = parameter(5.0, 'largest vertical speed', unit='m/s', minimum=0.0)
    max_acc_xy: float = parameter(
        4.0, 'largest horizontal acceleration', unit='m/s^2', minimum=0.0
    )
    tau_xy: float | None = parameter(
        1.0, 'lag of the horizontal velocity; none: at once', unit='s', above=0.0
    )
    max_acc_z: float = parameter(5.0, 'largest vertical acceleration', unit='m/s^2', minimum=0.0)
    tau_z: float | None = parameter(
        1.2, 'lag of the vertical velocity; none: at once', unit='s', above=0.0
    )
