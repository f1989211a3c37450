"""The ROS domain of a run: a valid number, and nobody else's swarm in it."""

import os

from soliton_encirclement_ros.core.errors import RunError

LARGEST_DOMAIN = 101
"""Beyond this the ports of DDS reach into those that Linux hands out to anybody."""


def check_domain() -> None:
    """Refuse a ``ROS_DOMAIN_ID`` that is no domain.

    Raises:
        RunError: The environment names no usable domain.
    """
    text = os.environ.get('ROS_DOMAIN_ID', '') or '0'
    if not (text.isascii() and text.isdigit() and int(text) <= LARGEST_DOMAIN):
        raise RunError(
            f'ROS_DOMAIN_ID={text!r} must be a whole number from 0 to {LARGEST_DOMAIN}'
        )
