"""Agents that count as present: the numbers of ``NeighbourTracks``."""

from soliton_encirclement_ros.core.states.message_acceptance import is_fresh
from soliton_encirclement_ros.core.states.neighbour_timeout import (
    share_lost,
    silence_timeout,
    update_loss,
)
from soliton_encirclement_ros.sim.kernel.columns import (
    GOT,
    HAS_SENT,
    HEARS_ALL,
    LOST,
    NUMBER,
    SENDERS,
    SEQ,
    SHARED,
    TICK,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flags import flag
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, Floats
from soliton_encirclement_ros.sim.kernel.link_state import layer_of

NOT_TRACKED = -1


def follow(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Record present agents and missed messages."""
    if flight.counters[SHARED]:
        follow_shared(flight, i)
    else:
        follow_linked(rules, flight, i, now)


def follow_shared(flight: FlightMemory, i: int) -> None:
    """Count the messages of this tick, of which none is missing."""
    state = flight.agents[i]
    last = flight.counters[TICK] - 1
    messages = flight.counters[SENDERS] - int(flight.sent[0, i, NUMBER] == last)
    count_messages(flight.loss, state, messages)


def count_messages(done: Floats, state: Floats, messages: int) -> None:
    """Count messages of which none is missing; most agents' counts are those of the one before.

    Args:
        done: The counts of the last agent before and after its update, and its messages.
        state: The agent.
        messages: How many came.
    """
    if done[0] != state[LOST] or done[1] != state[GOT] or done[4] != messages:
        done[0], done[1], done[4] = state[LOST], state[GOT], messages
        done[2], done[3] = update_loss(done[0], done[1], messages, 0)
    state[LOST], state[GOT] = done[2], done[3]


def follow_linked(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Update with the received states; remove agents that have been silent for too long."""
    links, state, swarm = flight.links, flight.agents[i], rules.swarm
    messages = left_out = fresh = 0
    for j in range(swarm.agents):
        number, received, known = links.numbers[i, j], links.received[i, j], links.tracked[i, j]
        if not is_fresh(received, now, swarm.agent_timeout):
            continue
        if is_fresh(received, now, rules.law.neighbour_timeout):
            fresh += 1
        elif known == NOT_TRACKED:
            continue
        seq = int(flight.sent[layer_of(flight, number), j, SEQ])
        if known != seq:
            messages += 1
            if known != NOT_TRACKED:
                left_out += max(0, seq - known - 1)
            links.tracked[i, j] = seq
    if left_out == 0:
        count_messages(flight.loss, state, messages)
    else:
        state[LOST], state[GOT] = update_loss(state[LOST], state[GOT], messages, left_out)
    state[HEARS_ALL] = flag(fresh == swarm.agents - 1)
    if state[HEARS_ALL] != 0.0:
        return
    silence = tolerated_silence(rules, flight, i)
    for j in range(swarm.agents):
        if not is_fresh(links.received[i, j], now, silence):
            links.tracked[i, j] = NOT_TRACKED


def tolerated_silence(rules: Rules, flight: FlightMemory, i: int) -> float:
    """Return the silence [s] that an agent tolerates."""
    state, swarm = flight.agents[i], rules.swarm
    loss = share_lost(state[LOST], state[GOT])
    timeout = rules.law.neighbour_timeout
    longest = max(timeout, rules.law.neighbour_hold)
    return silence_timeout(loss, swarm.period, timeout, longest)


def extends_timeout(rules: Rules, flight: FlightMemory, i: int) -> bool:
    """Return whether an agent missed so many messages that it tolerates more than the timeout."""
    return tolerated_silence(rules, flight, i) > rules.law.neighbour_timeout


def forget_others(flight: FlightMemory, i: int) -> None:
    """Reset: no agent present, no message lost, no state received."""
    row = flight.agents[i]
    row[LOST] = row[GOT] = row[HAS_SENT] = 0.0
    if not flight.counters[SHARED]:
        flight.links.tracked[i, :] = NOT_TRACKED
