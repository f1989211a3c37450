"""Checks of the frame names of a vehicle."""

import itertools
from collections.abc import Mapping

from velocity_mobility_ros.core.user_errors import ParameterError, shown

MAP_FRAME = 'map'
"""The fixed frame of REP-105."""


def check_frame_name(parameter: str, frame: str) -> None:
    """Refuse a name with blanks or control characters, which tf2 would accept.

    Args:
        parameter: Name of the parameter, for the error.
        frame: The frame name; an empty one is not checked.

    Raises:
        ParameterError: The name is invalid.
    """
    if any(sign.isspace() or not sign.isprintable() for sign in frame):
        raise ParameterError(
            f'{parameter} = {shown(frame)} must not contain blanks or control characters; '
            'use a name such as uav_1/odom'
        )
    if _is_null(frame):
        raise ParameterError(f"{parameter} = {frame} must be a frame name; write '' for none")


def check_distinct(frames: Mapping[str, str]) -> None:
    """Refuse two frames of the same name, between which there can be no transform.

    Args:
        frames: Full frame names of one vehicle by parameter; empty: none.

    Raises:
        ParameterError: Two names are equal.
    """
    for (first, frame), (second, other_frame) in itertools.combinations(frames.items(), 2):
        if frame and frame == other_frame:
            raise ParameterError(
                f'{first} and {second} both name the frame {shown(frame)}; use two different names'
            )


def _is_null(text: str) -> bool:
    """Return whether a text is a YAML null, which ROS passes on as text."""
    return text in ('null', '~')


def check_odom_frame(frame: str, fixed: str) -> None:
    """Refuse an odometry frame that cannot have a transform to the fixed frame.

    Args:
        frame: The name as given, without the namespace of the body. Empty: none.
        fixed: Name of the fixed frame.

    Raises:
        ParameterError: It is the fixed frame, or begins with a slash, which tf2 does not accept.
    """
    if frame and frame in (MAP_FRAME, fixed):
        raise ParameterError(
            f'odom_frame = {shown(frame)} must be empty for odometry in the fixed frame'
        )
    if frame.startswith('/'):
        raise ParameterError(f'odom_frame = {shown(frame)} must not begin with a slash')
