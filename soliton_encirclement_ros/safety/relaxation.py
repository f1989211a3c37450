"""If no command fulfils all half-planes: the smallest largest violation within the discs."""

from soliton_encirclement_ros.safety.feasibility import Discs
from soliton_encirclement_ros.safety.projection import Point, largest_violation, nearest_command
from soliton_encirclement_ros.safety.records import Scratch

HALVINGS = 16
"""Iterations of the bisection: the slack is then known to 1 / 65536 of its first bound."""


def relaxed_command(
    scratch: Scratch,
    count: int,
    able: Discs,
    wx: float,
    wy: float,
    stop_x: float,
    stop_y: float,
) -> Point:
    """Return the command nearest to the wanted one with the smallest common slack.

    Args:
        scratch: The half-planes.
        count: How many there are.
        able: The discs.
        wx: Wanted command east [m/s].
        wy: Wanted command north [m/s].
        stop_x: A command in the discs, that of braking, east [m/s]; returned if all else fails.
        stop_y: The same north.
    """
    best = Point(stop_x, stop_y, False)
    low, high = 0.0, largest_violation(scratch, count, stop_x, stop_y)[0]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        found = nearest_command(scratch, count, able, wx, wy, middle)
        if found.found:
            best, high = found, middle
        else:
            low = middle
    return best
