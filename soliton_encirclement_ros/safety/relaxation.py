"""If no command restores all distances that are too small: restore them more slowly.

The rates above 0 are scaled by the largest common share at which a command exists. With share 0
command 0 fulfils every half-plane, so there always is one, and it never lets a distance shrink
more than command 0 does. That matters where a barrier is violated by the age of a state alone:
command 0 keeps the true distance.
"""

from soliton_encirclement_ros.safety.feasibility import Discs
from soliton_encirclement_ros.safety.projection import Point, nearest_command
from soliton_encirclement_ros.safety.records import Scratch

HALVINGS = 10
"""Iterations of the bisection: the share is known to 1 / 1024."""


def relaxed_command(
    scratch: Scratch,
    count: int,
    able: Discs,
    wx: float,
    wy: float,
    stop_x: float,
    stop_y: float,
) -> Point:
    """Return the command nearest to the wanted one with the largest common share of the rates.

    Args:
        scratch: The half-planes.
        count: How many there are.
        able: The discs.
        wx: Wanted command east [m/s].
        wy: Wanted command north [m/s].
        stop_x: The command that brakes like command 0, within the discs, east [m/s]; returned
            with ``found`` False if rounding leaves nothing else.
        stop_y: The same north.
    """
    best = Point(stop_x, stop_y, False)
    low, high = 0.0, 1.0
    for k in range(HALVINGS):
        middle = 0.0 if k == 0 else 0.5 * (low + high)
        found = nearest_command(scratch, count, able, wx, wy, middle)
        if found.found:
            best, low = found, middle
        elif k == 0:
            return best
        else:
            high = middle
    return best
