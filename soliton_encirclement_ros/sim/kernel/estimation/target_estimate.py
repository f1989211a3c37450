"""What agents estimate of the target: the numbers of ``actors.TargetEstimator``."""

from soliton_encirclement_ros.core.estimation.estimate_rules import (
    Progress,
    is_message_sound,
    is_newer,
    is_usable,
    write_estimate,
    write_nothing,
)
from soliton_encirclement_ros.core.estimation.estimator import (
    AGE,
    FIELDS,
    Estimate,
    EstimatorView,
)
from soliton_encirclement_ros.core.estimation.symmetric import Symmetric
from soliton_encirclement_ros.core.laws.ring_messages import U
from soliton_encirclement_ros.core.states.message_acceptance import age_at, is_unread
from soliton_encirclement_ros.sim.kernel.columns import (
    NUMBER,
    OMEGA_REF,
    POSE_AGE,
    RECEIVED_AGE,
    RECEIVED_AT,
    SEQ,
    VX,
    VY,
    VZ,
    X,
    Y,
    Z,
)
from soliton_encirclement_ros.sim.kernel.constants import Rules
from soliton_encirclement_ros.sim.kernel.estimation.cameras import sight_at
from soliton_encirclement_ros.sim.kernel.flags import FINE
from soliton_encirclement_ros.sim.kernel.flight_memory import FlightMemory, Floats
from soliton_encirclement_ros.sim.kernel.link_state import layer_of

STEPPED, MEASURED, COUNT = range(3)
"""Columns of ``SightArrays.progress``: those of ``Progress``."""

POSE = 6

OUT_AGE, OUT_COLUMNS = 6, 13
"""Columns of an estimate as a step leaves it: position and velocity, age, covariance."""


def estimate_target(rules: Rules, flight: FlightMemory, i: int, now: float) -> int:
    """Advance the estimator of an agent; put what is new in the place of a received state.

    Returns:
        What went wrong, see ``flags``.
    """
    sight, arrays = rules.sight, flight.sight
    view = sight_view(rules, flight, i, now)
    message = flight.messages[i][sight.first + 1 :]
    what = sight.step(sight.gains, arrays.memories[i], message, arrays.out, view)
    if what != FINE:
        return what
    arrays.progress[i, STEPPED] = now
    if not is_message_sound(message):
        forget_target(rules, flight, i)
        return FINE
    found = estimate_of(arrays.out)
    if not is_usable(found):
        write_nothing(arrays.estimates[i])
        return FINE
    write_estimate(arrays.estimates[i], found)
    flight.messages[i, sight.first] = flight.bodies[i, POSE_AGE]
    if is_newer(progress_of(arrays.progress[i]), found, now, rules.swarm.target_timeout):
        believe(rules, flight, i, found, now)
    return FINE


def estimate_of(out: Floats) -> Estimate:
    """Return the estimate that a step has left; one without a known covariance has NaN."""
    return Estimate(
        (out[0], out[1], out[2]), (out[3], out[4], out[5]), out[OUT_AGE],
        Symmetric(out[7], out[8], out[9], out[10], out[11], out[12]),
    )  # fmt: skip


def progress_of(row: Floats) -> Progress:
    """Return what an agent has taken from its estimator."""
    return Progress(row[STEPPED], row[MEASURED], int(row[COUNT]))


def believe(rules: Rules, flight: FlightMemory, i: int, found: Estimate, now: float) -> None:
    """Store an estimate as a state of the target that was received now [s]."""
    known, progress = flight.target_messages[i], flight.sight.progress[i]
    progress[MEASURED] = now - found.age
    progress[COUNT] += 1.0
    known[X], known[Y], known[Z] = found.position
    known[VX], known[VY], known[VZ] = found.velocity
    known[SEQ], known[NUMBER], known[RECEIVED_AGE] = progress[COUNT], 0.0, 0.0
    known[OMEGA_REF], known[RECEIVED_AT] = rules.sight.omega_ref, now


def forget_target(rules: Rules, flight: FlightMemory, i: int) -> None:
    """Reset the estimator of an agent, as after a failure."""
    sight = rules.sight
    for k in range(sight.rest.shape[0]):
        flight.sight.memories[i, k] = sight.rest[k]
    for k in range(sight.no_message.shape[0]):
        flight.messages[i, sight.first + 1 + k] = sight.no_message[k]
    write_nothing(flight.sight.estimates[i])


def sight_view(rules: Rules, flight: FlightMemory, i: int, now: float) -> EstimatorView:
    """Return the inputs of an agent's estimator."""
    body = flight.bodies[i]
    return EstimatorView(
        now,
        rules.swarm.period,
        i + 1,
        (body[X], body[Y], body[Z]),
        (body[VX], body[VY], body[VZ]),
        sight_at(rules, flight, i),
        gather_messages(rules, flight, i, now),
        flight.sight.others,
    )


def gather_messages(rules: Rules, flight: FlightMemory, i: int, now: float) -> int:
    """Write the messages that have come since an agent's last step; return how many."""
    links, others, count = flight.links, flight.sight.others, 0
    timeout = rules.swarm.agent_timeout
    first, since = U + rules.sight.first, flight.sight.progress[i, STEPPED]
    for j in range(rules.swarm.agents):
        if j == i or not is_unread(links.received[i, j], since, now, timeout):
            continue
        number, received = links.numbers[i, j], links.received[i, j]
        sent, row = flight.sent[layer_of(flight, number), j], others[count]
        for k in range(POSE):
            row[k] = sent[k]
        row[AGE] = age_at(now, received, links.ages[i, j]) - sent[first]
        for k in range(FIELDS, row.shape[0]):
            row[k] = sent[first + 1 + k - FIELDS]
        count += 1
    return count
