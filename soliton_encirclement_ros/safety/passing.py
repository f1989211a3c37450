"""Ways past bodies that block the wish: round silent ones, and out of a symmetric standstill.

Way past silent bodies: the wanted velocity is turned just as far as it takes to miss them.

A body that stands still does not make room. A command that is only kept from approaching it brakes
in front of it and slides along it slowly, or stays there. So a wish that leads into the ball
round such a body is turned, at full speed, onto a tangent of it, to the side where less is to be
turned; where one more is in the way, farther to that side. The last side is preferred, since a
flight along a wall of bodies would else turn back:

    turn = alpha -+ phi,    sin alpha = r / d,    r = D + error + clearance

with the body at the distance d in the direction phi, counted from the wish. Only bodies that the
wish reaches soon count: the end of a wish is not known, and may be this side of the body. The
turned velocity passes the same barriers, so safety does not depend on it.

Way out of a symmetric standstill: everybody turns to the right, the more the longer it lasts.

While a barrier acts, the wanted velocity is turned clockwise by ``turn``. It starts at ``bias``
and grows by ``rate`` as long as the command makes no progress along the wanted direction. At 90
degrees everybody moves along the edge of the crowd, counter-clockwise round its centre, until the
own goal is free. An agent that cannot move at all turns further, back if need be: what blocks it
there may be another one that does the same. The turned velocity passes the same barriers, so
safety does not depend on it.
"""

import math
from typing import NamedTuple

from soliton_encirclement_ros.core.laws.filter_codes import NOBODY
from soliton_encirclement_ros.safety.braking import BrakingPath, Discs, other_path
from soliton_encirclement_ros.safety.filter_records import (
    GHOST, ID, INDEX, KIND, VX, VY, Detour, FilterMemory, FilterSettings, Rows, Scratch
)
from soliton_encirclement_ros.safety.nearest_command import NearestCommand, nearest_command
from soliton_encirclement_ros.safety.pair_barrier import uncertainty
from velocity_mobility_ros.core.velocity_model import limit_xy

SLOW = 0.05
"""A wanted speed below this [m/s] is none."""

BLOCKED = 0.1
"""A command below this share of the wanted speed does not lead anywhere."""

FULL_TURN = 2.0 * math.pi


def rotate_right(wx: float, wy: float, turn: float) -> tuple[float, float]:
    """Return a vector turned clockwise by an angle [rad]."""
    cosine, sine = math.cos(turn), math.sin(turn)
    return wx * cosine + wy * sine, wy * cosine - wx * sine


def next_turn(
    detour: Detour, turn: float, wx: float, wy: float, cx: float, cy: float, dt: float
) -> float:
    """Return the turn [rad] after a tick in which a barrier acted.

    Args:
        detour: How it grows.
        turn: The turn in this tick.
        wx: Wanted velocity east [m/s].
        wy: The same north.
        cx: Command east [m/s].
        cy: The same north.
        dt: Control period [s].
    """
    wanted = math.sqrt(wx * wx + wy * wy)
    if wanted < SLOW:
        return 0.0
    change = detour.rate * dt
    if (cx * wx + cy * wy) / wanted >= detour.progress * wanted:
        return max(detour.bias, turn - change)
    if math.sqrt(cx * cx + cy * cy) < BLOCKED * wanted:
        return turn + change if turn + change < FULL_TURN else detour.bias
    if turn > detour.most:
        return max(detour.most, turn - change)
    return min(detour.most, max(detour.bias, turn + change))


def decay_turn(detour: Detour, turn: float, dt: float) -> float:
    """Return the turn [rad] after a tick [s] in which no barrier acted."""
    return max(0.0, turn - detour.rate * dt)


def detour_of(detour: Detour, turn: float, wx: float, wy: float) -> tuple[float, float]:
    """Return the wanted velocity [m/s] with its turn, not faster than before."""
    x, y = rotate_right(wx, wy, turn)
    return limit_xy(x, y, math.sqrt(wx * wx + wy * wy))


LEFT = 1.0
RIGHT = -1.0

ROUNDS = 4
"""So often a turned direction is looked at again: one body can stand behind another."""

TOUCHING = 1.0 - 1e-6
"""A direction that comes nearer than this share of the radius leads into a ball."""


class Passage(NamedTuple):
    """Way past silent bodies.

    Attributes:
        x: Wanted velocity east [m/s].
        y: The same north.
        who: The first body in the way, or NOBODY.
        side: Side on which it is passed, LEFT or RIGHT; 0: none.
    """

    x: float
    y: float
    who: int
    side: float


class Turn(NamedTuple):
    """Angle [rad] by which a direction is to be turned to one side, and for whose sake."""

    angle: float
    who: int


def passage(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    scratch: Scratch,
    near: int,
    wx: float,
    wy: float,
    tau: float,
    side: float,
) -> Passage:
    """Return a wanted velocity, turned past the silent bodies in its way; never another speed.

    It is returned as it is where nobody is in the way, or no turn of at most ``detour.most``
    leads past.

    Args:
        settings: The filter's numbers.
        own: The own vehicle.
        others: The other bodies.
        scratch: Rows with the indices of the nearest bodies.
        near: How many of these there are.
        wx: Wanted velocity east [m/s].
        wy: The same north.
        tau: Lag [s].
        side: Side of the last call, which is preferred; 0: none.
    """
    speed = math.sqrt(wx * wx + wy * wy)
    if speed < SLOW:
        return Passage(wx, wy, NOBODY, 0.0)
    ux, uy, ahead = wx / speed, wy / speed, own.length + settings.detour.ahead * speed
    left = turn_past(settings, own, others, scratch, near, ux, uy, ahead, LEFT, tau)
    if left.who == NOBODY:
        return Passage(wx, wy, NOBODY, 0.0)
    right = turn_past(settings, own, others, scratch, near, ux, uy, ahead, RIGHT, tau)
    side = LEFT if left.angle - right.angle < settings.detour.keep * side else RIGHT
    angle = left.angle if side == LEFT else -right.angle
    if abs(angle) > settings.detour.most:
        return Passage(wx, wy, NOBODY, 0.0)
    cosine, sine = math.cos(angle), math.sin(angle)
    return Passage(wx * cosine - wy * sine, wy * cosine + wx * sine, left.who, side)


def turn_past(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    scratch: Scratch,
    near: int,
    ux: float,
    uy: float,
    ahead: float,
    side: float,
    tau: float,
) -> Turn:
    """Return the least turn of a direction to one side past all silent bodies.

    Args:
        settings: The filter's numbers.
        own: The own vehicle.
        others: The other bodies.
        scratch: Rows with the indices of the nearest bodies.
        near: How many of these there are.
        ux: The direction, east.
        uy: The same, north.
        ahead: Bodies farther away than this along it are not in the way [m].
        side: LEFT or RIGHT.
        tau: Lag [s].
    """
    angle, body_id, x, y = 0.0, NOBODY, ux, uy
    for _ in range(ROUNDS):
        before = angle
        for k in range(near):
            i = int(scratch[k][INDEX])
            if others[i][KIND] != GHOST:
                continue
            turn = turn_past_body(settings, own, others, i, x, y, ahead, side, tau)
            if turn > 0.0:
                angle += turn
                body_id = int(others[i][ID]) if body_id == NOBODY else body_id
                cosine, sine = math.cos(angle), side * math.sin(angle)
                x, y = ux * cosine - uy * sine, uy * cosine + ux * sine
        if angle == before:
            break
    return Turn(angle, body_id)


def turn_past_body(
    settings: FilterSettings,
    own: BrakingPath,
    others: Rows,
    i: int,
    x: float,
    y: float,
    ahead: float,
    side: float,
    tau: float,
) -> float:
    """Return by how much [rad] a direction has to be turned to one side past a body; 0: it misses.

    Args:
        settings: The filter's numbers.
        own: The own vehicle.
        others: The other bodies.
        i: Row of the body.
        x: The direction, east.
        y: The same, north.
        ahead: A body farther away than this along it is not in the way [m].
        side: LEFT or RIGHT.
        tau: Lag [s].
    """
    a, vx, vy = settings.limits[2], others[i][VX], others[i][VY]
    body = other_path(settings, others, i, a, tau)
    error = uncertainty(settings, others, i, math.sqrt(vx * vx + vy * vy), a, tau)
    radius = settings.distance + error + settings.detour.clearance
    gx, gy = body.px - own.x, body.py - own.y
    along, lateral = gx * x + gy * y, x * gy - y * gx
    if along <= 0.0 or abs(lateral) >= TOUCHING * radius:
        return 0.0
    inside = radius * radius - lateral * lateral
    if along - math.sqrt(max(0.0, inside)) > ahead:
        return 0.0
    tangent = along * along - inside
    alpha = 0.5 * math.pi if tangent <= 0.0 else math.atan2(radius, math.sqrt(tangent))
    return max(0.0, alpha + side * math.atan2(lateral, along))


class Aim(NamedTuple):
    """The desired direction where barriers act.

    Attributes:
        best: The nearest command that keeps them, if there is one.
        wish: Wanted velocity [m/s], past silent bodies where they are in the way.
        tried: The same with the turn out of a standstill.
        who: The silent body that is passed, or NOBODY.
        side: Side on which it is passed; 0: none.
    """

    best: NearestCommand
    wish: tuple[float, float]
    tried: tuple[float, float]
    who: int
    side: float


def choose_aim(
    settings: FilterSettings,
    path: BrakingPath,
    others: Rows,
    near: int,
    scratch: Scratch,
    count: int,
    feasible: Discs,
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
        feasible: Speed and acceleration.
        wx: Wanted velocity east [m/s].
        wy: The same north.
        memory: Turn out of a standstill, side on which silent bodies are passed.
        tau: Lag [s].
    """
    tried = detour_of(settings.detour, memory.turn, wx, wy)
    best = nearest_command(scratch, count, feasible, tried[0], tried[1], 1.0)
    enough = settings.detour.slide * (wx * wx + wy * wy)
    if best.found and best.x * wx + best.y * wy >= enough:
        return Aim(best, (wx, wy), tried, NOBODY, memory.side)
    past = passage(settings, path, others, scratch, near, wx, wy, tau, memory.side)
    if past.who == NOBODY:
        return Aim(best, (wx, wy), tried, NOBODY, 0.0)
    straight = (past.x, past.y)
    best = nearest_command(scratch, count, feasible, past.x, past.y, 1.0)
    if best.found and best.x * past.x + best.y * past.y >= enough:
        return Aim(best, straight, straight, past.who, past.side)
    tried = detour_of(settings.detour, memory.turn, past.x, past.y)
    best = nearest_command(scratch, count, feasible, tried[0], tried[1], 1.0)
    return Aim(best, straight, tried, past.who, past.side)
