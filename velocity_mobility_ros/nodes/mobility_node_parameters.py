"""Parameters of the vehicle node: its topics, its frames, where the body starts."""

from dataclasses import dataclass

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.frame_names import check_frame_name, check_odom_frame
from velocity_mobility_ros.core.magnitudes import LARGEST_COORDINATE
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

PLACE = {'unit': 'm', 'minimum': -LARGEST_COORDINATE, 'maximum': LARGEST_COORDINATE}
"""Unit and bounds of an initial coordinate; receivers refuse positions beyond."""


@dataclass(frozen=True)
class MobilityNodeParameters(Parameters):
    """Interface of the node, and the initial pose of the body."""

    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of Twist commands', choices=('map', 'base_link'),
        only_with={'enable_stamped_cmd_vel': False},
    )  # fmt: skip
    enable_stamped_cmd_vel: bool = parameter(False, 'cmd_vel is TwistStamped; false: Twist')
    cmd_vel_timeout: float = parameter(
        0.5, 'time without a command after which the body stops; 0: never',
        unit='s', minimum=0.0,
    )  # fmt: skip
    publish_tf: bool = parameter(True, 'publish transforms, if tf2_msgs is installed')
    frame_id: str = parameter(MAP_FRAME, 'fixed frame, also of the initial position')
    odom_frame: str = parameter(
        '', 'odometry frame, with its origin at the start; odom: NAMESPACE/odom; empty: frame_id'
    )
    child_frame_id: str = parameter('', 'body frame; empty: NAMESPACE/base_link')
    initial_x: float = parameter(0.0, 'initial position', **PLACE)
    initial_y: float = parameter(0.0, 'initial position', **PLACE)
    initial_z: float = parameter(0.0, 'initial position', **PLACE)
    initial_yaw: float = parameter(0.0, 'initial heading', unit='rad')
    sensor_seed: int = parameter(
        0, 'seed of the noise, drift and dropouts of the odometry', minimum=0,
        maximum=LARGEST_SEED,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse invalid frame names."""
        super().__post_init__()
        if not self.frame_id:
            raise ParameterError(f"frame_id = '' must name a frame, such as {MAP_FRAME}")
        for name in ('frame_id', 'odom_frame', 'child_frame_id'):
            check_frame_name(name, getattr(self, name))
        check_odom_frame(self.odom_frame, self.frame_id)
