"""One tick of the target: the numbers of ``actors.Target``."""

import math

import numpy as np

from soliton_encirclement_ros.actors.spin.spin_law import spin_view
from soliton_encirclement_ros.actors.target_motion import Wandering, next_velocity, wandered
from soliton_encirclement_ros.core.ring.edge_weights import NO_ARC, Token, arc_weight, passed_token
from soliton_encirclement_ros.core.ring.plane import bearing
from soliton_encirclement_ros.core.schedules.periodic import Periodic
from soliton_encirclement_ros.core.states.message_acceptance import Sighting, sighted
from soliton_encirclement_ros.sim.kernel.agent_tick import command
from soliton_encirclement_ros.sim.kernel.cache import drop_old, keep
from soliton_encirclement_ros.sim.kernel.columns import (
    ADV_RECEIVED_AT,
    ADV_SEQ,
    ADV_X,
    ADV_Y,
    CX,
    CY,
    CZ,
    HOLDER,
    KEPT_X,
    KEPT_Y,
    MOTION_FIRED,
    NEW_OMEGA,
    SEQ,
    SWITCHED,
    TARGET_KEEPS,
    WEIGHT,
    X,
    Y,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory
from soliton_encirclement_ros.sim.kernel.link_state import arrival, layer_of
from soliton_encirclement_ros.sim.kernel.path_motion import has_path, path_command
from soliton_encirclement_ros.sim.kernel.ring.sorting import sort_by


def act_target(
    rules: Rules, flight: FlightMemory, now: float, stream: np.random.Generator
) -> None:
    """Let the target receive states, set weights, request the spin, and move on."""
    receive_states(rules, flight, now)
    prepare_message(rules, flight, now)
    wander(rules, flight, now, stream)


def wander(rules: Rules, flight: FlightMemory, now: float, stream: np.random.Generator) -> None:
    """Let the target go on: on its path, or maybe another way."""
    me = rules.swarm.agents
    if has_path(rules, me):
        command(flight, me, path_command(rules, flight, me))
        return
    body, chosen = flight.bodies[me], Periodic(0.0, int(flight.target[MOTION_FIRED]))
    choices, velocity = wandered(
        Wandering(chosen, (body[CX], body[CY], body[CZ])), now, rules.target.motion_period,
        rules.target.motion, body[X], body[Y], stream,
    )  # fmt: skip
    flight.target[MOTION_FIRED] = choices.fired
    command(flight, me, velocity)


def prepare_message(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Let the target remove silent agents, set weights and request the spin."""
    if rules.swarm.prune:
        drop_old(rules, flight, flight.target_keeps, TARGET_KEEPS, now)
    flight.target[NEW_OMEGA] = omega_ref(rules, flight, now)
    weigh(rules, flight, now)


def receive_states(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Receive the states of agents, by the time of sending, and of the adversary."""
    target, scratch, count = rules.swarm.agents, flight.scratch, 0
    for j in range(rules.swarm.agents):
        number = arrival(rules, flight, j, target)
        if number > 0:
            scratch.a[j], scratch.order[count] = number, j
            count += 1
    sort_by(scratch.a, scratch.order, scratch.spare, count)
    for p in range(count):
        j = scratch.order[p]
        layer = layer_of(flight, int(scratch.a[j]))
        keep(rules, flight, flight.target_keeps, TARGET_KEEPS, j, layer, now)
    if rules.swarm.adversary:
        number = arrival(rules, flight, target + 1, target)
        if number > 0:
            accept_adversary(rules, flight, layer_of(flight, number), now)


def accept_adversary(rules: Rules, flight: FlightMemory, layer: int, now: float) -> None:
    """Store the adversary's state unless it is older than a fresh one."""
    target, sent = flight.target, flight.sent[layer, rules.swarm.agents + 1]
    target[ADV_X], target[ADV_Y], target[ADV_SEQ], target[ADV_RECEIVED_AT] = sighted(
        adversary_known(flight), sent[X], sent[Y], sent[SEQ], now, rules.swarm.target_timeout
    )


def adversary_known(flight: FlightMemory) -> Sighting:
    """Return what the target knows of the adversary."""
    target = flight.target
    return Sighting(target[ADV_X], target[ADV_Y], target[ADV_SEQ], target[ADV_RECEIVED_AT])


def omega_ref(rules: Rules, flight: FlightMemory, now: float) -> float:
    """Return the desired rotation of the ring [rad/s]."""
    if not rules.target.spin:
        return rules.target.omega_ref
    count, body = flight.counters[TARGET_KEEPS], flight.bodies[rules.swarm.agents]
    xs, ys = flight.scratch.a[:count], flight.scratch.b[:count]
    for p in range(count):
        kept = flight.target_keeps.rows[flight.target_keeps.order[p]]
        xs[p], ys[p] = kept[KEPT_X] - body[X], kept[KEPT_Y] - body[Y]
    err, known = spin_view(
        xs, ys, body[X], body[Y], adversary_known(flight), now, rules.swarm.target_timeout,
        rules.target.spin_gains.rho_min,
    )  # fmt: skip
    rules.target.spin_step(flight.spin, now, err, known, rules.target.spin_gains)
    return flight.spin[flight.spin.shape[0] - 1]


def weigh(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Pass the token on and record the weight of every arc."""
    target, keeps = flight.target, flight.target_keeps
    count = flight.counters[TARGET_KEEPS]
    ids = keeps.order[:count]
    token = Token(int(target[HOLDER]), target[SWITCHED], target[WEIGHT])
    protection, scratch = rules.target.protection_deg, flight.scratch
    if 360.0 - protection > NO_ARC:
        note_bearings(rules, flight, count)
    token = passed_token(
        token,
        now,
        protection,
        rules.target.always_fresh,
        ids,
        scratch.a[:count],
        scratch.order[:count],
    )
    target[HOLDER], target[SWITCHED], target[WEIGHT] = token
    flight.new_weights[:] = math.nan
    for p in range(count):
        flight.new_weights[ids[p]] = arc_weight(token, ids[p])


def note_bearings(rules: Rules, flight: FlightMemory, count: int) -> None:
    """Record the bearings of the agents from the target [rad], and their order."""
    body, keeps, scratch = flight.bodies[rules.swarm.agents], flight.target_keeps, flight.scratch
    for p in range(count):
        kept = keeps.rows[keeps.order[p]]
        scratch.a[p] = bearing(kept[KEPT_X] - body[X], kept[KEPT_Y] - body[Y])
        scratch.order[p] = p
    sort_by(scratch.a, scratch.order, scratch.spare, count)


def choose_motion(rules: Rules, flight: FlightMemory, stream: np.random.Generator) -> None:
    """Choose the target's velocity."""
    body = flight.bodies[rules.swarm.agents]
    velocity = next_velocity(rules.target.motion, body[X], body[Y], stream)
    command(flight, rules.swarm.agents, velocity)
