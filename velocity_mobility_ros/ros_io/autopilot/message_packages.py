"""Message packages that belong to an autopilot and are not part of ROS: loaded when needed."""

import importlib
from collections.abc import Mapping

from velocity_mobility_ros.core.errors import StartupError

SOURCES = {
    'ardupilot_msgs': 'build Tools/ros2/ardupilot_msgs of github.com/ArduPilot/ardupilot',
    'geographic_msgs': 'install it (ros-DISTRO-geographic-msgs)',
    'mavros_msgs': 'install it (ros-DISTRO-mavros-msgs)',
}
"""How to get a package, by its name."""


def load(kinds: Mapping[str, tuple[str, str]], part: str) -> dict[str, type]:
    """Return classes of messages or services.

    Args:
        kinds: Package and name by topic or service.
        part: ``msg`` or ``srv``.

    Raises:
        StartupError: A package is missing, or has no such message.
    """
    return {key: _class(package, part, name) for key, (package, name) in kinds.items()}


def _class(package: str, part: str, name: str) -> type:
    try:
        module = importlib.import_module(f'{package}.{part}')
    except ImportError as error:
        how = SOURCES.get(package, 'install it')
        raise StartupError(
            f'{package} is not installed ({error}): {how}, and source its workspace'
        ) from None
    found = getattr(module, name, None)
    if not isinstance(found, type):
        raise StartupError(f'{package} has no {part}/{name}; install a newer one')
    return found
