"""What a bridge is made of, what it knows, and what it has sent."""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import Outputs
from velocity_mobility_ros.autopilot.geodesy.frame_parameters import FrameParameters
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.outputs import Setpoint, SetpointKind
from velocity_mobility_ros.autopilot.reports import (
    Battery,
    Flags,
    LandState,
    LocalPosition,
    VehicleOdometry,
    VehicleStatus,
)
from velocity_mobility_ros.core.frames import Quaternion
from velocity_mobility_ros.core.model import Vector


class BridgeParameters(NamedTuple):
    """All numbers of a bridge."""

    engage: EngageParameters
    guidance: GuidanceParameters
    frame: FrameParameters


class Known(NamedTuple):
    """The last report of each kind; None: none yet."""

    status: VehicleStatus | None = None
    local: LocalPosition | None = None
    odometry: VehicleOdometry | None = None
    land: LandState | None = None
    battery: Battery | None = None
    flags: Flags | None = None


class LinkFacts(NamedTuple):
    """What the transport knows.

    Attributes:
        is_matched: Whether the autopilot listens to all that is sent.
        commanders: How many bridges send to it.
        trouble: What is wrong with message definitions or endpoints; empty: nothing.
        absent: Why the vehicle has to be waited for: there is none, or it is being asked for
            something; empty: it has not.
    """

    is_matched: bool = True
    commanders: int = 1
    trouble: str = ''
    absent: str = ''


GOOD_LINK = LinkFacts()


class OperatorFacts(NamedTuple):
    """What is known of the operator of a take-off.

    Attributes:
        together: Whether what he asks for now waits for his release.
        age: Time since his last word [s].
    """

    together: bool = False
    age: float = 0.0


ALONE = OperatorFacts()


class SwarmPose(NamedTuple):
    """Pose and twist of the vehicle as its odometry in the swarm's frame reports them.

    Attributes:
        position: In the swarm's frame [m].
        attitude: Of the FLU body in that frame, a unit quaternion (x, y, z, w).
        linear: Velocity, forward, left and up in the body [m/s].
        angular: Angular velocity about these [rad/s].
        position_variance: East, north, up [m^2]; NaN: not known.
        attitude_variance: Roll, pitch, yaw [rad^2]; NaN: not known.
        velocity_variance: East, north, up [m^2/s^2]; NaN: not known.
    """

    position: Vector
    attitude: Quaternion
    linear: Vector
    angular: Vector
    position_variance: Vector
    attitude_variance: Vector
    velocity_variance: Vector


class BridgeOutputs(NamedTuple):
    """What is to be sent now.

    Attributes:
        engage: The state, the reason, and a request to the autopilot.
        heartbeat: What the heartbeat announces; None: there is none.
        setpoint: The setpoint; None: there is none.
        takeoff_height: Above the ground, where the autopilot takes off by itself [m].
    """

    engage: Outputs
    heartbeat: SetpointKind | None
    setpoint: Setpoint | None
    takeoff_height: float = math.nan
