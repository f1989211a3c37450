"""The whole swarm event by event, in the order of the original: that of ``EventLoop``."""

import numpy as np

from soliton_encirclement_ros.core.radio.links import drawn_reach
from soliton_encirclement_ros.sim.kernel.adversary_tick import accept_prey, go_on
from soliton_encirclement_ros.sim.kernel.agent_tick import go_down, steer
from soliton_encirclement_ros.sim.kernel.ages import time_at
from soliton_encirclement_ros.sim.kernel.body_motion import update_bodies
from soliton_encirclement_ros.sim.kernel.broadcast import (
    send_adversary,
    send_agent,
    send_target,
)
from soliton_encirclement_ros.sim.kernel.cache import keep
from soliton_encirclement_ros.sim.kernel.columns import (
    ADVERSARY_SEQ,
    BROKEN,
    BROKEN_LAW,
    DONE,
    FAULTY,
    FULL,
    LIFE,
    NEXT_SEQ,
    NUMBER,
    SENDS,
    TARGET_KEEPS,
    TARGET_SEQ,
    TICK,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.event_queue import EventQueue, pop, push
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_state import accept_agent, layer_of
from soliton_encirclement_ros.sim.kernel.observation import record
from soliton_encirclement_ros.sim.kernel.outage_state import draws_failure
from soliton_encirclement_ros.sim.kernel.reception import accept_target
from soliton_encirclement_ros.sim.kernel.swarm_tick import is_full
from soliton_encirclement_ros.sim.kernel.target_tick import (
    accept_adversary,
    choose_motion,
    prepare_message,
)

MOVE, NOTE, ACT, TURN, CHECK, RECOVER, RECEIVE = range(7)
"""Kinds of events: all bodies move, a member is recorded (no effect), acts, the target turns,
an agent's health is checked, it recovers, a member receives a message."""


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
    counters = flight.counters
    while counters[TICK] < last_tick:
        if is_full(rules, flight):
            return FULL
        counters[TICK] += 1
        now = time_at(rules, counters[TICK])
        flight.agents[:, SENDS] = 0.0
        while queue.times[0] < now + 0.5 * rules.swarm.update_period:
            happen(rules, flight, queue, stream)
            if counters[FAULTY]:
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
        if flight.health[who, BROKEN] != 0.0 or flight.health[who, LIFE] != life:
            return
        steer(rules, flight, who, now)
        number = int(flight.agents[who, NEXT_SEQ])
        send_agent(rules, flight, who, number, now)
    elif who == agents:
        prepare_message(rules, flight, now)
        number = int(flight.target[TARGET_SEQ])
        send_target(rules, flight, number, now)
    else:
        go_on(rules, flight, stream)
        number = int(flight.adversary[ADVERSARY_SEQ])
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
    agents, layer = rules.swarm.agents, layer_of(flight, number)
    if flight.sent[layer, sender, NUMBER] != number:
        return
    if receiver > agents:
        if sender == agents:
            accept_prey(rules, flight, layer, now)
    elif receiver == agents:
        if sender > agents:
            accept_adversary(rules, flight, layer, now)
        else:
            keep(rules, flight, flight.target_keeps, TARGET_KEEPS, sender, layer, now)
    elif flight.health[receiver, BROKEN] == 0.0:
        if sender == agents:
            accept_target(rules, flight, receiver, number, now)
        elif sender < agents:
            accept_agent(rules, flight, receiver, sender, number, now)


def check(rules: Rules, flight: FlightMemory, queue: EventQueue, i: int, now: float) -> None:
    """Let an agent fail at random: it neither receives nor sends nor moves until it recovers."""
    if not draws_failure(flight, i, 1):
        push(queue, now + rules.failure.period, CHECK, i)
        return
    flight.health[i, BROKEN] = 1.0
    flight.health[i, LIFE] += 1.0
    go_down(flight, i)
    push(queue, now + rules.failure.off_time, RECOVER, i)


def recover(rules: Rules, flight: FlightMemory, queue: EventQueue, i: int, now: float) -> None:
    """Let an agent come back; it acts one period later."""
    flight.health[i, BROKEN] = 0.0
    push(queue, now + rules.swarm.period, ACT, i, 0, int(flight.health[i, LIFE]))
    push(queue, now + rules.failure.period, CHECK, i)


def member_at(rules: Rules, p: int) -> int:
    """Return the member at an index of the original's order: target, adversary, agents."""
    agents, others = rules.swarm.agents, 1 + rules.swarm.adversary
    return agents + p if p < others else p - others
