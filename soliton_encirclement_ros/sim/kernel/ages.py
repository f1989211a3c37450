"""Times of ticks, and how old words are; the numbers of ``core.liveness``."""

from velocity_mobility_ros.core.time import step_ns, to_seconds

from soliton_encirclement_ros.sim.kernel.rules import Rules


def time_at(rules: Rules, tick: int) -> float:
    """Return the time of a tick [s]."""
    return to_seconds(step_ns(tick, rules.swarm.period))


def age_of(rules: Rules, now: float, said: int, received: int) -> float:
    """Return how old [s] words are at a time [s], by the ticks when they were said and came."""
    period = rules.swarm.period
    on_the_way = to_seconds(step_ns(received, period) - step_ns(said, period))
    return now - time_at(rules, received) + on_the_way


def oldest_alive(rules: Rules, tick: int, now: float, timeout: float) -> int:
    """Return the first tick whose words are within a timeout [s] at a later tick."""
    first = max(0, tick - int(timeout / rules.swarm.period) - 2)
    while now - time_at(rules, first) > timeout:
        first += 1
    return first
