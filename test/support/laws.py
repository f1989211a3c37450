"""For tests that hold our law and the originals to one assertion: flights of a small swarm."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from soliton_encirclement_ros.core.run.observer import ObservedSample
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.states.swarm_topics import uav
from support.engine_flights import Flight, Placing, flown
from support.plain_loop import SwarmLoop
from velocity_mobility_ros.core.velocity_model import Vector

Changes = Mapping[str, Mapping[str, Any]]

HELD_BY_OURS = pytest.mark.parametrize(
    ('law', 'holds'), [('soliton', True), ('two_channel', False), ('soliton_v1', False)]
)
"""The assertion holds for our law and fails for both originals."""

QUIET: Changes = {
    'failure': {'failure_enable': False},
    'target': {'target_motion_speed_xy': 0.0},
    'adversary': {'adversary_enable': False},
    'propagation': {'propagation_method': 'baseline'},
    'safety': {'separation_filter': False},
}


def paired(law: str, changes: Changes, seconds: float | None = None) -> Scenario:
    """Return a scenario under a law alone, without the separation filter.

    Nobody fails and the target stands still unless changed.

    Args:
        law: Which law.
        changes: What else is different.
        seconds: How long it is [s]; None for the default.
    """
    scenario = Scenario('paired').with_changes({'control': {'controller': law}}, 'law')
    length = {} if seconds is None else {'run': {'sim_duration': seconds}}
    for change in (QUIET, changes, length):  # parameters of a law's own need the law first
        scenario = scenario.with_changes(change, 'changes')
    return scenario


def swarm(law: str, changes: Changes) -> SwarmLoop:
    """Return a swarm under a law, to be flown tick by tick."""
    return SwarmLoop(paired(law, changes))


def flight(law: str, changes: Changes, seconds: float, placing: Placing | None = None) -> Flight:
    """Return a whole flight of a swarm under a law, for tests that look at nobody's inside."""
    return flown(paired(law, changes, seconds), placing)


def place(loop: SwarmLoop, where: Placing) -> None:
    """Give every agent a position [m] and a velocity [m/s] by its number."""
    for k in loop.scenario.agent_ids:
        position, velocity = where(k)
        body = loop.world.bodies[uav(k)]
        body.state = body.state._replace(position=position, velocity=velocity)


def fly(loop: SwarmLoop, seconds: float) -> Iterator[ObservedSample]:
    """Yield the samples of the next seconds."""
    for _ in range(round(seconds / loop.scenario.swarm.control_period)):
        yield loop.tick()


def land(loop: SwarmLoop, seconds: float) -> ObservedSample:
    """Fly on for some seconds; return the last sample."""
    return list(fly(loop, seconds))[-1]


def positions(loop: SwarmLoop) -> list[Vector]:
    """Return where the agents are [m]."""
    return [loop.world.pose(uav(k)).position for k in loop.scenario.agent_ids]
