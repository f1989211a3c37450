"""Which ArduPilot a bridge belongs to."""

from dataclasses import dataclass

from velocity_mobility_ros.autopilot.ardupilot.modes import HOLD_MODES
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.ros_io.autopilot.odometry_stamps import ARRIVAL, SAMPLE


@dataclass(frozen=True)
class ArduPilotLinkParameters(Parameters):
    """Names on the side of the vehicle's ArduPilot."""

    ap_prefix: str = parameter(
        '/ap', 'prefix of its topics and services; with DDS_USE_NS it is /ap/v and its MAVLink '
        'system id, without it several vehicles need a ROS domain each',
    )  # fmt: skip
    hold_mode: str = parameter(
        'brake', 'its mode that holds: loiter obeys the sticks, brake needs none',
        choices=tuple(HOLD_MODES),
    )  # fmt: skip
    odometry_stamp: str = parameter(
        ARRIVAL, 'stamp of odom: the time of arrival, or that of the sample while it differs by '
        "less than 0.5 s from this computer's clock", choices=(ARRIVAL, SAMPLE),
    )  # fmt: skip
