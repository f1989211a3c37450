"""Names of a vehicle's topics, relative to its namespace."""

from velocity_mobility_ros.core.coordinate_frames import MAP_FRAME

__all__ = ['MAP_FRAME']

BRIDGE_STATE = 'bridge_state'
CMD_VEL = 'cmd_vel'
CMD_VEL_RAW = 'cmd_vel_raw'
EMERGENCY_STOP = 'emergency_stop'
ODOM = 'odom'
GROUND_TRUTH = 'ground_truth'
TF = '/tf'
TF_STATIC = '/tf_static'

BASE_FRAME = 'base_link'


def body_frame(namespace: str, frame: str = BASE_FRAME) -> str:
    """Return a frame id of a body: ``uav_3/base_link`` in namespace ``/uav_3``."""
    return f'{namespace.strip("/")}/{frame}'.lstrip('/')


def names_of(body: str) -> tuple[str, ...]:
    """Return the frame ids of a body: in full, without the fleet, and ``base_link``."""
    segments = body.split('/')
    endings = ['/'.join(segments[i:]) for i in range(len(segments))]
    return tuple(dict.fromkeys((*endings, BASE_FRAME)))
