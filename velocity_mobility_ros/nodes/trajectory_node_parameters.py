"""Parameters of the trajectory node: how paths are followed, and where the vehicle looks."""

import math
from dataclasses import dataclass

from velocity_mobility_ros.core.magnitudes import LARGEST_COORDINATE
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.polyline.records import FollowSettings, SpeedLimits
from velocity_mobility_ros.core.trajectory.guidance import FIXED, TOWARD_POINT, YAW_POLICIES
from velocity_mobility_ros.core.trajectory.pursuit import Guidance

RULES = ('robust', 'original')
TIME_MODES = ('absolute', 'relative')
PLACE = {'unit': 'm', 'minimum': -LARGEST_COORDINATE, 'maximum': LARGEST_COORDINATE}


@dataclass(frozen=True)
class TrajectoryNodeParameters(Parameters):
    """Limits and rules of the virtual leader, and how the vehicle follows it."""

    step: float = parameter(
        0.05, 'time between two steps of the leader, and two commands', unit='s', minimum=0.005,
        maximum=1.0,
    )  # fmt: skip
    max_speed: float = parameter(
        8.0, 'largest speed along the path', unit='m/s', above=0.0, runtime=True
    )
    cruise_speed: float | None = parameter(
        5.0, 'speed where no timed pose is ahead; none: max_speed', unit='m/s', above=0.0,
        runtime=True,
    )  # fmt: skip
    max_acceleration: float = parameter(
        3.0, 'largest acceleration along the path', unit='m/s^2', above=0.0, runtime=True
    )
    acceleration_rate: float = parameter(
        6.0, 'largest increase of the acceleration', unit='m/s^3', above=0.0, runtime=True
    )
    max_deceleration: float = parameter(
        3.0, 'largest deceleration along the path', unit='m/s^2', above=0.0, runtime=True
    )
    deceleration_rate: float = parameter(
        6.0, 'largest decrease of the acceleration', unit='m/s^3', above=0.0, runtime=True
    )
    rules: str = parameter(RULES[0], 'rules of the speed along the path', choices=RULES)
    strict: bool = parameter(
        False, 'a pose that is missed in time ends the path; false: it is reached late'
    )
    loop: bool = parameter(False, 'the first pose follows the last one')
    time_mode: str = parameter(
        TIME_MODES[0], 'stamps of poses: times, or since the stamp of the path', choices=TIME_MODES
    )
    correction_gain: float = parameter(
        1.0, 'speed per distance from the leader', unit='1/s', minimum=0.0, runtime=True
    )
    leash: float = parameter(
        2.0, 'distance from the leader at which it waits', unit='m', above=0.0, runtime=True
    )
    tau_xy: float | None = parameter(
        None, 'horizontal lag of the vehicle, for which commands make up; none: they do not',
        unit='s', above=0.0, runtime=True,
    )  # fmt: skip
    tau_z: float | None = parameter(
        None, 'vertical lag of the vehicle, for which commands make up; none: they do not',
        unit='s', above=0.0, runtime=True,
    )  # fmt: skip
    yaw_policy: str = parameter(
        YAW_POLICIES[0], 'where the vehicle looks', choices=YAW_POLICIES, runtime=True
    )
    yaw: float = parameter(
        0.0, 'heading', unit='rad', runtime=True, only_with={'yaw_policy': FIXED}
    )
    point_x: float = parameter(
        0.0, 'point to look at', runtime=True, only_with={'yaw_policy': TOWARD_POINT}, **PLACE
    )
    point_y: float = parameter(
        0.0, 'point to look at', runtime=True, only_with={'yaw_policy': TOWARD_POINT}, **PLACE
    )
    yaw_gain: float = parameter(
        1.5, 'yaw rate per difference from the wanted heading', unit='1/s', minimum=0.0,
        runtime=True,
    )  # fmt: skip
    max_yaw_rate: float = parameter(
        1.5, 'largest yaw rate', unit='rad/s', minimum=0.0, runtime=True
    )
    odom_timeout: float = parameter(
        0.5, 'age of the odometry beyond which no command is sent', unit='s', above=0.0,
        maximum=60.0,
    )  # fmt: skip
    enable_stamped_cmd_vel: bool = parameter(False, 'cmd_vel is TwistStamped; false: Twist')

    @property
    def is_absolute(self) -> bool:
        """Whether stamps of poses are times of the clock."""
        return self.time_mode == TIME_MODES[0]

    @property
    def follow_settings(self) -> FollowSettings:
        """How the leader follows a path."""
        return FollowSettings(
            SpeedLimits(
                self.max_speed,
                self.max_acceleration,
                self.acceleration_rate,
                self.max_deceleration,
                self.deceleration_rate,
            ),
            math.nan if self.cruise_speed is None else self.cruise_speed,
            self.step,
            self.rules == 'original',
            self.strict,
        )

    @property
    def guidance(self) -> Guidance:
        """How the vehicle follows the leader."""
        return Guidance(
            self.correction_gain,
            self.leash,
            self.yaw_policy,
            self.yaw,
            (self.point_x, self.point_y),
            self.yaw_gain,
            self.max_yaw_rate,
            self.tau_xy,
            self.tau_z,
        )
