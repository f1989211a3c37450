"""For tests of laws: what one agent knows of a ring that moves as it should, words a tick late."""

import math
from collections.abc import Mapping

from soliton_encirclement_ros.controllers import CONTROLLERS, Controller, Knowledge, Setup
from soliton_encirclement_ros.core import AgentState, Pose, TargetState
from soliton_encirclement_ros.core.scenario.section_records import record_of
from soliton_encirclement_ros.core.states.agent_cache import AgentCache
from velocity_mobility_ros.core.model import Vector

T, R, TAU = 0.05, 20.0, 1.0
"""Control period [s], wanted radius [m] and lag of the vehicle [s], as by default."""

ORIGIN = (0.0, 0.0, 0.0)
STILL = TargetState(1, ORIGIN, ORIGIN)
AT_ORIGIN = Pose(ORIGIN, ORIGIN)


def made(name: str, **control: float) -> Controller:
    """Return a fresh law with its default gains, some changed."""
    return CONTROLLERS[name](Setup(record_of('control', name)(controller=name, **control)))


def turning(theta: float, rate: float = 0.0, centre: Pose = AT_ORIGIN) -> Pose:
    """Return a pose on the ring round a centre that turns at a rate [rad/s]."""
    (x, y, z), (vx, vy, vz) = centre.position, centre.velocity
    c, s = R * math.cos(theta), R * math.sin(theta)
    return Pose((x + c, y + s, z), (vx - rate * s, vy + rate * c, vz))


def known(
    k: int,
    pose: Pose,
    others: Mapping[int, Pose],
    target: TargetState = STILL,
    prop: Mapping[int, float] | None = None,
) -> Knowledge:
    """Return what agent 1 knows at tick k.

    Args:
        k: Number of the tick.
        pose: Its own pose now.
        others: Poses of the others, by number, as of the tick before.
        target: What the target said at the tick before.
        prop: What the others said of their headings [rad], by number.
    """
    cache, now = AgentCache(0.25), k * T
    for agent_id, other in others.items():
        told = (('heading', prop[agent_id]),) if prop else ()
        cache.accept(AgentState(agent_id, k, *other, prop=told, age=T), now)
    return Knowledge(now, 1, pose, cache, target._replace(seq=k, age=T), True, T, ORIGIN)


def even(count: int) -> list[float]:
    """Return even angles [rad], the first of them 0.3."""
    return [0.3 + 2.0 * math.pi * i / count for i in range(count)]


def ahead(place: Vector, velocity: Vector, time: float) -> Vector:
    """Return where a place is after a time [s]."""
    return tuple(p + v * time for p, v in zip(place, velocity, strict=True))


def command_on_even_ring(name: str, count: int, rate: float, velocity: Vector) -> tuple:
    """Return the velocity of agent 1 on an even ring that turns, and its command, at tick 3.

    Args:
        name: The law.
        count: Number of agents.
        rate: Turn rate of the ring [rad/s].
        velocity: Of the target [m/s, map].
    """
    controller = made(name)
    for k in range(1, 4):
        now, before = ahead(ORIGIN, velocity, k * T), ahead(ORIGIN, velocity, (k - 1) * T)
        thetas = even(count)
        others = {
            i + 1: turning(thetas[i] + rate * (k - 1) * T, rate, Pose(before, velocity))
            for i in range(1, count)
        }
        headings = {i: thetas[i - 1] + rate * k * T + 0.5 * math.pi for i in others}
        pose = turning(thetas[0] + rate * k * T, rate, Pose(now, velocity))
        target = TargetState(k, before, velocity)
        command = controller.step(known(k, pose, others, target, headings))
    return pose, now, command
