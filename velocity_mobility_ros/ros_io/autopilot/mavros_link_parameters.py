"""Which MAVROS a bridge belongs to, and which autopilot is behind it."""

from dataclasses import dataclass

from velocity_mobility_ros.autopilot.ardupilot.modes import HOLD_MODES
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.ros_io.autopilot.odometry_stamps import ARRIVAL, SAMPLE

PX4, ARDUPILOT = 'px4', 'ardupilot'


@dataclass(frozen=True)
class MavrosLinkParameters(Parameters):
    """Names on the side of MAVROS."""

    mavros_namespace: str = parameter(
        'mavros', 'namespace of its topics and services; a relative one is below that of the node'
    )
    autopilot: str = parameter(
        PX4, 'the autopilot behind it; the names of modes differ', choices=(PX4, ARDUPILOT)
    )
    hold_mode: str = parameter(
        'brake', 'mode of an ArduPilot that holds: loiter obeys the sticks, brake needs none',
        choices=tuple(HOLD_MODES), only_with={'autopilot': ARDUPILOT},
    )  # fmt: skip
    odometry_stamp: str = parameter(
        ARRIVAL, 'stamp of odom: the time of arrival, or that of the sample while it differs by '
        "less than 0.5 s from this computer's clock", choices=(ARRIVAL, SAMPLE),
    )  # fmt: skip
