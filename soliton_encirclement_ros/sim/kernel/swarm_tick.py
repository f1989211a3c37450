"""The tick of the whole swarm, many times over: all receive, decide and command, then all send.

A member may be flown elsewhere: it is where it says, or down if it is silent.
"""

import math

import numpy as np

from soliton_encirclement_ros.core.estimation.estimator import NOTHING_SEEN
from soliton_encirclement_ros.sim.kernel.arrivals import (
    fill_links, is_reception_uniform, note_due, receive, receive_as_target, receive_prey
)
from soliton_encirclement_ros.sim.kernel.broadcast import broadcast
from soliton_encirclement_ros.sim.kernel.motion import measure_target, move
from soliton_encirclement_ros.sim.kernel.observation import note_command, record
from soliton_encirclement_ros.swarm.agent import go_down, steer
from soliton_encirclement_ros.swarm.failures import is_down, update_health
from soliton_encirclement_ros.swarm.memory import (
    MADE_NS, NUMBER, POSE_AGE, VX, VY, VZ, FlightMemory, Floats, X, Y, Z
)
from soliton_encirclement_ros.swarm.memory_rows import External
from soliton_encirclement_ros.swarm.neighbour_checks import is_doubtful, longest_gap
from soliton_encirclement_ros.swarm.reception import tolerated_silence
from soliton_encirclement_ros.swarm.ring import sort_by, update_shared_ring
from soliton_encirclement_ros.swarm.rules import Rules, time_at
from soliton_encirclement_ros.swarm.separation import keep_all, update_common
from soliton_encirclement_ros.swarm.target import prepare_message, roam_on, wander

TOUCH_MARGIN, TOUCH_MARGIN_OF_SENSORS = 0.25, 3.0
"""By how much farther than two bodies that touch agents are looked at one by one [m]: they go on
for a period, and sensors are wrong."""

DONE, FULL, PER_LINK, REJOINED, BROKEN_LAW = range(5)
"""Return statuses of a flight."""


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
    status = flight.status
    if status.links_due:
        fill_links(rules, flight)
    while True:
        if status.broadcast_due:
            broadcast_all(rules, flight)
        if status.tick >= last_tick:
            return DONE
        if is_full(rules, flight):
            return FULL
        move(rules, flight)
        status.tick += 1
        act_all(rules, flight, target_stream, adversary_stream)
        if status.faulty != 0:
            return BROKEN_LAW
        if status.shared:
            if status.doubtful or not is_reception_uniform(rules, flight):
                if rules.safety.on:
                    keep_all(rules, flight)
                return PER_LINK
        elif rules.swarm.rejoins and not status.doubtful and is_past(rules, flight):
            return REJOINED


def act_all(
    rules: Rules,
    flight: FlightMemory,
    target_stream: np.random.Generator,
    adversary_stream: np.random.Generator,
) -> None:
    """Let all members receive states, decide and command their bodies."""
    swarm, status, now = rules.swarm, flight.status, time_at(rules, flight.status.tick)
    if status.shared and flight.sent[0, swarm.agents, NUMBER] > 0.0:
        update_shared_ring(rules, flight, now)
    if status.shared and rules.safety.on:
        update_common(rules, flight, now)
    if not status.shared:
        note_due(rules, flight)
    is_refusable = rules.checks.can_refuse_own
    for i in range(swarm.agents):
        if flight.external[i].is_external:
            act_elsewhere(rules, flight, i, now)
            is_refusable = True
        else:
            act(rules, flight, i, now)
    status.doubtful = rules.checks.on and (
        (status.shared and is_refusable and may_refuse(rules, flight, now))
        or may_touch(rules, flight)
    )
    act_target(rules, flight, now, target_stream)
    if swarm.adversary:
        receive_prey(rules, flight, now)
        roam_on(rules, flight, adversary_stream)
    status.broadcast_due = True


def may_refuse(rules: Rules, flight: FlightMemory, now: float) -> bool:
    """Return whether some agent may refuse a state that is about to be sent to all."""
    memory = longest_gap(rules) + rules.swarm.period
    for i in range(rules.swarm.agents):
        sent, body = flight.sent[0, i], flight.bodies[i]
        dt = now - body[POSE_AGE] - time_at(rules, int(sent[NUMBER]))
        if rules.sensing.on:
            dt = now - body[POSE_AGE] - 1e-9 * sent[MADE_NS]
        is_known = flight.agents[i].sends and dt <= memory and sent[NUMBER] > 0.0
        if is_known and is_doubtful(rules.checks, flight.agents[i].number, sent, body, dt):
            return True
    return False


def may_touch(rules: Rules, flight: FlightMemory) -> bool:
    """Return whether an agent may find a state that is about to be sent at its own place."""
    checks, order, bodies = rules.checks, flight.record.by_x, flight.bodies
    near, fastest, period, count = 0.0, 0.0, rules.swarm.period, rules.swarm.agents
    for kind in range(len(checks.beside)):
        near, fastest = max(near, checks.beside[kind]), max(fastest, checks.speed[kind])
    if near == 0.0:
        return False
    near += TOUCH_MARGIN_OF_SENSORS if rules.sensing.on else TOUCH_MARGIN
    reach = near + fastest * period  # two bodies, each at half of that
    sort_by(bodies[:, X], order, flight.scratch.spare, count)
    for p in range(count):
        i, q = order[p], p + 1
        while q < count and bodies[order[q], X] - bodies[i, X] < reach:
            j = order[q]
            dx = bodies[j, X] - bodies[i, X] + period * (bodies[j, VX] - bodies[i, VX])
            dy = bodies[j, Y] - bodies[i, Y] + period * (bodies[j, VY] - bodies[i, VY])
            dz = bodies[j, Z] - bodies[i, Z] + period * (bodies[j, VZ] - bodies[i, VZ])
            if dx * dx + dy * dy + dz * dz < near * near:
                return True
            q += 1
    return False


def act(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Let an agent receive states and command its body; its state is sent later."""
    if not is_down(flight, i, now):
        receive(rules, flight, i, now)
    if update_health(rules, flight, i, now):
        flight.agents[i].sends = False
        go_down(rules, flight, i)
    else:
        seen = NOTHING_SEEN
        if rules.estimator.on:
            seen = measure_target(rules, flight, i)
        steer(rules, flight, i, now, seen)
    note_command(flight, i)


def act_elsewhere(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Let an external agent be where it is, and send its state if it has been heard."""
    timeout = rules.swarm.agent_timeout
    silent = is_silent(flight.external[i], now, timeout)
    flight.health[i].broken, flight.agents[i].sends = silent, not silent
    place_external(flight, i, now, timeout)


def act_target(
    rules: Rules, flight: FlightMemory, now: float, stream: np.random.Generator
) -> None:
    """Let the target act, or be where it is; while it is silent nobody hears it."""
    me, timeout = rules.swarm.agents, rules.swarm.target_timeout
    external = flight.external[me]
    if not external.is_external:
        receive_as_target(rules, flight, now)
        prepare_message(rules, flight, now)
        wander(rules, flight, now, stream)
        return
    place_external(flight, me, now, timeout)
    omega = external.omega_ref
    flight.target.omega_ref = math.nan if is_silent(external, now, timeout) else omega


def is_silent(external: External, now: float, timeout: float) -> bool:
    """Return whether nothing has been heard of an external member for a timeout [s]."""
    return not now - external.heard_at <= timeout


def place_external(flight: FlightMemory, member: int, now: float, timeout: float) -> None:
    """Put a body where its member is by now, by the velocity that it last reported.

    After a timeout [s] without a word it stays where it was expected last.
    """
    heard = flight.external[member]
    age = now - heard.heard_at
    if math.isnan(age):
        return
    put_external(flight.bodies[member], heard, min(age, timeout), age <= timeout)
    put_external(flight.truth[member], heard, min(age, timeout), age <= timeout)


def put_external(body: Floats, heard: External, age: float, moves: bool) -> None:
    """Write where a body is that was heard so long ago [s]."""
    share = 1.0 if moves else 0.0
    body[X], body[VX] = heard.x + age * heard.vx, share * heard.vx
    body[Y], body[VY] = heard.y + age * heard.vy, share * heard.vy
    body[Z], body[VZ] = heard.z + age * heard.vz, share * heard.vz


def broadcast_all(rules: Rules, flight: FlightMemory) -> None:
    """Send the states of all members that acted, and record them."""
    now = time_at(rules, flight.status.tick)
    broadcast(rules, flight, now)
    record(rules, flight, now)
    flight.status.broadcast_due = False


def is_full(rules: Rules, flight: FlightMemory) -> bool:
    """Return whether the record may lack space for another tick."""
    record, status = flight.record, flight.status
    space = record.events.shape[0] - status.events
    return status.samples >= record.times.shape[0] or space < rules.swarm.agents


def is_past(rules: Rules, flight: FlightMemory) -> bool:
    """Return whether all received identical messages for so long that no cache differs.

    Nor does an agent miss so many messages that it tolerates more silence than the timeout, or
    doubt another one.
    """
    status = flight.status
    if not is_reception_uniform(rules, flight):
        status.uniform_for = 0
        return False
    status.uniform_for += 1
    if status.uniform_for < flight.sent.shape[0]:
        return False
    extended = False
    for i in range(rules.swarm.agents):
        silence = tolerated_silence(rules, flight, i)
        extended = extended or silence > rules.law.neighbour_timeout
        extended = extended or flight.agents[i].doubts > 0
    return not extended
