"""Mode of a simulated world."""

from dataclasses import dataclass

from velocity_mobility_ros.core.frame_names import (
    check_distinct,
    check_frame_name,
    check_odom_frame,
)
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.vehicle_topics import BASE_FRAME, MAP_FRAME

from soliton_encirclement_ros.core.parameters.run_parameters import (
    IN_LOCKSTEP,
    IN_REAL_TIME,
    MAX_OBSERVERS,
)


@dataclass(frozen=True)
class WorldMode(Parameters):
    """Lockstep or real time, and the observers."""

    lockstep: bool = parameter(True, 'wait for every answer; false: run by the clock')
    recorders: int = parameter(
        0,
        'recorders that a lockstep run waits for',
        minimum=0,
        maximum=MAX_OBSERVERS,
        **IN_LOCKSTEP,
    )
    monitors: int = parameter(
        0,
        'monitors that a lockstep run waits for',
        minimum=0,
        maximum=MAX_OBSERVERS,
        **IN_LOCKSTEP,
    )
    medium: bool = parameter(
        False, 'real time: forward states through the simulated radio', **IN_REAL_TIME
    )
    enable_stamped_cmd_vel: bool = parameter(
        False, 'real time: cmd_vel is TwistStamped; false: Twist', **IN_REAL_TIME
    )
    cmd_vel_timeout: float = parameter(
        0.5, 'real time: time without a command after which a body stops; 0: never',
        unit='s', minimum=0.0, **IN_REAL_TIME,
    )  # fmt: skip
    stay: bool = parameter(
        False, 'real time: after the run go on until asked to end, so that nobody misses odometry',
        **IN_REAL_TIME,
    )  # fmt: skip
    publish_tf: bool = parameter(True, 'publish transforms, if tf2_msgs is installed')
    odom_frame: str = parameter(
        '', 'real time: odometry frame, with its origin at the start; odom: uav_k/odom; empty: map'
    )

    def __post_init__(self) -> None:
        """Refuse frames that lockstep, whose members accept odometry in map, does not have.

        The frame of the odometry is not that of the body, which moves in it.
        """
        super().__post_init__()
        check_frame_name('odom_frame', self.odom_frame)
        check_odom_frame(self.odom_frame, MAP_FRAME)
        check_distinct({'odom_frame': self.odom_frame, 'the body': BASE_FRAME})
        if self.lockstep and self.odom_frame:
            raise ParameterError(
                f'odom_frame = {self.odom_frame!r} must be empty in lockstep, where odometry is '
                'in map; set lockstep to false'
            )
