"""Which PX4 a bridge belongs to."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.ros_io.autopilot.odometry_stamps import ARRIVAL, SAMPLE

AUTO = 'auto'


@dataclass(frozen=True)
class Px4LinkParameters(Parameters):
    """Names and numbers of the vehicle's PX4."""

    px4_namespace: str = parameter(
        AUTO, 'namespace of its topics, such as px4_3; auto: px4_k for a node in namespace uav_k; '
        'empty: none, as PX4 on a single vehicle has it',
    )  # fmt: skip
    target_system: int = parameter(
        0, 'MAVLink system id (MAV_SYS_ID) that it must have; 0: any', minimum=0, maximum=254
    )
    source_component: int = parameter(
        191, 'MAVLink component id of this bridge; programs that command one vehicle need '
        'different ones', minimum=2, maximum=250,
    )  # fmt: skip
    heartbeat_rate: float = parameter(
        20.0, 'rate of OffboardControlMode; PX4 needs 2 Hz', unit='Hz', minimum=5.0, maximum=50.0
    )
    odometry_stamp: str = parameter(
        ARRIVAL, 'stamp of odom: the time of arrival, or that of the sample while it differs by '
        "less than 0.5 s from this computer's clock; PX4's idea of that clock was seen to be 0.1 "
        'to 0.35 s behind', choices=(ARRIVAL, SAMPLE),
    )  # fmt: skip
    allow_unknown_px4_msgs: bool = parameter(
        False, "fly with messages of no known release of PX4, or that are not the firmware's "
        '(with the message translation node of PX4)',
    )  # fmt: skip
