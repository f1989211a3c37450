"""Parameters of every member of a swarm."""

from dataclasses import dataclass

from velocity_mobility_ros.core.frame_names import check_frame_name
from velocity_mobility_ros.core.parameter_declaration import (
    LARGEST_COORDINATE,
    Parameters,
    parameter,
)
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.messages.vehicle_input import TWIST_FRAMES
from velocity_mobility_ros.ros_io.vehicle_topics import BASE_FRAME

from soliton_encirclement_ros.core.parameters.run_parameters import (
    IN_LOCKSTEP,
    IN_REAL_TIME,
    MAX_OBSERVERS,
)


@dataclass(frozen=True)
class ActorParameters(Parameters):
    """Common settings of a member of the swarm."""

    seed: int = parameter(0, 'seed of the run', minimum=0, maximum=LARGEST_SEED)
    lockstep: bool = parameter(False, 'tick with the world; false: with a timer')
    recorders: int = parameter(
        0, 'recorders that lockstep waits for at the start', minimum=0, maximum=MAX_OBSERVERS,
        **IN_LOCKSTEP,
    )  # fmt: skip
    monitors: int = parameter(
        0, 'monitors that lockstep waits for at the start', minimum=0, maximum=MAX_OBSERVERS,
        **IN_LOCKSTEP,
    )  # fmt: skip
    medium: bool = parameter(
        False, 'real time: receive through the simulated radio', **IN_REAL_TIME
    )
    enable_stamped_cmd_vel: bool = parameter(
        False, 'real time: publish cmd_vel as TwistStamped; false: Twist', **IN_REAL_TIME
    )
    odom_timeout: float = parameter(
        0.5, 'real time: age of the odometry beyond which no command is sent', unit='s',
        above=0.0, maximum=60.0, **IN_REAL_TIME,
    )  # fmt: skip
    stamp_tolerance: float = parameter(
        2.0, 'real time: largest difference of a stamp from the clock', unit='s', above=0.0,
        **IN_REAL_TIME,
    )  # fmt: skip


PLACE = {'unit': 'm', 'minimum': -LARGEST_COORDINATE, 'maximum': LARGEST_COORDINATE}
"""Limit of a frame's origin; positions farther away are refused by all receivers."""


@dataclass(frozen=True)
class OdometryParameters(Parameters):
    """Accepted frames of a member's odometry; in lockstep it is in map."""

    odom_frame: str = parameter(
        'map', 'real time: odometry frame placed in map by odom_origin_*; other frames by tf2',
        **IN_REAL_TIME,
    )  # fmt: skip
    odom_child_frame: str = parameter(
        '', 'real time: child frame of the odometry; empty: NAMESPACE/base_link or base_link',
        **IN_REAL_TIME,
    )  # fmt: skip
    odom_twist_frame: str = parameter(
        BASE_FRAME, "real time: frame of the odometry's twist; map: that of its pose",
        choices=TWIST_FRAMES, **IN_REAL_TIME,
    )  # fmt: skip
    odom_origin_x: float = parameter(0.0, 'origin of odom_frame in map', **PLACE, **IN_REAL_TIME)
    odom_origin_y: float = parameter(0.0, 'origin of odom_frame in map', **PLACE, **IN_REAL_TIME)
    odom_origin_z: float = parameter(0.0, 'origin of odom_frame in map', **PLACE, **IN_REAL_TIME)
    odom_origin_yaw: float = parameter(
        0.0, 'heading of odom_frame in map', unit='rad', **IN_REAL_TIME
    )

    def __post_init__(self) -> None:
        """Refuse a frame without a name: odometry in none is refused as well."""
        super().__post_init__()
        if not self.odom_frame:
            raise ParameterError("odom_frame = '' must name a frame: map, or that of the odometry")
        check_frame_name('odom_frame', self.odom_frame)
        check_frame_name('odom_child_frame', self.odom_child_frame)
