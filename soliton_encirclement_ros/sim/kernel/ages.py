"""Times of ticks, and ages of states; the numbers of ``core.states.message_acceptance``."""

from velocity_mobility_ros.core.time import step_ns, to_ns, to_seconds

from soliton_encirclement_ros.core.radio.clocks import judged_ns
from soliton_encirclement_ros.core.states.message_acceptance import age_at
from soliton_encirclement_ros.sim.kernel.constants import Rules


def time_at(rules: Rules, tick: int) -> float:
    """Return the time of a tick [s]."""
    return to_seconds(step_ns(tick, rules.swarm.period))


def on_the_way(made_ns: float, received: float) -> float:
    """Return the age [s] of a state made at a time [ns] when it is received at another [s]."""
    return to_seconds(to_ns(received) - int(made_ns))


def age_when_received(
    rules: Rules, made_ns: float, number: int, received: float, sender: int, receiver: int
) -> float:
    """Return the age [s] of a state when it is received, by the clock of its receiver.

    Args:
        rules: The flight's constants.
        made_ns: When it was made [ns].
        number: Tick at which it was sent.
        received: When it was received [s].
        sender: Index of the sender.
        receiver: Index of the receiver.
    """
    clocks = rules.radio.clocks_ns
    if clocks.shape[0] == 0:
        return on_the_way(made_ns, received)
    sent_ns = step_ns(number, rules.swarm.period)
    travelled_ns = judged_ns(to_ns(received) - sent_ns, clocks[sender], clocks[receiver])
    return to_seconds(travelled_ns + sent_ns - int(made_ns))


def age_of(now: float, made_ns: float, received: float) -> float:
    """Return how old a state is at a time [s], made at another [ns], received at a third [s]."""
    return age_at(now, received, on_the_way(made_ns, received))


def oldest_alive(rules: Rules, tick: int, now: float, timeout: float) -> int:
    """Return the first tick whose states are within a timeout [s] at a later tick."""
    first = max(0, tick - int(timeout / rules.swarm.period) - 2)
    while now - time_at(rules, first) > timeout:
        first += 1
    return first
