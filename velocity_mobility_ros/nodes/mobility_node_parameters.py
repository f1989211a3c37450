"""Parameters of the vehicle node: its topics, its frames, where the body starts."""

from dataclasses import dataclass

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.frame_names import check_frame_name, check_odom_frame
from velocity_mobility_ros.core.magnitudes import LARGEST_COORDINATE
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

PLACE = {'unit': 'm', 'minimum': -LARGEST_COORDINATE, 'maximum': LARGEST_COORDINATE}
"""Where a body can start: who is farther away is believed by nobody."""


@dataclass(frozen=True)
class MobilityNodeParameters(Parameters):
    """How the node talks and where the body starts."""

    cmd_vel_frame: str = parameter(
        MAP_FRAME, 'frame of a Twist command', choices=('map', 'base_link'),
        only_with={'enable_stamped_cmd_vel': False},
    )  # fmt: skip
    enable_stamped_cmd_vel: bool = parameter(False, 'take TwistStamped instead of Twist')
    cmd_vel_timeout: float = parameter(
        0.5, 'silence after which the body slows to a stop; 0: commands persist',
        unit='s', minimum=0.0,
    )  # fmt: skip
    publish_tf: bool = parameter(True, 'publish transforms where tf2_msgs is there')
    frame_id: str = parameter(MAP_FRAME, 'fixed frame, in which the initial position is')
    odom_frame: str = parameter(
        '', 'frame of the odometry, NAMESPACE/odom for odom, begins at the start; empty: frame_id'
    )
    child_frame_id: str = parameter('', 'frame of the body; empty: NAMESPACE/base_link')
    initial_x: float = parameter(0.0, 'initial position', **PLACE)
    initial_y: float = parameter(0.0, 'initial position', **PLACE)
    initial_z: float = parameter(0.0, 'initial position', **PLACE)
    initial_yaw: float = parameter(0.0, 'initial heading', unit='rad')

    def __post_init__(self) -> None:
        """Refuse frames that nobody would find."""
        super().__post_init__()
        if not self.frame_id:
            raise ParameterError(f"frame_id = '' must name a frame, such as {MAP_FRAME}")
        for name in ('frame_id', 'odom_frame', 'child_frame_id'):
            check_frame_name(name, getattr(self, name))
        check_odom_frame(self.odom_frame, self.frame_id)
