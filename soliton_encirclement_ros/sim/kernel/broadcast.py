"""States sent at a tick, and their falsification: the numbers of ``Medium.carry``."""

import math

import numpy as np
from velocity_mobility_ros.core.frames import is_plausible
from velocity_mobility_ros.core.time import to_ns

from soliton_encirclement_ros.core.laws.ring_messages import U
from soliton_encirclement_ros.core.radio.byzantine import FROZEN, false_place
from soliton_encirclement_ros.core.radio.link_noise import JITTER, LOSS, message_key
from soliton_encirclement_ros.core.radio.links import in_reach
from soliton_encirclement_ros.core.schedules.windows import is_open
from soliton_encirclement_ros.core.states.state_validation import is_sound_seq, is_sound_weight
from soliton_encirclement_ros.sim.kernel.columns import (
    ADVERSARY_SEQ,
    IN_REACH,
    MADE_NS,
    NEW_OMEGA,
    NEXT_SEQ,
    NUMBER,
    POSE_AGE,
    SENDERS,
    SENDS,
    SEQ,
    SHARED,
    TARGET_SEQ,
    TICK,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.estimation.target_relay import tell_of_target
from soliton_encirclement_ros.sim.kernel.flags import flag
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_numbers import link_number
from soliton_encirclement_ros.sim.kernel.link_state import is_reception_uniform, layer_of
from soliton_encirclement_ros.sim.kernel.separation.known_bodies import tell_of_silent

POSE = 6
"""Columns of position and velocity."""

OUTGOING_U = POSE
"""Column of u while a message is built."""


def broadcast(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Send the states of all members that acted."""
    if not flight.counters[SHARED]:
        note_links(rules, flight)
    number, senders = flight.counters[TICK], 0
    for i in range(rules.swarm.agents):
        if flight.agents[i, SENDS] != 0.0 and send_agent(rules, flight, i, number, now):
            senders += 1
    flight.counters[SENDERS] = senders
    send_target(rules, flight, number, now)
    if rules.swarm.adversary:
        send_adversary(rules, flight, number, now)
        note_reach(rules, flight)


def note_reach(rules: Rules, flight: FlightMemory) -> None:
    """Record whether target and adversary receive each other, with shared reception."""
    a, b = flight.truth[rules.swarm.agents], flight.truth[rules.swarm.agents + 1]
    near = in_reach(b[X] - a[X], b[Y] - a[Y], b[Z] - a[Z], rules.radio.range_sq)
    flight.adversary[IN_REACH] = flag(near)


def send_agent(rules: Rules, flight: FlightMemory, i: int, number: int, now: float) -> bool:
    """Send an agent's state, under a number; return whether receivers accept it."""
    seq, message = flight.agents[i, NEXT_SEQ], flight.messages[i]
    flight.agents[i, NEXT_SEQ] = seq + 1.0
    for k in range(message.shape[0]):
        flight.outgoing[POSE + k] = message[k]
    if rules.safety.on:
        tell_of_silent(rules, flight, i, number, now)
    if rules.law.relays:
        tell_of_target(rules, flight, i, number, now)
    return send(rules, flight, i, number, seq, True, now)


def send_adversary(rules: Rules, flight: FlightMemory, number: int, now: float) -> None:
    """Send the adversary's state, under a number."""
    me = rules.swarm.agents + 1
    send_body(rules, flight, me, number, flight.adversary, ADVERSARY_SEQ, True, now)


def send_target(rules: Rules, flight: FlightMemory, number: int, now: float) -> None:
    """Send the target's state with the weights of the arcs, under a number."""
    layer, omega = layer_of(flight, number), flight.target[NEW_OMEGA]
    me, sound = rules.swarm.agents, is_plausible(omega)
    for j in range(me):
        weight = flight.new_weights[j]
        sound = sound and (math.isnan(weight) or is_sound_weight(weight))
    if send_body(rules, flight, me, number, flight.target, TARGET_SEQ, sound, now):
        flight.omega[layer] = omega
        for j in range(me):
            weight = math.nan if rules.sight.on else flight.new_weights[j]
            flight.weights[layer, j] = weight


def send_body(
    rules: Rules, flight: FlightMemory, member: int, number: int, state: np.ndarray, column: int,
    sound: bool, now: float,
) -> bool:  # fmt: skip
    """Send the position of target or adversary; count its messages."""
    seq = state[column]
    state[column] = seq + 1.0
    return send(rules, flight, member, number, seq, sound, now)


def send(
    rules: Rules,
    flight: FlightMemory,
    member: int,
    number: int,
    seq: float,
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
    if kind == FROZEN:
        freeze(rules, flight, number, member)
        return
    pose[X], pose[Y], pose[Z] = false_place(
        kind, (pose[X], pose[Y], pose[Z]), window[4], window[5], rules.radio.seed,
        link_number(rules, member), np.uint64(flight.counters[TICK]),
    )  # fmt: skip


def freeze(rules: Rules, flight: FlightMemory, number: int, member: int) -> None:
    """Repeat the first state inside the window."""
    first, pose = flight.schedule.frozen[number], flight.outgoing
    is_agent = member < rules.swarm.agents
    if first[POSE + 1] == 0.0:
        for k in range(POSE):
            first[k] = pose[k]
        first[POSE] = pose[OUTGOING_U] if is_agent else 0.0
        first[POSE + 1] = 1.0
    for k in range(POSE):
        pose[k] = first[k]
    if is_agent:
        pose[OUTGOING_U] = first[POSE]


def note_links(rules: Rules, flight: FlightMemory) -> None:
    """Record the positions of all members and the noise of all messages of this tick."""
    links, radio = flight.links, rules.radio
    layer, count = layer_of(flight, flight.counters[TICK]), np.uint64(flight.counters[TICK])
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
