"""A tracked ground vehicle on a plane: drive, friction of the tracks, planar rigid body.

A command in the body frame is surge and yaw rate already. One in the map frame is followed as far
as the vehicle points there: the surge is its component along the heading, zero if it points
backwards, while the vehicle turns towards it at a rate proportional to the angle. The slower the
command, the less it steers: below ``CREEP`` the rate fades out, so that a command around zero
leaves the heading as it is, and the yaw rate of the command fades in.

Skid steering turns less than the speeds of its tracks say, because the tracks slip sideways. So
speed and yaw rate are measured and controlled: feed-forward, proportional and integral part.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from velocity_mobility_ros.core.coordinate_frames import (
    Attitude, VehicleMotion, quaternion_from_yaw, rotate_z, velocity_of, wrap_pi
)
from velocity_mobility_ros.core.parameter_declaration import parameter
from velocity_mobility_ros.core.step_time import whole_ratio
from velocity_mobility_ros.core.user_errors import ParameterError, shown
from velocity_mobility_ros.core.velocity_model import (
    FIXED_VEHICLE, MobilityParameters, Vector, limit_abs, limit_xy
)
from velocity_mobility_ros.vehicles.track_dynamics import (
    GRAVITY, POINTS, Chassis, Ground, Planar, contact_positions, largest_cg_offset, next_planar,
    normal_loads
)
from velocity_mobility_ros.vehicles.vehicle import Command, Vehicle, physics_steps

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


CREEP = 0.1
"""Speed [m/s] from which the direction of a command counts in full."""


def surge_and_yaw_rate(
    command: Command, yaw: float, gain: float, max_speed: float, max_yaw_rate: float
) -> tuple[float, float]:
    """Return the wanted forward velocity [m/s] and yaw rate [rad/s].

    Args:
        command: The command; its vertical part is ignored, in the body frame the one to the left,
            too.
        yaw: Heading of the vehicle [rad].
        gain: Yaw rate per angle between heading and command [1/s].
        max_speed: Largest surge [m/s].
        max_yaw_rate: Largest yaw rate [rad/s].
    """
    if command.in_body:
        surge = limit_abs(command.velocity[0], max_speed)
        return surge, limit_abs(command.yaw_rate, max_yaw_rate)
    x, y = limit_xy(command.velocity[0], command.velocity[1], max_speed)
    forward, left = rotate_z(x, y, -yaw)
    share = math.sqrt(x * x + y * y) / CREEP
    if share > 1.0:
        share = 1.0
    angle = math.atan2(left, forward)
    turn = share * gain * angle + (1.0 - share) * limit_abs(command.yaw_rate, max_yaw_rate)
    return (forward if forward > 0.0 else 0.0), limit_abs(turn, max_yaw_rate)


LARGEST_SURGE_INTEGRAL = 0.5
"""Bound of the integral part of the speed [m/s]."""

LARGEST_TURN_INTEGRAL = 2.0
"""Bound of the integral part of the turn [m/s], half the difference of the tracks."""


class DriveGains(NamedTuple):
    """Limits and gains of the drive.

    Attributes:
        max_speed: Largest speed of a track [m/s].
        max_acc: Largest acceleration of a track [m/s^2].
        tau: Time constant of a track [s]; NaN: acceleration limit only.
        surge_gain: Track speed per error of the speed.
        surge_integral_gain: Its integral part [1/s].
        turn_gain: Track speed per error of the yaw rate [m].
        turn_integral_gain: Its integral part [m/s].
    """

    max_speed: float
    max_acc: float
    tau: float
    surge_gain: float
    surge_integral_gain: float
    turn_gain: float
    turn_integral_gain: float


class Integrals(NamedTuple):
    """Integral parts of the common speed of the tracks, and of half their difference [m/s]."""

    surge: float
    turn: float


class TrackSpeeds(NamedTuple):
    """Speeds of the surfaces of the tracks [m/s], positive forward."""

    left: float
    right: float


def wanted_tracks(
    gains: DriveGains, half_spacing: float, surge_error: float, turn_error: float,
    surge: float, yaw_rate: float, integrals: Integrals, dt: float,
) -> tuple[TrackSpeeds, Integrals]:  # fmt: skip
    """Return the commanded speeds of the tracks, and the integral parts after this update.

    Turning has priority: a track at its limit reduces the common speed, and freezes the integrals.

    Args:
        gains: Limits and gains.
        half_spacing: Distance of a track from the centre line [m].
        surge_error: Wanted forward velocity less that of the body [m/s].
        turn_error: Wanted yaw rate less that of the body [rad/s].
        surge: Wanted forward velocity [m/s].
        yaw_rate: Wanted yaw rate [rad/s].
        integrals: Integral parts before this update.
        dt: Time between two updates [s].
    """
    common = surge + gains.surge_gain * surge_error + integrals.surge
    half = yaw_rate * half_spacing + gains.turn_gain * turn_error + integrals.turn
    if abs(common) + abs(half) > gains.max_speed:
        half = limit_abs(half, gains.max_speed)
        common = limit_abs(common, gains.max_speed - abs(half))
        return TrackSpeeds(common - half, common + half), integrals
    updated = Integrals(
        limit_abs(
            integrals.surge + gains.surge_integral_gain * surge_error * dt, LARGEST_SURGE_INTEGRAL
        ),
        limit_abs(
            integrals.turn + gains.turn_integral_gain * turn_error * dt, LARGEST_TURN_INTEGRAL
        ),
    )
    return TrackSpeeds(common - half, common + half), updated


def lag_share(tau: float, dt: float) -> float:
    """Return the share of a difference that a first-order lag makes up for in ``dt`` [s]."""
    return 1.0 if math.isnan(tau) else 1.0 - math.exp(-dt / tau)


def next_track(gains: DriveGains, speed: float, wanted: float, share: float, dt: float) -> float:
    """Return the speed of a track after ``dt`` [s], within its speed and acceleration.

    Args:
        gains: The limits.
        speed: Speed before [m/s].
        wanted: Commanded speed [m/s].
        share: ``lag_share`` of this step.
        dt: The step.
    """
    slope = (limit_abs(wanted, gains.max_speed) - speed) * share / dt
    return limit_abs(speed + limit_abs(slope, gains.max_acc) * dt, gains.max_speed)


class TrackedCoefficients(NamedTuple):
    """What the step of a tracked vehicle reads.

    Attributes:
        chassis: Body and contact.
        drive: Limits and gains of the tracks.
        heading_gain: Yaw rate per angle to a command [1/s].
        max_yaw_rate: Largest commanded yaw rate [rad/s].
        substeps: Steps of the integration in an update.
    """

    chassis: Chassis
    drive: DriveGains
    heading_gain: float
    max_yaw_rate: float
    substeps: int


class TrackedState(NamedTuple):
    """State of a tracked vehicle.

    Attributes:
        position: Position of the centre of gravity [m, map]; its height is constant.
        yaw: Heading [rad].
        surge: Forward velocity [m/s].
        sway: Velocity to the left [m/s].
        yaw_rate: Yaw rate [rad/s].
        tracks: Speeds of the tracks.
        integrals: Integral parts of the drive.
    """

    position: Vector
    yaw: float
    surge: float
    sway: float
    yaw_rate: float
    tracks: TrackSpeeds
    integrals: Integrals


def ground_of(parameters: TrackedParameters) -> Ground:
    """Return the contact of the tracks, with positions and loads derived."""
    positions = contact_positions(parameters.track_length, parameters.cg_offset)
    return Ground(
        positions, normal_loads(positions, 0.5 * parameters.mass * GRAVITY),
        0.5 * parameters.track_spacing, parameters.friction_x, parameters.friction_y,
        parameters.slip_speed, parameters.rolling_resistance,
    )  # fmt: skip


def coefficients(parameters: TrackedParameters) -> TrackedCoefficients:
    """Return the coefficients used by ``step``."""
    return TrackedCoefficients(
        Chassis(parameters.mass, parameters.yaw_inertia, ground_of(parameters)),
        DriveGains(
            parameters.max_speed_xy, parameters.max_acc_xy, parameters.tau,
            parameters.surge_gain, parameters.surge_integral_gain,
            parameters.turn_gain, parameters.turn_integral_gain,
        ),
        parameters.heading_gain,
        parameters.max_yaw_rate,
        whole_ratio(parameters.update_rate, parameters.sim_dt) or 1,
    )  # fmt: skip


def at_rest(position: Vector, yaw: float, _seed: int) -> TrackedState:
    """Return the state of a vehicle at rest at a position [m] with a heading [rad]."""
    return TrackedState(position, yaw, 0.0, 0.0, 0.0, TrackSpeeds(0.0, 0.0), Integrals(0.0, 0.0))


def step(
    model: TrackedCoefficients, state: TrackedState, command: Command, dt: float
) -> TrackedState:
    """Advance by ``dt`` [s]: steering and drive once, tracks and body in substeps."""
    drive, half = model.drive, model.chassis.ground.half_spacing
    surge, yaw_rate = surge_and_yaw_rate(
        command, state.yaw, model.heading_gain, drive.max_speed, model.max_yaw_rate
    )
    wanted, integrals = wanted_tracks(
        drive, half, surge - state.surge, yaw_rate - state.yaw_rate,
        surge, yaw_rate, state.integrals, dt,
    )  # fmt: skip
    x, y, z = state.position
    body = Planar(x, y, state.yaw, state.surge, state.sway, state.yaw_rate)
    left, right = state.tracks
    h = dt / model.substeps
    share = lag_share(drive.tau, h)
    for _ in range(model.substeps):
        left = next_track(drive, left, wanted.left, share, h)
        right = next_track(drive, right, wanted.right, share, h)
        body = next_planar(model.chassis, left, right, body, h)
    # wrapping rounds, and a vehicle at rest keeps its heading
    yaw = body.yaw if abs(body.yaw) < math.pi else wrap_pi(body.yaw)
    return TrackedState(
        (body.x, body.y, z), yaw, body.u, body.v, body.r,
        TrackSpeeds(left, right), integrals,
    )  # fmt: skip


def motion(state: TrackedState) -> VehicleMotion:
    """Return the motion for the odometry."""
    velocity = velocity_of(attitude(state))
    return VehicleMotion(state.position, state.yaw, velocity, state.yaw_rate)


def attitude(state: TrackedState) -> Attitude:
    """Return attitude and twist for the odometry."""
    linear = state.surge, state.sway, 0.0
    return Attitude(quaternion_from_yaw(state.yaw), linear, (0.0, 0.0, state.yaw_rate))


TRACKED = Vehicle(TrackedParameters, coefficients, at_rest, step, motion, attitude, is_costly=True)
