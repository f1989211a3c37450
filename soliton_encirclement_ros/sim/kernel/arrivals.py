"""Which states reach a member at a tick, by ``core.radio_loss_and_delay``, and what it does then.

There is no transit queue: whether a state sent at one tick reaches a receiver at another follows
from the time and position of sending, and from its noise.
"""

import numpy as np

from soliton_encirclement_ros.core.radio_delivery import SLACK_NS
from soliton_encirclement_ros.core.radio_loss_and_delay import in_reach, is_lost, jitter_ns
from soliton_encirclement_ros.core.schedules import is_open
from soliton_encirclement_ros.swarm.memory import (
    MADE_NS, NUMBER, SEQ, FlightMemory, X, Y, Z, layer_of
)
from soliton_encirclement_ros.swarm.reception import (
    NOT_TRACKED, accept_adversary, accept_agent, accept_prey, accept_single, accept_target,
    cache_agent, on_the_way
)
from soliton_encirclement_ros.swarm.ring import sort_by
from soliton_encirclement_ros.swarm.rules import Rules, time_at
from soliton_encirclement_ros.swarm.separation import (
    accept_body, knows_what_is_common, merge_gossip
)
from velocity_mobility_ros.core.step_time import step_ns

SAFE = 1.0 - 1e-9
"""Share of the squared range that exceeds any rounding of a distance."""

NOTHING = 0
"""Replaces the tick at which a state was sent."""


def receive(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Receive what reaches an agent that is up at this tick."""
    status, agent = flight.status, flight.agents[i]
    if agent.last_received < status.tick - 1:
        agent.receives_since = status.tick
    agent.last_received = status.tick
    if not status.shared:
        receive_agents(rules, flight, i, now)
    number = NOTHING if rules.estimator.on else arrival(rules, flight, rules.swarm.agents, i)
    if number != NOTHING:
        accept_target(rules, flight, i, number, now)
    if rules.safety.on:
        receive_bodies(rules, flight, i, now)


def fill_links(rules: Rules, flight: FlightMemory) -> None:
    """Write what every agent that is up has received of all others with shared reception.

    ``arriving`` holds the numbers of the last states that were sent.
    """
    links, status = flight.links, flight.status
    status.links_due = False
    for j in range(rules.swarm.agents):
        number = links.arriving[j]
        if number == NOTHING:
            continue
        sent = flight.sent[layer_of(flight, number)][j]
        received = time_at(rules, number + 1)
        age = on_the_way(sent[MADE_NS], received)
        seq = int(sent[SEQ]) if flight.ring.place[j] >= 0 else NOT_TRACKED
        for i in range(rules.swarm.agents):
            agent, link = flight.agents[i], links.rows[i][j]
            knows = agent.last_received == status.tick and number + 1 >= agent.receives_since
            if i != j and knows:
                link.number, link.tracked, link.received, link.age = number, seq, received, age


def receive_agents(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Receive the states of other agents that reach an agent at this tick."""
    arriving = flight.links.arriving
    if not flight.status.alike:
        note_arriving(rules, flight, i)
    for j in range(rules.swarm.agents):
        if j != i and arriving[j] > NOTHING:
            accept_agent(rules, flight, i, j, arriving[j], now)


def receive_bodies(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Store the states that reach an agent at this tick, then what they tell of silent ones.

    Who has received all that is common hears of nobody a younger state.
    """
    if not knows_what_is_common(flight, i):
        numbers = flight.scratch.order
        for j in range(rules.swarm.agents):
            numbers[j] = accepted(rules, flight, i, j, now)
        for j in range(rules.swarm.agents):
            if numbers[j] != NOTHING:
                merge_gossip(rules, flight, i, j, numbers[j], now)
    if rules.safety.avoids_adversary and rules.swarm.adversary:
        adversary = rules.swarm.agents + 1
        number = arrival(rules, flight, adversary, i)
        if number != NOTHING:
            accept_single(rules, flight, flight.guard.adversary[i], adversary, i, number, now)


def accepted(rules: Rules, flight: FlightMemory, i: int, j: int, now: float) -> int:
    """Store the state that reaches an agent at this tick; return when it was sent, 0 for none."""
    if j == i:
        return NOTHING
    if flight.status.shared:  # stored as what is common
        tick = flight.status.tick
        return tick - 1 if flight.common.came[j] == tick else NOTHING
    number = flight.links.arriving[j]
    if number != NOTHING and accept_body(rules, flight, i, j, number, now):
        return number
    return NOTHING


def receive_as_target(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Receive the states of agents, by the time of sending, and of the adversary."""
    target, scratch, count = rules.swarm.agents, flight.scratch, 0
    for j in range(rules.swarm.agents):
        number = arrival(rules, flight, j, target)
        if number != NOTHING:
            scratch.a[j], scratch.order[count] = number, j
            count += 1
    sort_by(scratch.a, scratch.order, scratch.spare, count)
    for p in range(count):
        j = scratch.order[p]
        sent = flight.sent[layer_of(flight, int(scratch.a[j]))][j]
        cache_agent(rules, flight.target_cache, j, sent, now)
    if rules.swarm.adversary:
        number = arrival(rules, flight, target + 1, target)
        if number != NOTHING:
            sent = flight.sent[layer_of(flight, number)][target + 1]
            accept_adversary(rules, flight.target, sent, now)


def receive_prey(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Let the adversary receive the target's state."""
    target = rules.swarm.agents
    number = arrival(rules, flight, target, target + 1)
    if number != NOTHING:
        sent = flight.sent[layer_of(flight, number)][target]
        accept_prey(rules, flight.adversary, sent, now)


def link_number(rules: Rules, member: int) -> np.uint64:
    """Return a member's number on the radio: target 0, adversary 1, ``uav_k`` k + 1."""
    agents = rules.swarm.agents
    if member < agents:
        return np.uint64(member + 2)
    return np.uint64(member - agents)


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
    status = flight.status
    status.due = number = number_due(rules, status.tick)
    status.alike = is_alike(rules, flight, layer_of(flight, number))
    if status.alike:
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
            return NOTHING
        if due <= now_ns:
            return number
    return NOTHING


def note_arriving(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Record when the states of agents were sent that reach a member at this tick."""
    for j in range(rules.swarm.agents):
        flight.links.arriving[j] = NOTHING if j == i else arrival(rules, flight, j, i)


def arrival(rules: Rules, flight: FlightMemory, sender: int, receiver: int) -> int:
    """Return when the newest state was sent that reaches a receiver at this tick, 0 for none."""
    tick, sent, radio = flight.status.tick, flight.sent, rules.radio
    if flight.status.shared:
        arrives = sent[0, sender, NUMBER] == tick - 1
        if sender > rules.swarm.agents or receiver > rules.swarm.agents:
            arrives = arrives and flight.adversary.in_reach
        return tick - 1 if arrives else NOTHING
    if radio.jitter <= 0.0:
        number = flight.status.due
        stored = number > 0 and sent[layer_of(flight, number), sender, NUMBER] == number
        return number if stored and reaches(rules, flight, number, sender, receiver) else NOTHING
    period = rules.swarm.period
    now_ns, last_ns = step_ns(tick, period), step_ns(tick - 1, period)
    for number in range(tick - 1, 0, -1):
        earliest = step_ns(number, period) + radio.delay_ns
        if number < tick - 1 and earliest + radio.jitter_ns <= last_ns + SLACK_NS:
            return NOTHING
        stored = sent[layer_of(flight, number), sender, NUMBER]
        if earliest > now_ns + SLACK_NS or stored != number:
            continue
        if not reaches(rules, flight, number, sender, receiver):
            continue
        due = earliest + delay_beyond(rules, flight, number, sender, receiver)
        late = number < tick - 1 and due <= last_ns + SLACK_NS
        if due <= now_ns + SLACK_NS and not late:
            return number
    return NOTHING


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


def are_together(rules: Rules, flight: FlightMemory, number: int, member: int, other: int) -> bool:
    """Return whether no partition stood between two members at a tick."""
    schedule = flight.schedule
    for w in range(schedule.splits.shape[0]):
        apart = schedule.groups[w, member] != schedule.groups[w, other]
        if not apart:
            continue
        if is_open(schedule.splits[w, 0], schedule.splits[w, 1], time_at(rules, number)):
            return False
    return True
