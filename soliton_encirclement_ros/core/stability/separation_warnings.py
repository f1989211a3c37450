"""Warnings about distances that a swarm cannot keep, or does not."""

import math

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
    return _crowded(safety, swarm, agents) + _never_heard(schedule, swarm.control_period)


def _crowded(safety: SafetyParameters, swarm: SwarmParameters, agents: int) -> list[str]:
    radius, distance = swarm.encirclement_radius, safety.separation_distance
    spacing = 2.0 * radius * math.sin(math.pi / max(agents, 2))
    if spacing >= ROOM * distance:
        return []
    enough = ROOM * distance / (2.0 * math.sin(math.pi / agents))
    return [
        f'ring of {radius:g} m with {agents} agents: {spacing:.3g} m between neighbours, '
        f'less than {ROOM:g} times safety.separation_distance = {distance:g} m; it needs a radius '
        f'of {enough:.3g} m'
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
