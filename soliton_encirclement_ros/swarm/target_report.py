"""An agent's state of the target where it is not the target's own broadcast.

Agents pass on reports of a target that broadcasts (``core.states.received_states``), and
estimate one that does not, from their cameras and the messages of others. With shared reception
no report is relayed: all agents that are up receive the target itself.
"""

import math
from collections.abc import Callable
from typing import Any

from soliton_encirclement_ros.core.estimation.estimator import (
    AGE, AT_START, ESTIMATE_SIZE, FIELDS, Estimate, EstimatorProgress, EstimatorView,
    TargetMeasurement, is_message_sound, is_newer, is_usable, write_estimate, write_nothing
)
from soliton_encirclement_ros.core.estimation.information import Symmetric
from soliton_encirclement_ros.core.flight_statistics.agent_statistics import ERROR_COLUMNS
from soliton_encirclement_ros.core.laws.law import U
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.states.received_states import (
    FIRST_RELAYED_SEQ, NO_REPORT, accepts_report, age_at, forwards_target, is_unread, relayed_age
)
from soliton_encirclement_ros.swarm.memory import (
    FINE, POSE, POSE_AGE, RELAYED_NUMBER, VX, VY, VZ, EstimatorArrays, FlightMemory, Floats, X, Y,
    Z, layer_of
)
from soliton_encirclement_ros.swarm.memory_rows import RelayedReport, TargetReport
from soliton_encirclement_ros.swarm.reception import keep_weights, report_age
from soliton_encirclement_ros.swarm.rules import EstimatorRules, Rules

STEPPED, MEASURED, COUNT = range(3)
"""Columns of ``EstimatorArrays.progress``: those of ``EstimatorProgress``."""

OUT_AGE, OUT_COLUMNS = 6, 13
"""Columns of an estimate as a step leaves it: position and velocity, age, covariance."""


def write_target_report(
    rules: Rules, flight: FlightMemory, i: int, message: RelayedReport, now: float
) -> None:
    """Write the report that an agent passes on into its message."""
    report = flight.reports[i]
    age = report_age(report, now)
    if not forwards_target(age, rules.law.target_hold):
        message.age = NO_REPORT
        return
    message.x, message.y, message.z = report.x, report.y, report.z
    message.vx, message.vy, message.vz = report.vx, report.vy, report.vz
    message.omega_ref, message.age = report.omega_ref, age
    message.ahead = flight.bodies[i][POSE_AGE]


def accept_relayed_report(rules: Rules, flight: FlightMemory, i: int, now: float) -> None:
    """Store the youngest relayed report, if the agent has none as young."""
    report = flight.reports[i]
    since, report.relayed_until = report.relayed_until, now
    if flight.status.shared or is_youngest(rules, report, now):
        return
    own_age, hold, period = report_age(report, now), rules.law.target_hold, rules.swarm.period
    j, age = youngest_sender(rules, flight, i, since, now)
    if j == NOBODY or not accepts_report(age, own_age, hold, period):
        return
    hold_weights(flight, i, own_age > hold)
    relayed = flight.relay.gossip[layer_of(flight, flight.links.rows[i][j].number)][j]
    report.x, report.y, report.z = relayed.x, relayed.y, relayed.z
    report.vx, report.vy, report.vz = relayed.vx, relayed.vy, relayed.vz
    report.omega_ref, report.received_at, report.received_age = relayed.omega_ref, now, age
    report.seq = FIRST_RELAYED_SEQ - report.relayed
    report.relayed += 1


def is_youngest(rules: Rules, report: TargetReport, now: float) -> bool:
    """Return whether no report can be younger than that of an agent.

    That is so when the target's broadcast has just come: where all messages are equally long on
    the way, a relayed one is older. Clocks do not change that: what they take off the age on one
    part of the way they add on the other.
    """
    return report.heard_at == now and rules.radio.jitter <= 0.0


def youngest_sender(
    rules: Rules, flight: FlightMemory, i: int, since: float, now: float
) -> tuple[int, float]:
    """Return the sender of the youngest report relayed since a time [s], and its age [s].

    Of equally young ones it is that of the lowest number.
    """
    timeout, best, youngest = rules.swarm.agent_timeout, NOBODY, math.inf
    for j in range(rules.swarm.agents):
        link = flight.links.rows[i][j]
        if j == i or not is_unread(link.received, since, now, timeout):
            continue
        relayed = flight.relay.gossip[layer_of(flight, link.number)][j]
        if relayed.age < 0.0:
            continue
        age = relayed_age(age_at(now, link.received, link.age), relayed.ahead, relayed.age)
        if age < youngest:
            best, youngest = j, age
    return best, youngest


def hold_weights(flight: FlightMemory, i: int, is_lost: bool) -> None:
    """Keep the weights of the arcs that an agent heard last, if the target was not lost since.

    A report may be passed on for longer than the target's own messages are kept.
    """
    report, weights = flight.reports[i], flight.relay.weights[i]
    if is_lost:
        for k in range(len(weights)):
            weights[k] = math.nan
    elif report.number != RELAYED_NUMBER:
        keep_weights(flight, i, report.number)
    report.number = RELAYED_NUMBER


def estimate_target(
    rules: Rules, flight: FlightMemory, i: int, now: float, measurement: TargetMeasurement
) -> int:
    """Advance the estimator of an agent; store a new estimate like a received state.

    Args:
        rules: The flight's constants.
        flight: The flight.
        i: Index of the agent.
        now: Time [s].
        measurement: Measurement of its camera at this tick.

    Returns:
        The fault: FINE, RAISED or NO_NUMBER.
    """
    estimator, arrays = rules.estimator, flight.estimator
    view = make_estimator_view(rules, flight, i, now, measurement)
    message, sends = arrays.message, flight.messages[i]
    outcome = estimator.step(estimator.gains, arrays.memories[i], message, arrays.out, view)
    if outcome != FINE:
        return outcome
    for k in range(len(message)):
        sends[estimator.first + 1 + k] = message[k]
    arrays.progress[i][STEPPED] = now
    if not is_message_sound(message):
        forget_target(rules, flight, i)
        return FINE
    estimate = estimate_of(arrays.out)
    if not is_usable(estimate):
        write_nothing(arrays.estimates[i])
        return FINE
    write_estimate(arrays.estimates[i], estimate)
    sends[estimator.first] = flight.bodies[i][POSE_AGE]
    if is_newer(progress_of(arrays.progress[i]), estimate, now, rules.swarm.target_timeout):
        store_estimate(rules, flight, i, estimate, now)
    return FINE


def estimate_of(out: Floats) -> Estimate:
    """Return the estimate in a row; without a known covariance that is NaN."""
    return Estimate(
        (out[0], out[1], out[2]), (out[3], out[4], out[5]), out[OUT_AGE],
        Symmetric(out[7], out[8], out[9], out[10], out[11], out[12]),
    )  # fmt: skip


def progress_of(row: Floats) -> EstimatorProgress:
    """Return which estimates of an agent have been stored."""
    return EstimatorProgress(row[STEPPED], row[MEASURED], int(row[COUNT]))


def store_estimate(
    rules: Rules, flight: FlightMemory, i: int, estimate: Estimate, now: float
) -> None:
    """Store an estimate as a state of the target that was received now [s]."""
    report, progress = flight.reports[i], flight.estimator.progress[i]
    progress[MEASURED] = now - estimate.age
    progress[COUNT] += 1.0
    report.x, report.y, report.z = estimate.position
    report.vx, report.vy, report.vz = estimate.velocity
    report.seq, report.number, report.received_age = int(progress[COUNT]), 0, 0.0
    report.omega_ref, report.received_at = rules.estimator.omega_ref, now


def forget_target(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Reset the estimator of an agent, as after a failure."""
    estimator, memory, message = rules.estimator, flight.estimator.memories[i], flight.messages[i]
    for k in range(len(estimator.rest)):
        memory[k] = estimator.rest[k]
    for k in range(len(estimator.no_message)):
        message[estimator.first + 1 + k] = estimator.no_message[k]
    write_nothing(flight.estimator.estimates[i])


def new_estimators(
    rules: EstimatorRules, count: int, others: int, floats: Callable[..., Any]
) -> EstimatorArrays:
    """Return the arrays of estimators before the first measurement.

    Args:
        rules: Their cameras and estimator.
        count: Number of the agents.
        others: Most messages that one of them can have received.
        floats: ``(*shape)``: makes rows of floats, all 0.
    """
    estimators = EstimatorArrays(
        floats(count, len(rules.rest)),
        floats(count, len(AT_START)),
        floats(count, ESTIMATE_SIZE),
        floats(count, ERROR_COLUMNS),
        floats(others, FIELDS + len(rules.no_message)),
        floats(OUT_COLUMNS),
        floats(len(rules.no_message)),
    )
    for i in range(count):
        for k in range(len(rules.rest)):
            estimators.memories[i][k] = rules.rest[k]
        for k in range(len(AT_START)):
            estimators.progress[i][k] = AT_START[k]
        write_nothing(estimators.estimates[i])
    return estimators


def make_estimator_view(
    rules: Rules, flight: FlightMemory, i: int, now: float, measurement: TargetMeasurement
) -> EstimatorView:
    """Return the inputs of an agent's estimator."""
    body = flight.bodies[i]
    return EstimatorView(
        now,
        rules.swarm.period,
        flight.agents[i].number,
        (body[X], body[Y], body[Z]),
        (body[VX], body[VY], body[VZ]),
        measurement,
        gather_messages(rules, flight, i, now),
        flight.estimator.others,
    )


def gather_messages(rules: Rules, flight: FlightMemory, i: int, now: float) -> int:
    """Write the messages that have come since an agent's last step; return how many."""
    others, count, timeout = flight.estimator.others, 0, rules.swarm.agent_timeout
    first, since = U + rules.estimator.first, flight.estimator.progress[i][STEPPED]
    for j in range(rules.swarm.agents):
        link = flight.links.rows[i][j]
        if j == i or not is_unread(link.received, since, now, timeout):
            continue
        sent, row = flight.sent[layer_of(flight, link.number)][j], others[count]
        for k in range(POSE):
            row[k] = sent[k]
        row[AGE] = age_at(now, link.received, link.age) - sent[first]
        for k in range(FIELDS, len(row)):
            row[k] = sent[first + 1 + k - FIELDS]
        count += 1
    return count
