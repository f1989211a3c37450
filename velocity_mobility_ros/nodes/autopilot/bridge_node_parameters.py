"""Parameters of every bridge node: its commands, its frames, its rates."""

from dataclasses import dataclass

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.frame_names import check_frame_name
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME


@dataclass(frozen=True)
class BridgeNodeParameters(Parameters):
    """Interface of the node on the side of ROS."""

    tick_rate: float = parameter(
        50.0, 'rate of setpoints, and of odom at most', unit='Hz', minimum=10.0, maximum=200.0
    )
    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of Twist commands; base_link is turned by the heading only',
        choices=('map', 'base_link'), only_with={'enable_stamped_cmd_vel': False},
    )  # fmt: skip
    enable_stamped_cmd_vel: bool = parameter(False, 'cmd_vel is TwistStamped; false: Twist')
    frame_id: str = parameter(MAP_FRAME, 'fixed frame of odom, that of the swarm')
    child_frame_id: str = parameter('', 'body frame; empty: NAMESPACE/base_link')
    fleet: str = parameter(
        '', 'all vehicles with a bridge that fly together, such as uav_1, uav_2: whom swarm fly '
        'waits for; empty: those whose bridges are heard',
    )  # fmt: skip
    publish_tf: bool = parameter(True, 'publish transforms, if tf2_msgs is installed')

    def __post_init__(self) -> None:
        """Refuse invalid frame names."""
        super().__post_init__()
        if not self.frame_id:
            raise ParameterError(f"frame_id = '' must name a frame, such as {MAP_FRAME}")
        for name in ('frame_id', 'child_frame_id'):
            check_frame_name(name, getattr(self, name))
