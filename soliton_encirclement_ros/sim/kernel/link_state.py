"""Per-link reception: the rules of ``core.radio.links``.

There is no transit queue: whether a state sent at one tick reaches a receiver at another follows
from the time and position of sending, and from its noise.
"""

from velocity_mobility_ros.core.time import step_ns

from soliton_encirclement_ros.core.radio.links import in_reach, is_lost, jitter_ns
from soliton_encirclement_ros.core.radio.medium import SLACK_NS
from soliton_encirclement_ros.core.schedules.windows import is_open
from soliton_encirclement_ros.core.states.message_acceptance import is_news
from soliton_encirclement_ros.sim.kernel.ages import time_at
from soliton_encirclement_ros.sim.kernel.columns import IN_REACH, SAID, SEQ, SHARED, TICK, X, Y, Z
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_numbers import link_number


def layer_of(flight: FlightMemory, said: int) -> int:
    """Return the layer of the states that were sent at a tick."""
    return said % flight.words.shape[0]


def hear_agents(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Receive the states of other agents that reach an agent at this tick."""
    for j in range(rules.swarm.agents):
        if j == i:
            continue
        said = arrival(rules, flight, j, i)
        if said > 0:
            accept_agent(rules, flight, i, j, said, now)


def accept_agent(
    rules: Rules, flight: FlightMemory, i: int, j: int, said: int, now: float
) -> None:
    """Store an agent's state if it is new to another one."""
    links, words = flight.links, flight.words
    seq, known = words[layer_of(flight, said), j, SEQ], layer_of(flight, links.said[i, j])
    timeout = rules.swarm.agent_timeout
    if is_news(seq, words[known, j, SEQ], links.received[i, j], now, timeout):
        links.said[i, j], links.received[i, j] = said, now


def arrival(rules: Rules, flight: FlightMemory, speaker: int, listener: int) -> int:
    """Return when the newest state was sent that reaches a receiver at this tick, 0 for none."""
    tick, words, radio = flight.counters[TICK], flight.words, rules.radio
    if flight.counters[SHARED]:
        heard = words[0, speaker, SAID] == tick - 1
        if speaker > rules.swarm.agents or listener > rules.swarm.agents:
            heard = heard and flight.adversary[IN_REACH] != 0.0
        return tick - 1 if heard else 0
    period = rules.swarm.period
    now_ns, last_ns = step_ns(tick, period), step_ns(tick - 1, period)
    for said in range(tick - 1, 0, -1):
        earliest = step_ns(said, period) + radio.delay_ns
        if said < tick - 1 and earliest + radio.jitter_ns <= last_ns + SLACK_NS:
            return 0
        if earliest > now_ns + SLACK_NS or words[layer_of(flight, said), speaker, SAID] != said:
            continue
        if not reaches(rules, flight, said, speaker, listener):
            continue
        due = earliest + delay_beyond(rules, flight, said, speaker, listener)
        late = said < tick - 1 and due <= last_ns + SLACK_NS
        if due <= now_ns + SLACK_NS and not late:
            return said
    return 0


def delay_beyond(
    rules: Rules, flight: FlightMemory, said: int, speaker: int, listener: int
) -> int:
    """Return the jitter of a message [ns]."""
    if rules.radio.jitter <= 0.0:
        return 0
    key = flight.links.jitter[layer_of(flight, said), speaker]
    return jitter_ns(rules.radio.jitter, key, link_number(rules, listener))


def reaches(rules: Rules, flight: FlightMemory, said: int, speaker: int, listener: int) -> bool:
    """Return whether a state sent at a tick reaches a receiver at all."""
    layer, radio = layer_of(flight, said), rules.radio
    a, b = flight.links.places[layer, speaker], flight.links.places[layer, listener]
    if not in_reach(b[X] - a[X], b[Y] - a[Y], b[Z] - a[Z], radio.range_sq):
        return False
    if not are_together(rules, flight, said, speaker, listener):
        return False
    if radio.loss <= 0.0:
        return True
    key = flight.links.loss[layer, speaker]
    return not is_lost(radio.loss, key, link_number(rules, listener))


def are_together(rules: Rules, flight: FlightMemory, said: int, one: int, other: int) -> bool:
    """Return whether no partition stood between two members at a tick."""
    schedule, then = flight.schedule, time_at(rules, said)
    for w in range(schedule.splits.shape[0]):
        apart = schedule.groups[w, one] != schedule.groups[w, other]
        if apart and is_open(schedule.splits[w, 0], schedule.splits[w, 1], then):
            return False
    return True
