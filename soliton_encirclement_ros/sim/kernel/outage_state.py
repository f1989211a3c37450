"""Outages of agents: the rules of ``actors.failures`` on numbers drawn beforehand."""

from soliton_encirclement_ros.actors.failures import back_in_time, checked, healthy
from soliton_encirclement_ros.core.laws.record_rows import packing
from soliton_encirclement_ros.core.schedules.periodic import due
from soliton_encirclement_ros.core.schedules.windows import is_open
from soliton_encirclement_ros.sim.kernel.columns import (
    BROKEN,
    DRAWN,
    NEXT_FAIL,
    OUT,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flags import flag
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory

_, pack_health, unpack_health = packing(healthy(0.0))


def is_out(flight: FlightMemory, i: int, now: float) -> bool:
    """Return whether an agent is scheduled to be down at a time [s]."""
    schedule = flight.schedule
    for w in range(schedule.outage_from[i], schedule.outage_from[i + 1]):
        if is_open(schedule.outages[w, 0], schedule.outages[w, 1], now):
            return True
    return False


def is_down(flight: FlightMemory, i: int, now: float) -> bool:
    """Return whether an agent receives nothing at a time [s]."""
    return flight.health[i, BROKEN] != 0.0 or is_out(flight, i, now)


def update(rules: Rules, flight: FlightMemory, i: int, now: float) -> bool:
    """Let an agent fail or recover; return whether it is down at this tick."""
    out = is_out(flight, i, now)
    flight.health[i, OUT] = flag(out)
    return update_chance(rules, flight, i, now) or out


def update_chance(rules: Rules, flight: FlightMemory, i: int, now: float) -> bool:
    """Let an agent fail or recover at random; the tick of recovery still counts as down."""
    row, failure = flight.health[i], rules.failure
    health = unpack_health(row)
    if health.broken:
        pack_health(back_in_time(health, now), row)
        return True
    if failure.enable:
        checks = due(health.checks, now, failure.period)
        fails = draws_failure(flight, i, checks)
        pack_health(checked(health, checks, fails, now + failure.off_time), row)
    return row[BROKEN] != 0.0


def draws_failure(flight: FlightMemory, i: int, count: int) -> bool:
    """Make some draws; return whether one of them is a failure."""
    health, schedule = flight.health, flight.schedule
    health[i, DRAWN] += count
    k, end = int(health[i, NEXT_FAIL]), schedule.fail_from[i + 1]
    fails = False
    while k < end and schedule.fails[k] < health[i, DRAWN]:
        fails = True
        k += 1
    health[i, NEXT_FAIL] = k
    return fails


def failed(flight: FlightMemory, i: int) -> bool:
    """Return whether an agent was down after the last update."""
    return flight.health[i, BROKEN] != 0.0 or flight.health[i, OUT] != 0.0
