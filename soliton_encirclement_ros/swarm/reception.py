"""Received states: which a member stores, for how long, and how old they are."""

import math

from soliton_encirclement_ros.core.radio_loss_and_delay import apparent_age_ns
from soliton_encirclement_ros.core.states.received_states import (
    NEVER, CachedAgents, LastSeen, accept_state, age_at, is_fresh, is_news, share_lost,
    silence_timeout, update_last_seen, update_loss
)
from soliton_encirclement_ros.swarm.memory import (
    MADE_NS, NUMBER, RELAYED_NUMBER, SEQ, VX, VY, VZ, FlightMemory, Floats, X, Y, Z, layer_of
)
from soliton_encirclement_ros.swarm.memory_rows import (
    AdversaryMemory, AgentMemory, MessageCounts, TargetMemory, TargetReport
)
from soliton_encirclement_ros.swarm.neighbour_checks import REFUSED, believed_age, follows
from soliton_encirclement_ros.swarm.rules import Rules
from velocity_mobility_ros.core.step_time import step_ns, to_ns, to_seconds

NOT_TRACKED = -1


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
    if len(clocks) == 0:
        return on_the_way(made_ns, received)
    sent_ns = step_ns(number, rules.swarm.period)
    travelled_ns = apparent_age_ns(to_ns(received) - sent_ns, clocks[sender], clocks[receiver])
    return to_seconds(travelled_ns + sent_ns - int(made_ns))


def age_on_arrival(
    rules: Rules, flight: FlightMemory, sender: int, receiver: int, number: int, now: float
) -> float:
    """Return the age [s] of a state that was sent under a number and is received now."""
    made_ns = flight.sent[layer_of(flight, number)][sender][MADE_NS]
    return age_when_received(rules, made_ns, number, now, sender, receiver)


def accept_agent(
    rules: Rules, flight: FlightMemory, i: int, j: int, number: int, now: float
) -> None:
    """Store an agent's state if it is new to another one and can be true."""
    link, sent = flight.links.rows[i][j], flight.sent
    seq, known = sent[layer_of(flight, number)][j][SEQ], sent[layer_of(flight, link.number)][j]
    if is_news(seq, known[SEQ], link.received, now, rules.swarm.agent_timeout):
        age = age_on_arrival(rules, flight, j, i, number, now)
        checks, agent, new = rules.checks, flight.agents[i], sent[layer_of(flight, number)][j]
        if checks.on:
            dt, kind = now - age - link.received + link.age, rules.law.kind[i]
            is_usual = agent.doubts == 0 and checks.roster == 0 and link.number > 0
            if not (is_usual and follows(checks, kind, known, new, flight.bodies[i], age, dt)):
                age = believed_age(rules, flight, i, j, number, age, now)
                if age == REFUSED:
                    return
        link.number, link.received, link.age = number, now, age


def accept_target(rules: Rules, flight: FlightMemory, i: int, number: int, now: float) -> None:
    """Store the target's state unless it is older than a fresh one."""
    known, target = flight.reports[i], rules.swarm.agents
    if accept_single(rules, flight, known, target, i, number, now):
        known.omega_ref = flight.omega[layer_of(flight, number)]


def accept_single(
    rules: Rules, flight: FlightMemory, known: TargetReport, member: int, receiver: int,
    number: int, now: float,
) -> bool:  # fmt: skip
    """Store the state of target or adversary if it is new; return whether it was stored.

    Which of two broadcasts is newer is decided by their numbers, which of a broadcast and a
    relayed report by their ages. While a relayed report is younger, the weights of the arcs are
    all that is taken of a broadcast.
    """
    sent = flight.sent[layer_of(flight, number)][member]
    timeout = rules.swarm.target_timeout
    if not is_news(sent[SEQ], known.heard_seq, known.heard_at, now, timeout):
        return False
    known.heard_seq, known.heard_at = int(sent[SEQ]), now
    age = age_when_received(rules, sent[MADE_NS], number, now, member, receiver)
    if known.number == RELAYED_NUMBER and report_age(known, now) < age:
        keep_weights(flight, receiver, number)
        return False
    known.x, known.y, known.z = sent[X], sent[Y], sent[Z]
    known.vx, known.vy, known.vz = sent[VX], sent[VY], sent[VZ]
    known.seq, known.number = int(sent[SEQ]), number
    known.received_age, known.received_at = age, now
    return True


def keep_weights(flight: FlightMemory, i: int, number: int) -> None:
    """Keep the weights of the arcs in a target's state for an agent that holds a relayed one."""
    own_weights, received = flight.relay.weights[i], flight.weights[layer_of(flight, number)]
    for k in range(len(own_weights)):
        own_weights[k] = received[k]


def cache_agent(rules: Rules, cache: CachedAgents, j: int, sent: Floats, now: float) -> None:
    """Store an agent's state in the order of first reception, unless older than a fresh one."""
    accept_state(
        cache, j, sent[X], sent[Y], sent[VX], sent[VY], int(sent[SEQ]), now,
        rules.swarm.agent_timeout,
    )  # fmt: skip


def is_known(report: TargetReport) -> bool:
    """Return whether there is a state of target or adversary."""
    return report.received_at != NEVER


def report_age(report: TargetReport, now: float) -> float:
    """Return the age of a state of target or adversary [s], infinite before the first."""
    if not is_known(report):
        return math.inf
    return age_at(now, report.received_at, report.received_age)


def target_is_fresh(rules: Rules, flight: FlightMemory, i: int, now: float) -> bool:
    """Return whether an agent received the target within the timeout."""
    return is_fresh(flight.reports[i].received_at, now, rules.swarm.target_timeout)


def accept_prey(rules: Rules, me: AdversaryMemory, sent: Floats, now: float) -> None:
    """Let the adversary store the target's state unless it is older than a fresh one."""
    timeout = rules.swarm.target_timeout
    known = LastSeen(me.prey_x, me.prey_y, me.prey_seq, me.prey_at)
    last_seen = update_last_seen(known, sent[X], sent[Y], sent[SEQ], now, timeout)
    me.prey_x, me.prey_y = last_seen.x, last_seen.y
    me.prey_seq, me.prey_at = last_seen.seq, last_seen.received


def accept_adversary(rules: Rules, me: TargetMemory, sent: Floats, now: float) -> None:
    """Let the target store the adversary's state unless it is older than a fresh one."""
    known, timeout = adversary_known(me), rules.swarm.target_timeout
    last_seen = update_last_seen(known, sent[X], sent[Y], sent[SEQ], now, timeout)
    me.adversary_x, me.adversary_y = last_seen.x, last_seen.y
    me.adversary_seq, me.adversary_at = last_seen.seq, last_seen.received


def adversary_known(me: TargetMemory) -> LastSeen:
    """Return the last state of the adversary that the target received."""
    return LastSeen(me.adversary_x, me.adversary_y, me.adversary_seq, me.adversary_at)


def follow(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Record which other agents count as present, and messages that an agent missed."""
    if flight.status.shared:
        follow_shared(flight, i)
    else:
        follow_linked(rules, flight, i, now)


def follow_shared(flight: FlightMemory, i: int) -> None:
    """Count the messages of this tick, of which none is missing."""
    last = flight.status.tick - 1
    own = 1 if flight.sent[0][i][NUMBER] == last else 0
    count_messages(flight.counted, flight.agents[i], flight.status.senders - own)


def count_messages(done: MessageCounts, agent: AgentMemory, messages: int) -> None:
    """Count messages of which none is missing; most agents' counts are those of the one before.

    Args:
        done: The counts of the last agent before and after its update, and its messages.
        agent: The agent.
        messages: How many came.
    """
    if done.lost != agent.lost or done.got != agent.got or done.messages != messages:
        done.lost, done.got, done.messages = agent.lost, agent.got, messages
        done.next_lost, done.next_got = update_loss(done.lost, done.got, messages, 0)
    agent.lost, agent.got = done.next_lost, done.next_got


def follow_linked(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Update with the received states; remove agents that have been silent for too long.

    An old state brings nobody back.
    """
    links, agent, swarm = flight.links.rows[i], flight.agents[i], rules.swarm
    messages = left_out = fresh = 0
    for j in range(swarm.agents):
        link = links[j]
        received, tracked = link.received, link.tracked
        if not is_fresh(received, now, swarm.agent_timeout):
            continue
        if is_fresh(received, now, rules.law.neighbour_timeout):
            fresh += 1
        elif tracked == NOT_TRACKED:
            continue
        seq = int(flight.sent[layer_of(flight, link.number)][j][SEQ])
        if tracked != seq:
            messages += 1
            if tracked != NOT_TRACKED:
                left_out += max(0, seq - tracked - 1)
            link.tracked = seq
    if left_out == 0:
        count_messages(flight.counted, agent, messages)
    else:
        agent.lost, agent.got = update_loss(agent.lost, agent.got, messages, left_out)
    agent.hears_all = fresh == swarm.agents - 1
    if agent.hears_all:
        return
    silence = tolerated_silence(rules, flight, i)
    for j in range(swarm.agents):
        if not is_fresh(links[j].received, now, silence):
            links[j].tracked = NOT_TRACKED


def note_message(flight: FlightMemory, i: int, j: int) -> None:
    """Count a message to which another one follows at the same tick."""
    agent, link = flight.agents[i], flight.links.rows[i][j]
    seq = int(flight.sent[layer_of(flight, link.number)][j][SEQ])
    if link.tracked != seq:
        left_out = 0 if link.tracked == NOT_TRACKED else max(0, seq - link.tracked - 1)
        agent.lost, agent.got = update_loss(agent.lost, agent.got, 1, left_out)
        link.tracked = seq


def tolerated_silence(rules: Rules, flight: FlightMemory, i: int) -> float:
    """Return the silence [s] of a neighbour that an agent tolerates."""
    agent, timeout = flight.agents[i], rules.law.neighbour_timeout
    loss, longest = share_lost(agent.lost, agent.got), max(timeout, rules.law.neighbour_hold)
    return silence_timeout(loss, rules.swarm.period, timeout, longest)


def forget_others(flight: FlightMemory, i: int) -> None:
    """Reset: no agent present, no message lost, no state sent."""
    agent = flight.agents[i]
    agent.lost = agent.got = 0.0
    agent.has_sent = False
    if not flight.status.shared:
        for link in flight.links.rows[i]:
            link.tracked = NOT_TRACKED

