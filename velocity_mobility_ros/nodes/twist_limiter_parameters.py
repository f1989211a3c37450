"""Parameters of the limiter of velocity commands."""

import math
from dataclasses import dataclass

from velocity_mobility_ros.core.frame_names import check_frame_name
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.smoothing.command_chain import ChainRules
from velocity_mobility_ros.core.smoothing.motion_limit import MotionLimits
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

OPEN_LOOP, ODOMETRY = 'open_loop', 'odometry'
"""Whether the limiter starts from its own last command, or near to what the vehicle does."""

WITH_ODOMETRY = {'feedback': ODOMETRY}

NO_FEEDBACK = MotionLimits(math.inf, math.inf)


@dataclass(frozen=True)
class TwistLimitParameters(Parameters, live=True):
    """Limits of the smoothed command; all may change while the node runs."""

    max_acc: float = parameter(
        3.0, 'largest acceleration of the command (norm of all three axes); 0: it never changes',
        unit='m/s^2', minimum=0.0,
    )  # fmt: skip
    max_yaw_acc: float = parameter(
        2.0, 'largest yaw acceleration of the command; 0: the yaw rate never changes',
        unit='rad/s^2', minimum=0.0,
    )  # fmt: skip
    max_speed_xy: float = parameter(
        10.0, 'largest horizontal speed (norm); 0: no motion', unit='m/s', minimum=0.0
    )
    max_speed_z: float = parameter(
        5.0, 'largest vertical speed; 0: no motion', unit='m/s', minimum=0.0
    )
    max_yaw_rate: float = parameter(
        1.5, 'largest yaw rate; 0: no turning', unit='rad/s', minimum=0.0
    )
    deadband_speed: float = parameter(
        0.0, 'speed (norm) below which a received command stands still', unit='m/s', minimum=0.0
    )
    deadband_yaw_rate: float = parameter(
        0.0, 'yaw rate below which a received command does not turn', unit='rad/s', minimum=0.0
    )
    cmd_vel_timeout: float = parameter(
        0.5, 'time without a command after which the target is zero; 0: never', unit='s',
        minimum=0.0,
    )  # fmt: skip
    max_dt: float = parameter(
        0.1, 'longest time between two outputs that counts for the limits', unit='s', above=0.0
    )
    max_velocity_error: float = parameter(
        2.0, 'largest difference from the command to the measured velocity', unit='m/s',
        minimum=0.0, only_with=WITH_ODOMETRY,
    )  # fmt: skip
    max_yaw_rate_error: float = parameter(
        1.0, 'largest difference from the command to the measured yaw rate', unit='rad/s',
        minimum=0.0, only_with=WITH_ODOMETRY,
    )  # fmt: skip

    def rules(self, has_feedback: bool) -> ChainRules:
        """Return the parameters of the command chain."""
        error = MotionLimits(self.max_velocity_error, self.max_yaw_rate_error)
        return ChainRules(
            self.max_speed_xy,
            self.max_speed_z,
            self.max_yaw_rate,
            self.deadband_speed,
            self.deadband_yaw_rate,
            MotionLimits(self.max_acc, self.max_yaw_acc),
            self.max_dt,
            self.cmd_vel_timeout,
            error if has_feedback else NO_FEEDBACK,
        )


@dataclass(frozen=True)
class TwistLimiterNodeParameters(Parameters):
    """Interface of the node."""

    publish_period: float = parameter(
        0.02, 'time between two outputs', unit='s', minimum=1e-3, maximum=10.0
    )
    enable_stamped_cmd_vel: bool = parameter(
        False, 'input and output are TwistStamped; false: Twist'
    )
    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of the commands; a TwistStamped in another one is refused',
        choices=('map', 'base_link'),
    )  # fmt: skip
    child_frame_id: str = parameter('', 'body frame; empty: NAMESPACE/base_link')
    feedback: str = parameter(
        OPEN_LOOP, 'what a change is counted from: the last output, or near to the odometry',
        choices=(OPEN_LOOP, ODOMETRY),
    )  # fmt: skip
    odom_timeout: float = parameter(
        0.5, 'age of the odometry at which it is no longer used', unit='s', above=0.0,
        maximum=60.0, only_with=WITH_ODOMETRY,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse an invalid frame name."""
        super().__post_init__()
        check_frame_name('child_frame_id', self.child_frame_id)
