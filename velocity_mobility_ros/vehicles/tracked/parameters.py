"""Parameters of a tracked ground vehicle."""

import math
from dataclasses import dataclass
from typing import Any

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.model import FIXED_VEHICLE, MobilityParameters
from velocity_mobility_ros.core.parameters import parameter
from velocity_mobility_ros.core.shown import shown
from velocity_mobility_ros.vehicles.physics_steps import physics_steps
from velocity_mobility_ros.vehicles.tracked.ground_contact import (
    GRAVITY,
    POINTS,
    contact_positions,
    largest_cg_offset,
)

NAME = 'tracked'

ON_GROUND: dict[str, Any] = {'minimum': 0.0, 'maximum': 0.0}
"""Bounds of what a ground vehicle cannot do."""


@dataclass(frozen=True)
class TrackedParameters(MobilityParameters):
    """Body, tracks, ground and drive of a tracked vehicle.

    Those of all vehicles describe the tracks: the largest speed and acceleration, and the lag.
    """

    vehicle: str = parameter(
        NAME, 'type of the vehicle', choices=(NAME,), fixed=FIXED_VEHICLE,
    )  # fmt: skip
    max_speed_xy: float = parameter(
        2.5, 'largest speed of a track', unit='m/s', minimum=0.0, runtime=True
    )
    max_speed_z: float = parameter(0.0, 'it stays on the ground', unit='m/s', **ON_GROUND)
    max_acc_xy: float = parameter(
        3.0, 'largest acceleration of a track', unit='m/s^2', minimum=0.0, runtime=True
    )
    max_acc_z: float = parameter(0.0, 'it stays on the ground', unit='m/s^2', **ON_GROUND)
    tau_xy: float | None = parameter(
        0.15, 'lag of a track; none: acceleration limit only', unit='s', above=0.0, runtime=True
    )
    tau_z: float | None = parameter(
        None, 'vertical lag', unit='s', above=0.0, only_with={'vehicle': 'kinematic'}
    )
    sim_dt: float = parameter(
        0.005, 'step of the integration, a whole part of update_rate', unit='s', above=0.0
    )
    mass: float = parameter(20.0, 'mass', unit='kg', above=0.0)
    yaw_inertia: float = parameter(
        1.2, 'moment of inertia about the vertical axis', unit='kg m^2', above=0.0
    )
    track_length: float = parameter(0.6, 'length of the contact', unit='m', above=0.0)
    track_spacing: float = parameter(
        0.45, 'distance between the centre lines of the tracks', unit='m', above=0.0
    )
    cg_offset: float = parameter(
        0.0, 'centre of gravity, forward of the middle of the contact', unit='m'
    )
    friction_x: float = parameter(
        0.8, 'friction coefficient along the tracks', minimum=0.0, maximum=10.0
    )
    friction_y: float = parameter(
        0.6, 'friction coefficient across the tracks', minimum=0.0, maximum=10.0
    )
    slip_speed: float = parameter(
        0.1, 'slip at which 76 % of the friction is reached', unit='m/s', above=0.0
    )
    rolling_resistance: float = parameter(
        0.03, 'coefficient of rolling resistance', minimum=0.0, maximum=10.0
    )
    heading_gain: float = parameter(
        2.0, 'yaw rate per angle to a velocity commanded in the map frame', unit='1/s',
        minimum=0.0, runtime=True,
    )  # fmt: skip
    surge_gain: float = parameter(
        0.5, 'track speed per error of the speed', minimum=0.0, runtime=True
    )
    surge_integral_gain: float = parameter(
        1.5, 'its integral part', unit='1/s', minimum=0.0, runtime=True
    )
    turn_gain: float = parameter(
        0.35, 'track speed per error of the yaw rate', unit='m', minimum=0.0, runtime=True
    )
    turn_integral_gain: float = parameter(
        1.2, 'its integral part', unit='m/s', minimum=0.0, runtime=True
    )

    def __post_init__(self) -> None:
        """Validate every field, and what depends on several.

        Raises:
            ParameterError: A step that is no whole part of the update period or too long for the
                slip, or a centre of gravity so far from the middle that a contact point is lifted.
        """
        super().__post_init__()
        physics_steps(self.update_rate, self.sim_dt)
        largest = largest_cg_offset(self.track_length)
        if abs(self.cg_offset) > largest:
            raise ParameterError(
                f'cg_offset = {shown(self.cg_offset)} lifts the tracks at one end, must be at '
                f'least {-largest:.4g} and at most {largest:.4g} m (5/24 of track_length)'
            )
        longest = 1.0 / self._slip_rate()
        if self.sim_dt > longest:
            raise ParameterError(
                f'sim_dt = {shown(self.sim_dt)} is too long for the slip of the tracks, must be '
                f'at most {longest:.4g} s (by slip_speed, friction, yaw_inertia)'
            )

    @property
    def tau(self) -> float:
        """Lag of a track [s]; NaN: none."""
        return math.nan if self.tau_xy is None else self.tau_xy

    def _slip_rate(self) -> float:
        """Return the rate [1/s] at which friction ends a small slip, that of the faster motion."""
        along, across = self.friction_x + self.rolling_resistance, self.friction_y
        positions = contact_positions(self.track_length, self.cg_offset)
        half = 0.5 * self.track_spacing
        arms = sum(along * half * half + across * x * x for x in positions) / POINTS
        turning = arms * self.mass / self.yaw_inertia
        return max(along, across, turning, 1e-12) * GRAVITY / self.slip_speed
