"""The tick of the whole swarm, many times over: the order of ``SwarmLoop``."""

import numpy as np

from soliton_encirclement_ros.sim.kernel.adversary_tick import act_adversary
from soliton_encirclement_ros.sim.kernel.ages import time_at
from soliton_encirclement_ros.sim.kernel.body_motion import move
from soliton_encirclement_ros.sim.kernel.broadcast import broadcast
from soliton_encirclement_ros.sim.kernel.columns import (
    BROADCAST_DUE,
    BROKEN_LAW,
    DONE,
    EVENTS,
    FAULTY,
    FULL,
    NUMBER,
    PER_LINK,
    REJOINED,
    SAMPLES,
    SHARED,
    TICK,
    UNIFORM_FOR,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.external_members import (
    act_here_or_elsewhere,
    act_target_here_or_elsewhere,
)
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_state import is_reception_uniform, note_due
from soliton_encirclement_ros.sim.kernel.observation import record
from soliton_encirclement_ros.sim.kernel.ring.shared_ring import update_ring
from soliton_encirclement_ros.sim.kernel.separation.common_bodies import update_common
from soliton_encirclement_ros.sim.kernel.tracks import extends_timeout


def act_all(
    rules: Rules,
    flight: FlightMemory,
    target_stream: np.random.Generator,
    adversary_stream: np.random.Generator,
) -> None:
    """Let all members receive states, decide and command their bodies."""
    swarm, now = rules.swarm, time_at(rules, flight.counters[TICK])
    if flight.counters[SHARED] and flight.sent[0, swarm.agents, NUMBER] > 0.0:
        update_ring(rules, flight, now)
    if flight.counters[SHARED] and rules.safety.on:
        update_common(rules, flight, now)
    if not flight.counters[SHARED]:
        note_due(rules, flight)
    for i in range(swarm.agents):
        act_here_or_elsewhere(rules, flight, i, now)
    act_target_here_or_elsewhere(rules, flight, now, target_stream)
    if swarm.adversary:
        act_adversary(rules, flight, now, adversary_stream)
    flight.counters[BROADCAST_DUE] = 1


def fly(
    rules: Rules,
    flight: FlightMemory,
    target_stream: np.random.Generator,
    adversary_stream: np.random.Generator,
    last_tick: int,
) -> int:
    """Fly up to a tick, or until the caller must act; return why.

    Args:
        rules: The flight's constants.
        flight: The flight, changed in place.
        target_stream: Random stream of the target.
        adversary_stream: Random stream of the adversary.
        last_tick: The tick to stop after.

    Returns:
        ``DONE``; ``FULL`` when there is no space for another sample or its events;
        ``PER_LINK`` when from now on reception differs and the flight needs its links,
        ``REJOINED`` when that is over and expired; ``BROKEN_LAW`` when an agent's law failed.
    """
    counters = flight.counters
    while True:
        if counters[BROADCAST_DUE]:
            broadcast_all(rules, flight)
        if counters[TICK] >= last_tick:
            return DONE
        if is_full(rules, flight):
            return FULL
        move(rules, flight)
        counters[TICK] += 1
        act_all(rules, flight, target_stream, adversary_stream)
        if counters[FAULTY]:
            return BROKEN_LAW
        if counters[SHARED]:
            if not is_reception_uniform(rules, flight):
                return PER_LINK
        elif rules.swarm.rejoins and is_past(rules, flight):
            return REJOINED


def broadcast_all(rules: Rules, flight: FlightMemory) -> None:
    """Send the states of all members that acted, and record them."""
    now = time_at(rules, flight.counters[TICK])
    broadcast(rules, flight, now)
    record(rules, flight, now)
    flight.counters[BROADCAST_DUE] = 0


def is_full(rules: Rules, flight: FlightMemory) -> bool:
    """Return whether the record may lack space for another tick."""
    record, counters = flight.record, flight.counters
    space = record.events.shape[0] - counters[EVENTS]
    return counters[SAMPLES] >= record.times.shape[0] or space < rules.swarm.agents


def is_past(rules: Rules, flight: FlightMemory) -> bool:
    """Return whether all received identical messages for so long that no cache differs."""
    counters = flight.counters
    if not is_reception_uniform(rules, flight):
        counters[UNIFORM_FOR] = 0
        return False
    counters[UNIFORM_FOR] += 1
    if counters[UNIFORM_FOR] < flight.sent.shape[0]:
        return False
    extended = False
    for i in range(rules.swarm.agents):
        extended = extended or extends_timeout(rules, flight, i)
    return not extended
