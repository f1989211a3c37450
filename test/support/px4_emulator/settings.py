"""All that can be chosen of an emulated vehicle."""

from dataclasses import dataclass, field
from typing import NamedTuple


class Px4Parameters(NamedTuple):
    """PX4's parameters under their own names, in lower case, with PX4's defaults.

    But ``mpc_land_crwl`` stands for all that makes the last metre slow: PX4 needs 10.9 s from 3 m
    of height until it is disarmed.
    """

    com_of_loss_t: float = 1.0
    com_obl_rc_act: int = 0
    com_rcl_except: int = 0
    com_disarm_prflt: float = 10.0
    com_disarm_land: float = 2.0
    com_kill_disarm: float = 5.0
    com_spoolup_time: float = 1.0
    nav_rcl_act: int = 2
    mpc_tko_ramp_t: float = 3.0
    mpc_xy_p: float = 0.95
    mpc_z_p: float = 1.0
    mpc_xy_vel_max: float = 12.0
    mpc_z_vel_max_up: float = 3.0
    mpc_z_vel_max_dn: float = 1.5
    mpc_land_speed: float = 0.7
    mpc_land_crwl: float = 0.18
    mis_takeoff_alt: float = 2.5
    rtl_return_alt: float = 30.0


DEFAULTS = Px4Parameters()


class LinkSettings(NamedTuple):
    """One direction of the link.

    ``loss`` is a probability; a delay [s] is drawn evenly between ``delay`` and
    ``delay + jitter``, so that jitter reorders messages.
    """

    loss: float = 0.0
    delay: float = 0.0
    jitter: float = 0.0


IDEAL = LinkSettings()


class StrictLimits(NamedTuple):
    """What strict mode allows: accelerations [m/s^2], times [s], commands a second."""

    acc_xy: float = 100.0
    acc_z: float = 5.0
    grace: float = 0.3
    heartbeat_gap: float = 0.5
    stamp_age: float = 0.2
    commands: int = 5


@dataclass(frozen=True)
class Settings:
    """One vehicle.

    Attributes:
        release: ``'1.14'`` to ``'1.18'``.
        instance: Number of the vehicle: namespace ``/px4_<i>`` (0: none), system id i + 1.
        seed: Of all random numbers.
        latitude, longitude: True place of the start [deg, WGS84].
        altitude: Of the ground there [m].
        heading: From north, clockwise [rad].
        vehicle: ``'quadrotor'`` or the cheap ``'kinematic'``.
        gps_error: Standard deviation of the constant error of its position [m].
        noise: Factor on the noise of the estimate; 0 is none.
        uptime: Time since boot at the start [s].
        epoch_us: The agent host's Unix time [us] at time 0 of the emulator's clock.
        time_jump_period: Mean time between two jumps of the client's clock [s]; 0: never.
        has_pilot: Whether there is a radio control.
        tells_formats: Whether it answers who asks for the format of a message, from 1.15 on.
        changed_message: A message whose last two fields are exchanged in its firmware, by what
            that tells of its format.
    """

    release: str = '1.16'
    instance: int = 0
    seed: int = 0
    latitude: float = 47.397742
    longitude: float = 8.545594
    altitude: float = 488.0
    heading: float = 0.0
    vehicle: str = 'quadrotor'
    parameters: Px4Parameters = DEFAULTS
    gps_error: float = 0.15
    noise: float = 1.0
    uptime: float = 60.0
    epoch_us: int = 1_790_000_000_000_000
    time_jump_period: float = 20.0
    has_pilot: bool = False
    tells_formats: bool = True
    changed_message: str = ''
    link_in: LinkSettings = IDEAL
    link_out: LinkSettings = IDEAL
    strict: StrictLimits = field(default_factory=StrictLimits)
