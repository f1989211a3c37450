"""Names of a vehicle's topics, relative to its namespace."""

CMD_VEL = 'cmd_vel'
ODOM = 'odom'
TF = '/tf'

MAP_FRAME = 'map'
BASE_FRAME = 'base_link'


def body_frame(namespace: str) -> str:
    """Return a body's frame id: ``uav_3/base_link`` in namespace ``/uav_3``."""
    return f'{namespace.strip("/")}/{BASE_FRAME}'.lstrip('/')
