"""Per-link reception: the rules of ``core.radio.links``.

There is no transit queue: whether a state sent at one tick reaches a receiver at another follows
from the time and position of sending, and from its noise.
"""

from velocity_mobility_ros.core.time import step_ns

from soliton_encirclement_ros.core.radio.links import in_reach, is_lost, jitter_ns
from soliton_encirclement_ros.core.radio.medium import SLACK_NS
from soliton_encirclement_ros.core.schedules.windows import is_open
from soliton_encirclement_ros.core.states.message_acceptance import is_news
from soliton_encirclement_ros.sim.kernel.ages import judged_at, on_the_way, time_at
from soliton_encirclement_ros.sim.kernel.columns import (
    IN_REACH,
    NUMBER,
    SENT_AT,
    SEQ,
    SHARED,
    TICK,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, slot_of
from soliton_encirclement_ros.sim.kernel.link_numbers import link_number


def layer_of(flight: FlightMemory, number: int) -> int:
    """Return the layer of the states that were sent at a tick."""
    return slot_of(number, flight.sent.shape[0])


def receive_agents(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Receive the states of other agents that reach an agent at this tick."""
    arriving = flight.links.arriving
    for j in range(rules.swarm.agents):
        number = arriving[j] = 0 if j == i else arrival(rules, flight, j, i)
        if number > 0:
            accept_agent(rules, flight, i, j, number, now)


def accept_agent(
    rules: Rules, flight: FlightMemory, i: int, j: int, number: int, now: float
) -> None:
    """Store an agent's state if it is new to another one."""
    links, sent = flight.links, flight.sent
    seq, known = sent[layer_of(flight, number), j, SEQ], layer_of(flight, links.numbers[i, j])
    timeout = rules.swarm.agent_timeout
    if is_news(seq, sent[known, j, SEQ], links.received[i, j], now, timeout):
        links.numbers[i, j], links.received[i, j] = number, now
        links.ages[i, j] = age_on_arrival(rules, flight, j, i, number, now)


def age_on_arrival(
    rules: Rules, flight: FlightMemory, sender: int, receiver: int, number: int, now: float
) -> float:
    """Return the age [s] of a state that was sent at a tick and is received now."""
    made = flight.sent[layer_of(flight, number), sender, SENT_AT]
    return on_the_way(judged_at(rules, made, number, now, sender, receiver), now)


def arrival(rules: Rules, flight: FlightMemory, sender: int, receiver: int) -> int:
    """Return when the newest state was sent that reaches a receiver at this tick, 0 for none."""
    tick, sent, radio = flight.counters[TICK], flight.sent, rules.radio
    if flight.counters[SHARED]:
        arrives = sent[0, sender, NUMBER] == tick - 1
        if sender > rules.swarm.agents or receiver > rules.swarm.agents:
            arrives = arrives and flight.adversary[IN_REACH] != 0.0
        return tick - 1 if arrives else 0
    period = rules.swarm.period
    now_ns, last_ns = step_ns(tick, period), step_ns(tick - 1, period)
    for number in range(tick - 1, 0, -1):
        earliest = step_ns(number, period) + radio.delay_ns
        if number < tick - 1 and earliest + radio.jitter_ns <= last_ns + SLACK_NS:
            return 0
        stored = sent[layer_of(flight, number), sender, NUMBER]
        if earliest > now_ns + SLACK_NS or stored != number:
            continue
        if not reaches(rules, flight, number, sender, receiver):
            continue
        due = earliest + delay_beyond(rules, flight, number, sender, receiver)
        late = number < tick - 1 and due <= last_ns + SLACK_NS
        if due <= now_ns + SLACK_NS and not late:
            return number
    return 0


def delay_beyond(
    rules: Rules, flight: FlightMemory, number: int, sender: int, receiver: int
) -> int:
    """Return the jitter of a message [ns]."""
    if rules.radio.jitter <= 0.0:
        return 0
    key = flight.links.jitter[layer_of(flight, number), sender]
    return jitter_ns(rules.radio.jitter, key, link_number(rules, receiver))


def reaches(rules: Rules, flight: FlightMemory, number: int, sender: int, receiver: int) -> bool:
    """Return whether a state sent at a tick reaches a receiver at all."""
    layer, radio = layer_of(flight, number), rules.radio
    a, b = flight.links.places[layer, sender], flight.links.places[layer, receiver]
    if not in_reach(b[X] - a[X], b[Y] - a[Y], b[Z] - a[Z], radio.range_sq):
        return False
    if not are_together(rules, flight, number, sender, receiver):
        return False
    if radio.loss <= 0.0:
        return True
    key = flight.links.loss[layer, sender]
    return not is_lost(radio.loss, key, link_number(rules, receiver))


def are_together(rules: Rules, flight: FlightMemory, number: int, one: int, other: int) -> bool:
    """Return whether no partition stood between two members at a tick."""
    schedule, then = flight.schedule, time_at(rules, number)
    for w in range(schedule.splits.shape[0]):
        apart = schedule.groups[w, one] != schedule.groups[w, other]
        if apart and is_open(schedule.splits[w, 0], schedule.splits[w, 1], then):
            return False
    return True
