"""Where barriers act: the nearest command to the wish, or to a way past silent bodies.

Sliding along a barrier is the cheapest way past a body that is hardly in the way, and leaves
nothing of a wish that leads straight to it.
"""

from typing import NamedTuple

from soliton_encirclement_ros.safety.braking import BrakingPath
from soliton_encirclement_ros.safety.codes import NOBODY
from soliton_encirclement_ros.safety.deadlock import detour_of
from soliton_encirclement_ros.safety.feasibility import Discs
from soliton_encirclement_ros.safety.passing import passage
from soliton_encirclement_ros.safety.projection import Point, nearest_command
from soliton_encirclement_ros.safety.records import FilterMemory, FilterSettings, Rows, Scratch


class Aim(NamedTuple):
    """What is aimed at where barriers act.

    Attributes:
        best: The nearest command that keeps them, if there is one.
        wish: Wanted velocity [m/s], past silent bodies where they are in the way.
        tried: The same with the turn out of a standstill.
        who: The silent body that is passed, or NOBODY.
        side: Side on which it is passed; 0: none.
    """

    best: Point
    wish: tuple[float, float]
    tried: tuple[float, float]
    who: int
    side: float


def aimed(
    settings: FilterSettings,
    path: BrakingPath,
    others: Rows,
    near: int,
    scratch: Scratch,
    count: int,
    able: Discs,
    wx: float,
    wy: float,
    memory: FilterMemory,
    tau: float,
) -> Aim:
    """Return the nearest command; past silent bodies where one of them leaves little of the wish.

    Args:
        settings: The filter's numbers.
        path: The own vehicle.
        others: The other bodies.
        near: How many of them are near; their indices are in the rows.
        scratch: The half-planes.
        count: How many there are.
        able: Speed and acceleration.
        wx: Wanted velocity east [m/s].
        wy: The same north.
        memory: Turn out of a standstill, side on which silent bodies are passed.
        tau: Lag [s].
    """
    tried = detour_of(settings.detour, memory.turn, wx, wy)
    best = nearest_command(scratch, count, able, tried[0], tried[1], 1.0)
    enough = settings.detour.slide * (wx * wx + wy * wy)
    if best.found and best.x * wx + best.y * wy >= enough:
        return Aim(best, (wx, wy), tried, NOBODY, memory.side)
    past = passage(settings, path, others, scratch, near, wx, wy, tau, memory.side)
    if past.who == NOBODY:
        return Aim(best, (wx, wy), tried, NOBODY, 0.0)
    straight = (past.x, past.y)
    best = nearest_command(scratch, count, able, past.x, past.y, 1.0)
    if best.found and best.x * past.x + best.y * past.y >= enough:
        return Aim(best, straight, straight, past.who, past.side)
    tried = detour_of(settings.detour, memory.turn, past.x, past.y)
    best = nearest_command(scratch, count, able, tried[0], tried[1], 1.0)
    return Aim(best, straight, tried, past.who, past.side)
