"""States sent at a tick, and their falsification: the numbers of ``Medium.carry``."""

import math

import numpy as np

from soliton_encirclement_ros.core.byzantine_agents import (
    FROZEN, REPEAT, SYBIL, false_place, mirror
)
from soliton_encirclement_ros.core.laws.filter_codes import NOBODY
from soliton_encirclement_ros.core.laws.law import U
from soliton_encirclement_ros.core.radio_loss_and_delay import JITTER, LOSS, in_reach, message_key
from soliton_encirclement_ros.core.schedules import is_open
from soliton_encirclement_ros.core.states.received_states import NO_REPORT
from soliton_encirclement_ros.core.states.states import is_sound_seq, is_sound_weight
from soliton_encirclement_ros.sim.kernel.arrivals import is_reception_uniform, link_number
from soliton_encirclement_ros.swarm.memory import (
    MADE_NS, NUMBER, POSE, POSE_AGE, SEQ, FlightMemory, X, Y, Z, layer_of
)
from soliton_encirclement_ros.swarm.rules import Rules
from soliton_encirclement_ros.swarm.separation import write_gossip
from soliton_encirclement_ros.swarm.target_report import write_target_report
from velocity_mobility_ros.core.coordinate_frames import is_plausible
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.velocity_model import Vector

OUTGOING_U = POSE
"""Column of u while a message is built."""


def broadcast(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Send the states of all members that acted."""
    status = flight.status
    if not status.shared:
        note_links(rules, flight)
    number, senders = status.tick, 0
    for i in range(rules.swarm.agents):
        if flight.agents[i].sends and send_agent(rules, flight, i, number, now):
            senders += 1
    status.senders = senders
    if flight.schedule.byzantine.shape[0] > 0:
        send_of_others(rules, flight, number, now)
    send_target(rules, flight, number, now)
    if rules.swarm.adversary:
        send_adversary(rules, flight, number, now)
        note_reach(rules, flight)


def note_reach(rules: Rules, flight: FlightMemory) -> None:
    """Record whether target and adversary receive each other, with shared reception."""
    a, b = flight.truth[rules.swarm.agents], flight.truth[rules.swarm.agents + 1]
    near = in_reach(b[X] - a[X], b[Y] - a[Y], b[Z] - a[Z], rules.radio.range_sq)
    flight.adversary.in_reach = near


def send_agent(rules: Rules, flight: FlightMemory, i: int, number: int, now: float) -> bool:
    """Send an agent's state, under a number; return whether receivers accept it."""
    seq, message = flight.agents[i].next_seq, flight.messages[i]
    flight.agents[i].next_seq = seq + 1
    for k in range(message.shape[0]):
        flight.outgoing[POSE + k] = message[k]
    if rules.safety.on:
        write_gossip(rules, flight, i, flight.gossip[layer_of(flight, number)][i], now)
    if rules.law.relays and not flight.status.shared:
        reports = flight.relay.gossip[layer_of(flight, number)]
        write_target_report(rules, flight, i, reports[i], now)
    return send(rules, flight, i, number, seq, True, now)


def send_adversary(rules: Rules, flight: FlightMemory, number: int, now: float) -> None:
    """Send the adversary's state, under a number."""
    seq = flight.adversary.next_seq
    flight.adversary.next_seq = seq + 1
    send(rules, flight, rules.swarm.agents + 1, number, seq, True, now)


def send_target(rules: Rules, flight: FlightMemory, number: int, now: float) -> None:
    """Send the target's state with the weights of the arcs, under a number."""
    layer, omega, seq = layer_of(flight, number), flight.target.omega_ref, flight.target.next_seq
    me, sound = rules.swarm.agents, is_plausible(omega)
    for j in range(me):
        weight = flight.new_weights[j]
        sound = sound and (math.isnan(weight) or is_sound_weight(weight))
    flight.target.next_seq = seq + 1
    if send(rules, flight, me, number, seq, sound, now):
        flight.omega[layer] = omega
        for j in range(me):
            weight = math.nan if rules.estimator.on else flight.new_weights[j]
            flight.weights[layer, j] = weight


def send(
    rules: Rules,
    flight: FlightMemory,
    member: int,
    number: int,
    seq: int,
    sound: bool,
    now: float,
) -> bool:
    """Store a member's state for the receivers, if it is plausible.

    An agent's message is in ``outgoing`` already; ``sound`` is whether all other values of the
    member are plausible.
    """
    outgoing, count = flight.outgoing, POSE
    for k in range(POSE):
        outgoing[k] = flight.bodies[member, k]
    if member < rules.swarm.agents:
        count += flight.messages.shape[1]
    if flight.schedule.byzantine.shape[0] > 0:
        apply_fault(rules, flight, member, now)
    sound = sound and is_sound_seq(seq)
    for k in range(count):
        sound = sound and is_plausible(outgoing[k])
    if not sound:
        return False
    sent = flight.sent[layer_of(flight, number), member]
    for k in range(POSE):
        sent[k] = outgoing[k]
    for k in range(POSE, count):
        sent[U + k - POSE] = outgoing[k]
    sent[SEQ], sent[NUMBER] = seq, number
    sent[MADE_NS] = to_ns(now - flight.bodies[member, POSE_AGE])
    return True


def apply_fault(rules: Rules, flight: FlightMemory, member: int, now: float) -> None:
    """Falsify the state of a byzantine agent."""
    byzantine = flight.schedule.byzantine
    for number in range(byzantine.shape[0]):
        window = byzantine[number]
        if int(window[2]) == member and is_open(window[0], window[1], now):
            falsify(rules, flight, number, member)


def falsify(rules: Rules, flight: FlightMemory, number: int, member: int) -> None:
    """Apply one falsification to the state being sent."""
    window, pose = flight.schedule.byzantine[number], flight.outgoing
    kind = int(window[3])
    if kind in (FROZEN, REPEAT):
        freeze(rules, flight, number, member, kind)
    elif kind != SYBIL:
        pose[X], pose[Y], pose[Z] = false_place(
            kind, (pose[X], pose[Y], pose[Z]), target_place(rules, flight), window[4], window[5],
            rules.radio.seed, link_number(rules, member), np.uint64(flight.status.tick),
        )  # fmt: skip


def target_place(rules: Rules, flight: FlightMemory) -> Vector:
    """Return where the target is [m]."""
    there = flight.truth[rules.swarm.agents]
    return there[X], there[Y], there[Z]


def freeze(rules: Rules, flight: FlightMemory, number: int, member: int, kind: int) -> None:
    """Repeat the first state inside the window, or the last one of another agent."""
    first, pose = flight.schedule.frozen[number], flight.outgoing
    is_agent = member < rules.swarm.agents
    if first[POSE + 1] == 0.0:
        if kind == REPEAT:
            return
        for k in range(POSE):
            first[k] = pose[k]
        first[POSE] = pose[OUTGOING_U] if is_agent else 0.0
        first[POSE + 1] = 1.0
    for k in range(POSE):
        pose[k] = first[k]
    if is_agent:
        pose[OUTGOING_U] = first[POSE]


def send_of_others(rules: Rules, flight: FlightMemory, number: int, now: float) -> None:
    """Send what agents say in the names of others, and store the states that are repeated."""
    byzantine, frozen = flight.schedule.byzantine, flight.schedule.frozen
    for k in range(byzantine.shape[0]):
        window, kind, other = byzantine[k], int(byzantine[k, 3]), int(byzantine[k, 4])
        if not is_open(window[0], window[1], now):
            continue
        if kind == SYBIL and flight.agents[int(window[2])].sends:
            send_made_up(rules, flight, int(window[2]), other, number, now)
        elif kind == REPEAT and flight.agents[other].sends:
            for p in range(POSE):
                frozen[k, p] = flight.bodies[other, p]
            frozen[k, POSE], frozen[k, POSE + 1] = flight.messages[other, 0], 1.0


def send_made_up(
    rules: Rules, flight: FlightMemory, member: int, other: int, number: int, now: float
) -> None:
    """Send a member's mirrored state in the name of another agent that is silent."""
    layer, body, message = layer_of(flight, number), flight.bodies[member], flight.messages[member]
    sent = flight.sent[layer, other]
    if sent[NUMBER] == number:
        return
    for k in range(POSE):
        sent[k] = body[k]
    there = mirror((body[X], body[Y], body[Z]), target_place(rules, flight))
    sent[X], sent[Y], sent[Z] = there
    for k in range(message.shape[0]):
        sent[U + k] = message[k]
    sent[SEQ], sent[NUMBER], sent[MADE_NS] = number, number, to_ns(now - body[POSE_AGE])
    if rules.safety.on:
        flight.gossip[layer][other][0].who = NOBODY
    if rules.law.relays:
        flight.relay.gossip[layer][other].age = NO_REPORT


def note_links(rules: Rules, flight: FlightMemory) -> None:
    """Record the positions of all members and the noise of all messages of this tick."""
    links, radio = flight.links, rules.radio
    layer, count = layer_of(flight, flight.status.tick), np.uint64(flight.status.tick)
    links.within[layer] = is_reception_uniform(rules, flight)
    for member in range(flight.bodies.shape[0]):
        number = link_number(rules, member)
        links.places[layer, member, X] = flight.truth[member, X]
        links.places[layer, member, Y] = flight.truth[member, Y]
        links.places[layer, member, Z] = flight.truth[member, Z]
        if radio.loss > 0.0:
            links.loss[layer, member] = message_key(radio.seed, number, count, LOSS)
        if radio.jitter > 0.0:
            links.jitter[layer, member] = message_key(radio.seed, number, count, JITTER)
