"""The whole swarm event by event, in the order of the original experiment.

Bodies move, members act and messages arrive one after the other, each at its own time. Periods are
summed up, as there, so that equal times differ in their last bits. The queue is ordered by time
alone, move for move the heap of CPython's ``heapq``: the order of events of the same time is an
accident of that heap, and the original's flights depend on it.
"""

from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.core.estimation.estimator import NOTHING_SEEN
from soliton_encirclement_ros.core.radio_loss_and_delay import drawn_reach
from soliton_encirclement_ros.sim.kernel.broadcast import send_adversary, send_agent, send_target
from soliton_encirclement_ros.sim.kernel.motion import update_bodies
from soliton_encirclement_ros.sim.kernel.observation import note_command, record
from soliton_encirclement_ros.sim.kernel.swarm_tick import BROKEN_LAW, DONE, FULL, is_full
from soliton_encirclement_ros.swarm.agent import go_down, steer
from soliton_encirclement_ros.swarm.failures import draws_failure
from soliton_encirclement_ros.swarm.memory import (
    NUMBER, Counts, FlightMemory, Floats, X, Y, Z, layer_of
)
from soliton_encirclement_ros.swarm.reception import (
    accept_adversary, accept_agent, accept_prey, accept_target, cache_agent
)
from soliton_encirclement_ros.swarm.rules import Rules, time_at
from soliton_encirclement_ros.swarm.target import choose_motion, prepare_message, roam_on

MOVE, NOTE, ACT, TURN, CHECK, RECOVER, RECEIVE = range(7)
"""Kinds of events: all bodies move, a member is recorded (no effect), acts, the target turns,
an agent's health is checked, it recovers, a member receives a message."""

KIND, WHO, OTHER, EVENT_NUMBER = range(4)
EVENT_COLUMNS = 4

WAITING = 0


class EventQueue(NamedTuple):
    """Waiting events: times [s], and a row of kind, member, another member and a number each.

    ``counters`` holds how many events wait.
    """

    times: Floats
    events: Counts
    counters: Counts


def fly_by_events(
    rules: Rules,
    flight: FlightMemory,
    queue: EventQueue,
    stream: np.random.Generator,
    last_tick: int,
) -> int:
    """Fly up to a tick, or until there is no space for another sample; return why.

    Args:
        rules: The flight's constants.
        flight: The flight, changed in place.
        queue: The waiting events, changed in place.
        stream: Random stream of all draws.
        last_tick: The tick to stop after.

    Returns:
        ``DONE``, ``FULL``, or ``BROKEN_LAW`` when an agent's law failed.
    """
    status = flight.status
    while status.tick < last_tick:
        if is_full(rules, flight):
            return FULL
        status.tick += 1
        now = time_at(rules, status.tick)
        for i in range(rules.swarm.agents):
            flight.agents[i].sends = False
        while queue.times[0] < now + 0.5 * rules.swarm.update_period:
            happen(rules, flight, queue, stream)
            if status.faulty != 0:
                return BROKEN_LAW
        record(rules, flight, now)
    return DONE


def begin(rules: Rules, queue: EventQueue) -> None:
    """Put the first events into an empty queue."""
    period = rules.swarm.period
    push(queue, rules.swarm.update_period, MOVE, 0)
    push(queue, period, ACT, rules.swarm.agents)
    push(queue, rules.target.motion_period, TURN, rules.swarm.agents)
    if rules.swarm.adversary:
        push(queue, period, ACT, rules.swarm.agents + 1)
    for i in range(rules.swarm.agents):
        push(queue, period, ACT, i)
        if rules.failure.enable:
            push(queue, rules.failure.period, CHECK, i)


def happen(
    rules: Rules, flight: FlightMemory, queue: EventQueue, stream: np.random.Generator
) -> None:
    """Execute the first event."""
    now, kind, who, other, number = pop(queue)
    if kind == RECEIVE:
        receive(rules, flight, who, other, number, now)
    elif kind == ACT:
        act(rules, flight, queue, who, number, now, stream)
    elif kind == MOVE:
        move(rules, flight, queue, now)
    elif kind == CHECK:
        check(rules, flight, queue, who, now)
    elif kind == RECOVER:
        recover(rules, flight, queue, who, now)
    elif kind == TURN:
        choose_motion(rules, flight, stream)
        push(queue, now + rules.target.motion_period, TURN, who)


def move(rules: Rules, flight: FlightMemory, queue: EventQueue, now: float) -> None:
    """Move all bodies by one update; record all members."""
    update_bodies(rules, flight)
    for p in range(flight.bodies.shape[0]):
        push(queue, now, NOTE, member_at(rules, p))
    push(queue, now + rules.swarm.update_period, MOVE, 0)


def act(
    rules: Rules, flight: FlightMemory, queue: EventQueue, who: int, life: int, now: float,
    stream: np.random.Generator,
) -> None:  # fmt: skip
    """Let a member act and send, unless it has failed since the event was queued."""
    agents = rules.swarm.agents
    if who < agents:
        if flight.health[who].broken or flight.health[who].life != life:
            return
        steer(rules, flight, who, now, NOTHING_SEEN)
        note_command(flight, who)
        number = flight.agents[who].next_seq
        send_agent(rules, flight, who, number, now)
    elif who == agents:
        prepare_message(rules, flight, now)
        number = flight.target.next_seq
        send_target(rules, flight, number, now)
    else:
        roam_on(rules, flight, stream)
        number = flight.adversary.next_seq
        send_adversary(rules, flight, number, now)
    transmit(rules, flight, queue, who, number, now, stream)
    push(queue, now + rules.swarm.period, ACT, who, 0, life)


def transmit(
    rules: Rules, flight: FlightMemory, queue: EventQueue, sender: int, number: int, now: float,
    stream: np.random.Generator,
) -> None:  # fmt: skip
    """Send a member's state to all members in range; with losses, one draw per receiver."""
    radio, a = rules.radio, flight.bodies[sender]
    for p in range(flight.bodies.shape[0]):
        receiver = member_at(rules, p)
        if receiver == sender:
            continue
        b = flight.bodies[receiver]
        dx, dy, dz = b[X] - a[X], b[Y] - a[Y], b[Z] - a[Z]
        if drawn_reach(dx, dy, dz, radio.range_sq, radio.loss, stream):
            push(queue, now + radio.delay, RECEIVE, receiver, sender, number)


def receive(
    rules: Rules, flight: FlightMemory, receiver: int, sender: int, number: int, now: float
) -> None:
    """Let a member receive a plausible state."""
    agents, sent = rules.swarm.agents, flight.sent[layer_of(flight, number)][sender]
    if sent[NUMBER] != number:
        return
    if receiver > agents:
        if sender == agents:
            accept_prey(rules, flight.adversary, sent, now)
    elif receiver == agents:
        if sender > agents:
            accept_adversary(rules, flight.target, sent, now)
        else:
            cache_agent(rules, flight.target_cache, sender, sent, now)
    elif not flight.health[receiver].broken:
        if sender == agents:
            accept_target(rules, flight, receiver, number, now)
        elif sender < agents:
            accept_agent(rules, flight, receiver, sender, number, now)


def check(rules: Rules, flight: FlightMemory, queue: EventQueue, i: int, now: float) -> None:
    """Let an agent fail at random: it neither receives nor sends nor moves until it recovers."""
    if not draws_failure(flight, i, 1):
        push(queue, now + rules.failure.period, CHECK, i)
        return
    flight.health[i].broken = True
    flight.health[i].life += 1
    go_down(rules, flight, i)
    note_command(flight, i)
    push(queue, now + rules.failure.off_time, RECOVER, i)


def recover(rules: Rules, flight: FlightMemory, queue: EventQueue, i: int, now: float) -> None:
    """Let an agent come back; it acts one period later."""
    flight.health[i].broken = False
    push(queue, now + rules.swarm.period, ACT, i, 0, flight.health[i].life)
    push(queue, now + rules.failure.period, CHECK, i)


def member_at(rules: Rules, p: int) -> int:
    """Return the member at an index of the original's order: target, adversary, agents."""
    agents, others = rules.swarm.agents, 1 + rules.swarm.adversary
    return agents + p if p < others else p - others


def push(
    queue: EventQueue, time: float, kind: int, who: int, other: int = 0, number: int = 0
) -> None:
    """Add an event at a time [s]."""
    place = queue.counters[WAITING]
    queue.counters[WAITING] = place + 1
    rise(queue, place, time, kind, who, other, number)


def pop(queue: EventQueue) -> tuple[float, int, int, int, int]:
    """Remove the first event; return its time [s], kind, member, the other one and the number."""
    first, last = queue.events[0], queue.counters[WAITING] - 1
    event = (queue.times[0], first[KIND], first[WHO], first[OTHER], first[EVENT_NUMBER])
    queue.counters[WAITING] = last
    if last > 0:
        time, moved = queue.times[last], queue.events[last]
        kind, who, other, number = moved[KIND], moved[WHO], moved[OTHER], moved[EVENT_NUMBER]
        rise(queue, sink_hole(queue), time, kind, who, other, number)
    return event


def sink_hole(queue: EventQueue) -> int:
    """Move the hole at the top down to a leaf, past the earlier child; return its final position.

    Of two children of the same time the right one moves up.
    """
    end, hole, child = queue.counters[WAITING], 0, 1
    while child < end:
        right = child + 1
        if right < end and not queue.times[child] < queue.times[right]:
            child = right
        put(queue, hole, child)
        hole, child = child, 2 * child + 1
    return hole


def rise(
    queue: EventQueue, hole: int, time: float, kind: int, who: int, other: int, number: int
) -> None:
    """Put an event into a hole, or as far above it as it is earlier than its parents."""
    while hole > 0:
        parent = (hole - 1) >> 1
        if not time < queue.times[parent]:
            break
        put(queue, hole, parent)
        hole = parent
    event = queue.events[hole]
    queue.times[hole] = time
    event[KIND], event[WHO], event[OTHER], event[EVENT_NUMBER] = kind, who, other, number


def put(queue: EventQueue, place: int, source: int) -> None:
    """Copy an event to another position."""
    queue.times[place] = queue.times[source]
    there, here = queue.events[place], queue.events[source]
    there[KIND], there[WHO], there[OTHER], there[EVENT_NUMBER] = (
        here[KIND], here[WHO], here[OTHER], here[EVENT_NUMBER]
    )  # fmt: skip
