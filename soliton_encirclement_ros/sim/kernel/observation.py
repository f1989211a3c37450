"""Data recorded at a tick: the figures of an observer, and the telemetry."""

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import (
    is_broken, is_outside, is_unlimited, note_closest, note_effort, note_error, note_health
)
from soliton_encirclement_ros.core.flight_statistics.filter_tally import count_command
from soliton_encirclement_ros.core.flight_statistics.near_misses import closest_pair
from soliton_encirclement_ros.core.ring.metrics import (
    METRIC_NAMES, THETA, gather_figures, ring_metrics, sort_arcs
)
from soliton_encirclement_ros.core.states.received_states import MAX_GOSSIP, accept_state, drop_old
from soliton_encirclement_ros.swarm.failures import is_failed
from soliton_encirclement_ros.swarm.memory import (
    ATTITUDE, ATTITUDE_COLUMNS, CX, CY, CZ, POSE, POSE_AGE, VX, VY, VZ, FlightMemory, Floats, X, Y,
    Z, layer_of
)
from soliton_encirclement_ros.swarm.memory_rows import GossipBody
from soliton_encirclement_ros.swarm.neighbour_checks import record_names
from soliton_encirclement_ros.swarm.ring import sort_by
from soliton_encirclement_ros.swarm.rules import Rules, time_at
from soliton_encirclement_ros.swarm.separation import NOBODY

METRICS = len(METRIC_NAMES)

FILTER_COLUMNS = 3
"""What the filter did to a command: code of the reason, who caused it, size of the change."""

TRUE_ATTITUDE, MEASURED_AGE = POSE, POSE + ATTITUDE_COLUMNS
TRUTH_COLUMNS = MEASURED_AGE + 1
"""The record of the truth: position and velocity, attitude, age [s] of what is measured."""

GOSSIP_ID, GOSSIP_AGE = POSE, POSE + 1
GOSSIP_COLUMNS = GOSSIP_AGE + 1
"""The record of what a message tells of a silent agent: its state, index and age [s]."""


def flag(yes: bool) -> float:
    """Return 1 for true and 0 for false."""
    return 1.0 if yes else 0.0


def record(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Record events and receptions; at the ticks that are kept also everything else."""
    for i in range(rules.swarm.agents):
        note_agent(flight, i, now)
        if flight.agents[i].doubts > 0:
            record_names(flight, i, now)
        note_bounds(rules, flight, i)
        if rules.estimator.on and not is_failed(flight.health[i]):
            note_estimate_error(rules, flight, i, now)
        if rules.safety.on and not is_failed(flight.health[i]):
            done = flight.guard.done[i]
            count_command(flight.guard.tally, i, done.reason, done.pusher)
    note_states(rules, flight, now)
    if rules.record.study:
        note_study(rules, flight)
    if flight.status.tick % rules.record.every == 0:
        note_sample(rules, flight, now)


def note_states(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Receive the states that agents send; drop those not received within the timeout."""
    cache, timeout = flight.observer_cache, rules.swarm.agent_timeout
    for i in range(rules.swarm.agents):
        agent, body = flight.agents[i], flight.truth[i]
        if agent.sends:
            x, y, vx, vy = body[X], body[Y], body[VX], body[VY]
            accept_state(cache, i, x, y, vx, vy, agent.next_seq, now, timeout)
    drop_old(cache, timeout, now)


def note_agent(flight: FlightMemory, i: int, now: float) -> None:
    """Note failures, recoveries, switches of neighbours and the time an agent is up [s]."""
    agent, down = flight.agents[i], is_failed(flight.health[i])
    row = flight.record.before[i]
    if note_health(row, flight.figures, down, agent.pred, agent.succ, now):
        event = flight.record.events[flight.status.events]
        event[0], event[1], event[2] = now, i, flag(down)
        flight.status.events += 1


def note_command(flight: FlightMemory, i: int) -> None:
    """Count the command that an agent has just given to its body."""
    body = flight.bodies[i]
    note_effort(flight.efforts[i], body[CX], body[CY], body[CZ])


def note_bounds(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Count a position outside the fence or the heights, and a command beyond its limits."""
    body, status, safety = flight.bodies[i], flight.status, rules.safety
    limits, there = rules.law.limits[rules.law.kind[i]], flight.truth[i]
    if safety.on and is_outside(
        there[X], there[Y], there[Z], safety.fence, safety.lowest, safety.highest
    ):
        status.outside += 1
    if is_unlimited(body[CX : CZ + 1], limits[0], limits[1]):
        status.beyond_limits += 1
    if is_broken(body[CX : CZ + 1]):
        status.not_finite += 1


def note_estimate_error(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Record the error of an agent's estimate of the target, after the transient."""
    if now - time_at(rules, 1) >= rules.estimator.settled:
        truth = flight.truth[rules.swarm.agents]
        note_error(flight.estimator.errors[i], flight.estimator.estimates[i], truth)


def note_study(rules: Rules, flight: FlightMemory) -> None:
    """Record the spacing error that every agent computed, and the agents that are down."""
    tick = flight.status.tick
    for i in range(rules.swarm.agents):
        flight.record.errors[tick - 1, i] = flight.agents[i].e_tau
        flight.record.failed[tick - 1, i] = flag(is_failed(flight.health[i]))


def note_sample(rules: Rules, flight: FlightMemory, now: float) -> None:
    """Record the whole swarm."""
    record, s = flight.record, flight.status.samples
    record.times[s] = now
    if record.agents.shape[0] > 0:
        for i in range(rules.swarm.agents):
            note_row(rules, flight, record.agents[s, i], i)
    if record.attitudes.shape[0] > 0:
        note_attitudes(flight, record.attitudes[s])
    if record.gossip.shape[0] > 0:
        note_gossip(rules, flight, record.gossip[s])
    if record.truth.shape[0] > 0:
        note_truth(flight, record.truth[s])
    note_others(rules, flight, s)
    note_metrics(rules, flight, s)
    note_separation(flight, rules.swarm.agents, s, now)
    flight.status.samples = s + 1


def note_row(rules: Rules, flight: FlightMemory, row: Floats, i: int) -> None:
    """Record one agent: pose, health, neighbours, state, and the telemetry of its law."""
    agent, message = flight.agents[i], flight.messages[i]
    for k in range(POSE):
        row[k] = flight.bodies[i, k]
    row[6] = flag(is_failed(flight.health[i]))
    row[7], row[8] = agent.pred, agent.succ
    row[9], row[10], row[11] = agent.next_seq - 1, message[0], message[1]
    row[12], row[13], row[14] = flight.bodies[i, CX], flight.bodies[i, CY], flight.bodies[i, CZ]
    row[15] = flight.new_weights[i]
    rules.law.functions.record(flight.laws[i], row[16:])
    if rules.estimator.on:
        note_estimate(rules, flight, row, i)
    if rules.safety.on:
        first, done = row.shape[0] - FILTER_COLUMNS, flight.guard.done[i]
        row[first], row[first + 1], row[first + 2] = done.reason, done.pusher, done.change


def note_estimate(rules: Rules, flight: FlightMemory, row: Floats, i: int) -> None:
    """Record an agent's estimate of the target, before what the filter did."""
    estimate = flight.estimator.estimates[i]
    count = estimate.shape[0]
    first = row.shape[0] - count - (FILTER_COLUMNS if rules.safety.on else 0)
    for k in range(count):
        row[first + k] = estimate[k]


def note_gossip(rules: Rules, flight: FlightMemory, gossip: Floats) -> None:
    """Record what the states of this tick tell of silent agents."""
    layer = layer_of(flight, flight.status.tick)
    for i in range(rules.swarm.agents):
        p = 0
        if flight.agents[i].sends:
            while p < MAX_GOSSIP and flight.gossip[layer][i][p].who != NOBODY:
                write_gossip_row(gossip[i, p], flight.gossip[layer][i][p])
                p += 1
        while p < MAX_GOSSIP:
            for k in range(GOSSIP_COLUMNS):
                gossip[i, p, k] = 0.0
            gossip[i, p, GOSSIP_ID] = NOBODY
            p += 1


def write_gossip_row(row: Floats, gossip: GossipBody) -> None:
    """Record what a message tells of a silent agent."""
    row[X], row[Y], row[Z] = gossip.x, gossip.y, gossip.z
    row[VX], row[VY], row[VZ] = gossip.vx, gossip.vy, gossip.vz
    row[GOSSIP_ID], row[GOSSIP_AGE] = gossip.who, gossip.age


def note_attitudes(flight: FlightMemory, rows: Floats) -> None:
    """Record attitude and twist of all bodies."""
    for member in range(rows.shape[0]):
        for k in range(ATTITUDE_COLUMNS):
            rows[member, k] = flight.bodies[member, ATTITUDE + k]


def note_truth(flight: FlightMemory, rows: Floats) -> None:
    """Record true motion and attitude of all members, and how old their measurements are."""
    for member in range(rows.shape[0]):
        for k in range(POSE):
            rows[member, k] = flight.truth[member, k]
        for k in range(ATTITUDE_COLUMNS):
            rows[member, TRUE_ATTITUDE + k] = flight.truth[member, ATTITUDE + k]
        rows[member, MEASURED_AGE] = flight.bodies[member, POSE_AGE]


def note_others(rules: Rules, flight: FlightMemory, s: int) -> None:
    """Record target and adversary."""
    record, agents = flight.record, rules.swarm.agents
    for k in range(POSE):
        record.target[s, k] = flight.bodies[agents, k]
    record.target[s, POSE] = flight.target.next_seq - 1
    record.target[s, POSE + 1] = flight.target.omega_ref
    if rules.swarm.adversary:
        for k in range(POSE):
            record.adversary[s, k] = flight.bodies[agents + 1, k]
        record.adversary[s, POSE] = flight.adversary.next_seq - 1


def note_metrics(rules: Rules, flight: FlightMemory, s: int) -> None:
    """Record the metrics of all agents received, in the order of first reception."""
    record, cache, target = flight.record, flight.observer_cache, flight.truth[rules.swarm.agents]
    known = gather_figures(
        cache.rows, cache.order, cache.size.count, target, rules.swarm.radius, flight.new_weights,
        record.ring,
    )  # fmt: skip
    order_by_theta(flight, known)
    sort_arcs(record.ring, record.by_theta, known)
    metrics = ring_metrics(record.ring, known)
    for k in range(METRICS):
        record.metrics[s, k] = metrics[k]
    record.alive[s] = cache.size.count


def order_by_theta(flight: FlightMemory, count: int) -> None:
    """Sort the bearings in ascending order, starting from the order of the last sample."""
    record = flight.record
    if flight.status.on_ring != count:
        flight.status.on_ring = count
        for p in range(count):
            record.by_theta[p] = p
    sort_by(record.ring[THETA], record.by_theta, flight.scratch.spare, count)


def note_separation(flight: FlightMemory, agents: int, s: int, now: float) -> None:
    """Record the smallest distance of two agents and their encounters."""
    by_x = flight.record.by_x
    sort_by(flight.truth[:, X], by_x, flight.scratch.spare, agents)
    closest = closest_pair(flight.truth, by_x, agents, flight.met)
    flight.record.separation[s] = closest.distance
    note_closest(flight.figures, closest, now)
