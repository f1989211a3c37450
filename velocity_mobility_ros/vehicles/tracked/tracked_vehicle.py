"""A tracked ground vehicle on a plane: drive, friction of the tracks, planar rigid body."""

import math
from typing import NamedTuple

from velocity_mobility_ros.core.frames import quaternion_from_yaw, wrap_pi
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.motion import Attitude, VehicleMotion, velocity_of
from velocity_mobility_ros.core.time import whole_ratio
from velocity_mobility_ros.vehicles.tracked.ground_contact import (
    GRAVITY,
    Ground,
    contact_positions,
    normal_loads,
)
from velocity_mobility_ros.vehicles.tracked.parameters import TrackedParameters
from velocity_mobility_ros.vehicles.tracked.planar_body import Chassis, Planar, next_planar
from velocity_mobility_ros.vehicles.tracked.steering import surge_and_yaw_rate
from velocity_mobility_ros.vehicles.tracked.track_drive import (
    DriveGains,
    Integrals,
    TrackSpeeds,
    lag_share,
    next_track,
    wanted_tracks,
)
from velocity_mobility_ros.vehicles.vehicle import Command, Vehicle


class TrackedMeans(NamedTuple):
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


def means(parameters: TrackedParameters) -> TrackedMeans:
    """Return the parameters used by ``step``."""
    return TrackedMeans(
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


def step(means: TrackedMeans, state: TrackedState, command: Command, dt: float) -> TrackedState:
    """Advance by ``dt`` [s]: steering and drive once, tracks and body in substeps."""
    drive, half = means.drive, means.chassis.ground.half_spacing
    surge, yaw_rate = surge_and_yaw_rate(
        command, state.yaw, means.heading_gain, drive.max_speed, means.max_yaw_rate
    )
    wanted, integrals = wanted_tracks(
        drive, half, surge - state.surge, yaw_rate - state.yaw_rate,
        surge, yaw_rate, state.integrals, dt,
    )  # fmt: skip
    x, y, z = state.position
    body = Planar(x, y, state.yaw, state.surge, state.sway, state.yaw_rate)
    left, right = state.tracks
    h = dt / means.substeps
    share = lag_share(drive.tau, h)
    for _ in range(means.substeps):
        left = next_track(drive, left, wanted.left, share, h)
        right = next_track(drive, right, wanted.right, share, h)
        body = next_planar(means.chassis, left, right, body, h)
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


TRACKED = Vehicle(TrackedParameters, means, at_rest, step, motion, attitude, is_costly=True)
