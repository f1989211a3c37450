"""Per-link reception: the rules of ``core.radio.links``.

There is no transit queue: whether a state sent at one tick reaches a receiver at another follows
from the time and position of sending, and from its noise.
"""

from velocity_mobility_ros.core.time import step_ns

from soliton_encirclement_ros.core.radio.links import in_reach, is_lost, jitter_ns
from soliton_encirclement_ros.core.radio.medium import SLACK_NS
from soliton_encirclement_ros.core.schedules.windows import is_open
from soliton_encirclement_ros.core.states.message_acceptance import is_news
from soliton_encirclement_ros.sim.kernel.ages import age_when_received, time_at
from soliton_encirclement_ros.sim.kernel.columns import (
    ALIKE,
    DUE,
    IN_REACH,
    MADE_NS,
    NUMBER,
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

SAFE = 1.0 - 1e-9
"""Share of the squared range that exceeds any rounding of a distance."""


def layer_of(flight: FlightMemory, number: int) -> int:
    """Return the layer of the states that were sent at a tick."""
    return slot_of(number, flight.sent.shape[0])


def is_reception_uniform(rules: Rules, flight: FlightMemory) -> bool:
    """Return whether agents and target fit into a ball of the range around it, or into a box.

    The adversary exchanges states with the target alone: see ``arrival``.
    """
    bodies, agents = flight.truth, rules.swarm.agents
    centre = bodies[agents]
    low_x = high_x = centre[X]
    low_y = high_y = centre[Y]
    low_z = high_z = centre[Z]
    radius_sq = 0.0
    for i in range(agents):
        x, y, z = bodies[i, X], bodies[i, Y], bodies[i, Z]
        low_x, high_x = min(low_x, x), max(high_x, x)
        low_y, high_y = min(low_y, y), max(high_y, y)
        low_z, high_z = min(low_z, z), max(high_z, z)
        dx, dy, dz = x - centre[X], y - centre[Y], z - centre[Z]
        radius_sq = max(radius_sq, dx * dx + dy * dy + dz * dz)
    range_sq = rules.radio.range_sq
    if 4.0 * radius_sq <= SAFE * range_sq:
        return True
    return in_reach(high_x - low_x, high_y - low_y, high_z - low_z, range_sq)


def note_due(rules: Rules, flight: FlightMemory) -> None:
    """Record which messages arrive at this tick, as far as that is the same for all."""
    counters = flight.counters
    counters[DUE] = number = number_due(rules, counters[TICK])
    counters[ALIKE] = is_alike(rules, flight, layer_of(flight, number))
    if counters[ALIKE]:
        note_arriving(rules, flight, rules.swarm.agents)


def is_alike(rules: Rules, flight: FlightMemory, layer: int) -> bool:
    """Return whether states of a layer reach all agents, and all equally late."""
    radio, splits = rules.radio, flight.schedule.splits.shape[0]
    if splits > 0 or radio.jitter > 0.0 or radio.loss > 0.0:
        return False
    return flight.links.within[layer]


def number_due(rules: Rules, tick: int) -> int:
    """Return when the states were sent that arrive at a tick without jitter, 0 for never."""
    period, delay = rules.swarm.period, rules.radio.delay_ns
    now_ns, last_ns = step_ns(tick, period) + SLACK_NS, step_ns(tick - 1, period) + SLACK_NS
    for number in range(tick - 1, 0, -1):
        due = step_ns(number, period) + delay
        if number < tick - 1 and due <= last_ns:
            return 0
        if due <= now_ns:
            return number
    return 0


def receive_agents(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Receive the states of other agents that reach an agent at this tick."""
    arriving = flight.links.arriving
    if not flight.counters[ALIKE]:
        note_arriving(rules, flight, i)
    for j in range(rules.swarm.agents):
        if j != i and arriving[j] > 0:
            accept_agent(rules, flight, i, j, arriving[j], now)


def note_arriving(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Record when the states of agents were sent that reach a member at this tick."""
    for j in range(rules.swarm.agents):
        flight.links.arriving[j] = 0 if j == i else arrival(rules, flight, j, i)


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
    made_ns = flight.sent[layer_of(flight, number), sender, MADE_NS]
    return age_when_received(rules, made_ns, number, now, sender, receiver)


def arrival(rules: Rules, flight: FlightMemory, sender: int, receiver: int) -> int:
    """Return when the newest state was sent that reaches a receiver at this tick, 0 for none."""
    tick, sent, radio = flight.counters[TICK], flight.sent, rules.radio
    if flight.counters[SHARED]:
        arrives = sent[0, sender, NUMBER] == tick - 1
        if sender > rules.swarm.agents or receiver > rules.swarm.agents:
            arrives = arrives and flight.adversary[IN_REACH] != 0.0
        return tick - 1 if arrives else 0
    if radio.jitter <= 0.0:
        number = flight.counters[DUE]
        stored = number > 0 and sent[layer_of(flight, number), sender, NUMBER] == number
        return number if stored and reaches(rules, flight, number, sender, receiver) else 0
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
    layer = layer_of(flight, number)
    if not is_near(rules, flight, layer, sender, receiver):
        return False
    if not are_together(rules, flight, number, sender, receiver):
        return False
    loss = rules.radio.loss
    if loss <= 0.0:
        return True
    return not is_lost(loss, flight.links.loss[layer, sender], link_number(rules, receiver))


def is_near(rules: Rules, flight: FlightMemory, layer: int, sender: int, receiver: int) -> bool:
    """Return whether two members were in reach of each other when states were sent."""
    links = flight.links
    if links.within[layer] and max(sender, receiver) <= rules.swarm.agents:
        return True
    a, b = links.places[layer, sender], links.places[layer, receiver]
    return in_reach(b[X] - a[X], b[Y] - a[Y], b[Z] - a[Z], rules.radio.range_sq)


def are_together(rules: Rules, flight: FlightMemory, number: int, one: int, other: int) -> bool:
    """Return whether no partition stood between two members at a tick."""
    schedule = flight.schedule
    for w in range(schedule.splits.shape[0]):
        apart = schedule.groups[w, one] != schedule.groups[w, other]
        if not apart:
            continue
        if is_open(schedule.splits[w, 0], schedule.splits[w, 1], time_at(rules, number)):
            return False
    return True
