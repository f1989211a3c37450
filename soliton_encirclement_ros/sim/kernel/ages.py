"""Times of ticks, and ages of states; the numbers of ``core.states.message_acceptance``."""

from velocity_mobility_ros.core.time import step_ns, to_ns, to_seconds

from soliton_encirclement_ros.core.radio.clocks import judged_ns
from soliton_encirclement_ros.core.states.message_acceptance import age_at
from soliton_encirclement_ros.sim.kernel.constants import Rules


def time_at(rules: Rules, tick: int) -> float:
    """Return the time of a tick [s]."""
    return to_seconds(step_ns(tick, rules.swarm.period))


def on_the_way(sent: float, received: float) -> float:
    """Return the delay [s] of a state, from the times [s] when it was sent and received."""
    return to_seconds(to_ns(received) - to_ns(sent))


def judged_age_ns(
    rules: Rules, made: float, number: int, received: float, sender: int, receiver: int
) -> int:
    """Return the age [ns] of a state when it is received, where clocks differ.

    Args:
        rules: The flight's constants.
        made: When it was made [s].
        number: Tick at which it was sent.
        received: When it was received [s].
        sender: Index of the sender.
        receiver: Index of the receiver.
    """
    clocks, sent_ns = rules.radio.clocks_ns, step_ns(number, rules.swarm.period)
    travelled_ns = judged_ns(to_ns(received) - sent_ns, clocks[sender], clocks[receiver])
    return travelled_ns + sent_ns - to_ns(made)


def judged_at(
    rules: Rules, made: float, number: int, received: float, sender: int, receiver: int
) -> float:
    """Return when a received state was made by the clock of its receiver [s].

    The arguments are those of ``judged_age_ns``.
    """
    if rules.radio.clocks_ns.shape[0] == 0:
        return made
    age_ns = judged_age_ns(rules, made, number, received, sender, receiver)
    return to_seconds(to_ns(received) - age_ns)


def age_when_received(
    rules: Rules, made: float, number: int, received: float, sender: int, receiver: int
) -> float:
    """Return the age [s] of a state when it is received, by the clock of its receiver.

    The arguments are those of ``judged_age_ns``.
    """
    if rules.radio.clocks_ns.shape[0] == 0:
        return on_the_way(made, received)
    return to_seconds(judged_age_ns(rules, made, number, received, sender, receiver))


def age_of(now: float, sent: float, received: float) -> float:
    """Return how old a state is at a time, by the times of sending and reception; all [s]."""
    return age_at(now, received, on_the_way(sent, received))


def oldest_alive(rules: Rules, tick: int, now: float, timeout: float) -> int:
    """Return the first tick whose states are within a timeout [s] at a later tick."""
    first = max(0, tick - int(timeout / rules.swarm.period) - 2)
    while now - time_at(rules, first) > timeout:
        first += 1
    return first
