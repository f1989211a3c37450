"""Failures of a flight on request, as an operator asks for them: the rules of ``Failures``."""

import math

from soliton_encirclement_ros.core.schedules import is_open
from soliton_encirclement_ros.swarm.failures import bring_back, is_failed, take_down
from soliton_encirclement_ros.swarm.memory import FlightMemory


def fail(flight: FlightMemory, i: int) -> bool:
    """Take an agent down from the next tick on, until it recovers on request.

    Returns:
        Whether it was up.
    """
    health = flight.health[i]
    was_up = not is_failed(health)
    take_down(health, math.inf)
    return was_up


def recover(flight: FlightMemory, i: int, now: float) -> bool:
    """Let an agent come back at the next tick, also from a scheduled outage.

    Args:
        flight: The flight.
        i: Index of the agent.
        now: Time [s].

    Returns:
        Whether it was down.
    """
    health, schedule = flight.health[i], flight.schedule
    if not is_failed(health):
        return False
    for w in range(schedule.outage_from[i], schedule.outage_from[i + 1]):
        if is_open(schedule.outages[w, 0], schedule.outages[w, 1], now):
            schedule.outages[w, 1] = now
    bring_back(health, now)
    return True

