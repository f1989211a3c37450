"""Warnings about distances that a swarm cannot keep, or does not."""

import math

from soliton_encirclement_ros.core.fences.fence_text import fence_rings
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import SwarmParameters
from soliton_encirclement_ros.core.schedules.outage_schedule import NAME
from soliton_encirclement_ros.core.schedules.windows import parse_windows

UNFILTERED = 'separation_filter = false: NOTHING keeps the vehicles apart'

MOST_FILTERED = 1000
"""Most agents with a separation filter: each remembers the last state of every other one."""

ANNOUNCED = 4
"""Control periods in which an agent has told where it is."""

ROOM = 1.1
"""Spacing on the ring, per least distance, below which agents push each other all the time."""


def separation_warnings(
    safety: SafetyParameters, swarm: SwarmParameters, agents: int, schedule: str
) -> list[str]:
    """Return warnings about distances.

    Args:
        safety: Least distances.
        swarm: Holds the radius of the ring.
        agents: Number of agents.
        schedule: Scheduled outages.
    """
    if not safety.separation_filter:
        return [f'safety.{UNFILTERED}']
    if agents > MOST_FILTERED:
        return [
            f'run.num_agents = {agents}: nothing keeps vehicles apart, the separation '
            f'filter is for at most {MOST_FILTERED} agents'
        ]
    found = distance_warnings(safety, swarm, agents)
    return found + _never_heard(schedule, swarm.control_period)


def distance_warnings(
    safety: SafetyParameters, swarm: SwarmParameters, agents: int, sections: bool = True
) -> list[str]:
    """Return warnings about distances for which the ring or the fence has no room.

    Args:
        safety: Least distances.
        swarm: Holds the radius of the ring.
        agents: Number of agents on the ring.
        sections: Whether names include their section; the parameters of a node have none.
    """
    return [
        *_crowded(safety, swarm, agents, 'safety.' * sections),
        *_pushed_off(safety, swarm, sections),
        *_no_room(safety, 'safety.' * sections),
    ]


def _crowded(
    safety: SafetyParameters, swarm: SwarmParameters, agents: int, prefix: str
) -> list[str]:
    radius, distance = swarm.encirclement_radius, safety.separation_distance
    chord = 2.0 * math.sin(math.pi / agents)
    if agents < 2 or chord * radius >= ROOM * distance:
        return []
    return [
        f'{prefix}separation_distance = {distance:g} m: a ring of {radius:g} m with {agents} '
        f'agents has {chord * radius:.3g} m between neighbours, less than {ROOM:g} times as much; '
        f'it needs a radius of {ROOM * distance / chord:.3g} m'
    ]


def _pushed_off(safety: SafetyParameters, swarm: SwarmParameters, sections: bool) -> list[str]:
    distance, radius = safety.target_distance, swarm.encirclement_radius
    if distance <= radius:
        return []
    return [
        f'{"safety." * sections}target_distance = {distance:g} m: agents are kept off the ring, '
        f'{"swarm." * sections}encirclement_radius = {radius:g} m'
    ]


def _no_room(safety: SafetyParameters, prefix: str) -> list[str]:
    """Return a warning about a margin that leaves nothing of the fence's bounding box."""
    rings = fence_rings(safety.fence)
    if not rings:
        return []
    narrow = min(max(along) - min(along) for along in zip(*rings[0], strict=True))
    if 2.0 * safety.fence_margin < narrow:
        return []
    return [
        f'{prefix}fence_margin = {safety.fence_margin:g} m: the fence is {narrow:.3g} m wide, no '
        'place in it is as far from its edges'
    ]


def _never_heard(schedule: str, period: float) -> list[str]:
    """Return a warning about agents that are down before they have sent anything."""
    words = [
        word for window in parse_windows(schedule, NAME) if window.begin <= period
        for word in window.words
    ]  # fmt: skip
    if not words:
        return []
    return [
        f'{NAME}: {" ".join(words)} down from the start: nobody hears where they are, so nobody '
        f'keeps away from them; let it begin at {ANNOUNCED * period:g} s'
    ]
