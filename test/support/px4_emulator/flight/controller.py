"""The position controller: a setpoint in, a velocity for the body out."""

import math
from typing import NamedTuple

from support.px4_emulator.estimate.estimator import Estimate
from support.px4_emulator.flight.body import RESPONSE
from support.px4_emulator.flight.setpoints import Setpoint, is_valid
from support.px4_emulator.settings import Px4Parameters
from velocity_mobility_ros.core.velocity_model import Vector

CYCLE = 0.02
"""Period of the controller [s]."""

TRACKING = 0.96
"""Share of a commanded speed that it reaches."""

YAW_GAIN = 2.8
LARGEST_YAW_RATE = 2.0


class BodyCommand(NamedTuple):
    """Velocity [m/s, NED] and yaw rate [rad/s, clockwise] for the body."""

    velocity: Vector
    yaw_rate: float


STOP = BodyCommand((0.0, 0.0, 0.0), 0.0)


def control(
    setpoint: Setpoint | None,
    estimate: Estimate,
    drift: tuple[float, float],
    climb_limit: float,
    parameters: Px4Parameters,
) -> BodyCommand:
    """Return what the body has to do.

    Args:
        setpoint: Setpoint; None: there is none, it stops.
        estimate: Estimated state.
        drift: Error of the estimated velocity, north and east: it flies so that the estimate is
            right.
        climb_limit: Largest speed of climb [m/s].
        parameters: Parameters.
    """
    if setpoint is None:
        return STOP
    if not is_valid(setpoint, estimate.xy_valid, estimate.is_valid):
        return emergency(estimate, parameters)
    north, east, down = wanted_velocity(setpoint, estimate, parameters)
    down = max(-climb_limit, min(parameters.mpc_z_vel_max_dn, down))
    velocity = TRACKING * north - drift[0], TRACKING * east - drift[1], down
    return BodyCommand(velocity, yaw_rate(setpoint, estimate.heading))


def emergency(estimate: Estimate, parameters: Px4Parameters) -> BodyCommand:
    """Return PX4's own answer to a setpoint that makes no sense: stop, or go down."""
    down = 0.0 if estimate.xy_valid else parameters.mpc_land_speed
    return BodyCommand((0.0, 0.0, down), 0.0)


def wanted_velocity(setpoint: Setpoint, estimate: Estimate, parameters: Px4Parameters) -> Vector:
    """Return the velocity that position and what is fed forward ask for; nothing asked is zero."""
    gains = parameters.mpc_xy_p, parameters.mpc_xy_p, parameters.mpc_z_p
    north, east, down = (
        (gain * (wanted - at) if math.isfinite(wanted) else 0.0)
        + (ahead if math.isfinite(ahead) else 0.0)
        for gain, wanted, at, ahead in zip(
            gains, setpoint.position, estimate.position, setpoint.velocity, strict=True
        )
    )
    ahead_north, ahead_east, _ = setpoint.acceleration
    if math.isfinite(ahead_north) and math.isfinite(ahead_east):
        north, east = north + RESPONSE * ahead_north, east + RESPONSE * ahead_east
    speed = math.hypot(north, east)
    if speed > parameters.mpc_xy_vel_max:
        share = parameters.mpc_xy_vel_max / speed
        north, east = north * share, east * share
    return north, east, down


def yaw_rate(setpoint: Setpoint, heading: float) -> float:
    """Return the yaw rate: without a yaw there is damping only."""
    rate = setpoint.yawspeed if math.isfinite(setpoint.yawspeed) else 0.0
    if math.isfinite(setpoint.yaw):
        rate += YAW_GAIN * math.remainder(setpoint.yaw - heading, 2.0 * math.pi)
    return max(-LARGEST_YAW_RATE, min(LARGEST_YAW_RATE, rate))
