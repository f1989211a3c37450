"""Failures of a flight on request, as an operator asks for them: the rules of ``Failures``."""

import math

from soliton_encirclement_ros.actors.failures import down_until, healthy
from soliton_encirclement_ros.core.schedules.windows import is_open
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.outage_state import failed, pack_health, unpack_health


def fail(flight: FlightMemory, i: int) -> bool:
    """Take an agent down from the next tick on, until it recovers on request.

    Returns:
        Whether it was up.
    """
    row, was_up = flight.health[i], not _is_down(flight, i)
    pack_health(down_until(unpack_health(row), math.inf), row)
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
    row, schedule = flight.health[i], flight.schedule
    if not _is_down(flight, i):
        return False
    for w in range(schedule.outage_from[i], schedule.outage_from[i + 1]):
        if is_open(schedule.outages[w, 0], schedule.outages[w, 1], now):
            schedule.outages[w, 1] = now
    pack_health(healthy(now), row)
    return True


def _is_down(flight: FlightMemory, i: int) -> bool:
    """Return whether an agent is down, or goes down at the next tick."""
    return bool(failed(flight, i) or unpack_health(flight.health[i]).broken)
