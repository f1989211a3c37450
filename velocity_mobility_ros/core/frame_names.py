"""What the frames of a vehicle may be called."""

import itertools
from collections.abc import Mapping

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.shown import shown

MAP_FRAME = 'map'
"""The fixed frame of REP-105."""


def check_frame_name(parameter: str, frame: str) -> None:
    """Refuse a name with blanks or line ends: tf2 takes it, and nobody finds the frame.

    Args:
        parameter: The parameter that it is the value of.
        frame: The name; empty is left to others.

    Raises:
        ParameterError: It is such a name.
    """
    if any(sign.isspace() or not sign.isprintable() for sign in frame):
        raise ParameterError(
            f'{parameter} = {shown(frame)} must be a name without blanks and line ends, such as '
            'uav_1/odom'
        )
    if _is_null(frame):
        raise ParameterError(f"{parameter} = {frame} must be a name; for none write ''")


def check_apart(frames: Mapping[str, str]) -> None:
    """Refuse two frames of one name: none can be moved against itself.

    Args:
        frames: The frames of one vehicle by the parameters that name them, in full; empty: none.

    Raises:
        ParameterError: Two are one.
    """
    for (one, frame), (other, same) in itertools.combinations(frames.items(), 2):
        if frame and frame == same:
            raise ParameterError(
                f'{one} and {other} both name the frame {shown(frame)}; give one of them another'
            )


def _is_null(text: str) -> bool:
    """Say whether a text is what YAML has for no value, which ROS hands on as it is written."""
    return text in ('null', '~')


def check_odom_frame(frame: str, fixed: str) -> None:
    """Refuse a frame of odometry that nobody could move against the fixed one.

    Args:
        frame: The name, as it is told; the namespace of a body comes before it. Empty: none.
        fixed: Name of the fixed frame.

    Raises:
        ParameterError: It is the fixed frame, or begins with a slash, which tf2 does not take.
    """
    if frame and frame in (MAP_FRAME, fixed):
        raise ParameterError(
            f'odom_frame = {shown(frame)} must be empty for odometry in the fixed frame'
        )
    if frame.startswith('/'):
        raise ParameterError(f'odom_frame = {shown(frame)} must not begin with a slash')
