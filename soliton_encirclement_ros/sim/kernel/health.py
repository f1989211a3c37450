"""Who is down: the rules of ``actors.failures`` on drawn numbers that are known beforehand."""

from soliton_encirclement_ros.core.schedule import ROUNDING, firings
from soliton_encirclement_ros.core.windows import is_open
from soliton_encirclement_ros.sim.kernel.columns import (
    BACK_AT,
    BROKEN,
    CHECKED,
    CHECKS_SINCE,
    DRAWN,
    NEXT_FAIL,
    OUT,
)
from soliton_encirclement_ros.sim.kernel.flags import flag
from soliton_encirclement_ros.sim.kernel.records import Flight
from soliton_encirclement_ros.sim.kernel.rules import Rules


def is_out(flight: Flight, i: int, now: float) -> bool:
    """Say whether an agent is scheduled to be down at a time [s]."""
    schedule = flight.schedule
    for w in range(schedule.outage_from[i], schedule.outage_from[i + 1]):
        if is_open(schedule.outages[w, 0], schedule.outages[w, 1], now):
            return True
    return False


def is_down(flight: Flight, i: int, now: float) -> bool:
    """Say whether an agent is deaf at a time [s]."""
    return flight.health[i, BROKEN] != 0.0 or is_out(flight, i, now)


def update(rules: Rules, flight: Flight, i: int, now: float) -> bool:
    """Let an agent fail or recover; return whether it is down at this tick."""
    out = is_out(flight, i, now)
    flight.health[i, OUT] = flag(out)
    return update_chance(rules, flight, i, now) or out


def update_chance(rules: Rules, flight: Flight, i: int, now: float) -> bool:
    """Let an agent fail or recover by chance; the tick of recovery still counts as down."""
    health = flight.health
    if health[i, BROKEN] != 0.0:
        if now + ROUNDING >= health[i, BACK_AT]:
            health[i, BROKEN] = 0.0
            health[i, CHECKS_SINCE] = now
            health[i, CHECKED] = 0.0
        return True
    due = due_checks(rules, flight, i, now) if rules.failure.enable else 0
    if draws_failure(flight, i, due):
        health[i, BROKEN] = 1.0
        health[i, BACK_AT] = now + rules.failure.off_time
    return health[i, BROKEN] != 0.0


def due_checks(rules: Rules, flight: Flight, i: int, now: float) -> int:
    """Return how many checks have come due since the last call."""
    health = flight.health
    checks = firings(now, health[i, CHECKS_SINCE], rules.failure.period)
    due = max(0, checks - int(health[i, CHECKED]))
    health[i, CHECKED] += due
    return due


def draws_failure(flight: Flight, i: int, count: int) -> bool:
    """Make some draws; say whether one of them means failure."""
    health, schedule = flight.health, flight.schedule
    health[i, DRAWN] += count
    k, end = int(health[i, NEXT_FAIL]), schedule.fail_from[i + 1]
    fails = False
    while k < end and schedule.fails[k] < health[i, DRAWN]:
        fails = True
        k += 1
    health[i, NEXT_FAIL] = k
    return fails


def failed(flight: Flight, i: int) -> bool:
    """Say whether an agent was down after the last update."""
    return flight.health[i, BROKEN] != 0.0 or flight.health[i, OUT] != 0.0
