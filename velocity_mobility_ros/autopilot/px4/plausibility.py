"""Whether the first messages make sense: fields of another release are read as other values."""

import math
from collections.abc import Iterator
from typing import Any

STATES = range(6)
LARGEST_MODE, LARGEST_ID = 31, 254
NORM_ERROR = 0.05


def status_faults(message: Any) -> Iterator[str]:
    """Iterate over the values of a VehicleStatus that cannot be."""
    if message.arming_state not in STATES:
        yield f'arming_state = {message.arming_state}, at most {STATES[-1]}'
    if message.nav_state > LARGEST_MODE:
        yield f'nav_state = {message.nav_state}, at most {LARGEST_MODE}'
    if not 1 <= message.system_id <= LARGEST_ID:
        yield f'system_id = {message.system_id}, from 1 to {LARGEST_ID}'


def odometry_faults(message: Any) -> Iterator[str]:
    """Iterate over the values of a VehicleOdometry that cannot be."""
    norm = math.sqrt(sum(float(value) ** 2 for value in message.q))
    if not math.isnan(norm) and abs(norm - 1.0) > NORM_ERROR:
        yield f'norm of q = {norm:.3g}, 1'
    if message.pose_frame > 2:
        yield f'pose_frame = {message.pose_frame}, at most 2'


def position_faults(message: Any) -> Iterator[str]:
    """Iterate over the values of a VehicleLocalPosition that cannot be."""
    for name, value, most in (
        ('ref_lat', message.ref_lat, 90.0),
        ('ref_lon', message.ref_lon, 180.0),
    ):
        if abs(value) > most:
            yield f'{name} = {value:g}, at most {most:g}'


def mismatch(faults: list[str]) -> str:
    """Return the trouble that such values stand for; empty without one."""
    if not faults:
        return ''
    return (
        f'the messages of the vehicle make no sense ({"; ".join(faults)}): px4_msgs belongs to '
        'another release of PX4'
    )
