"""The memory of a swarm: rows of named numbers, and arrays for the records of laws and vehicles.

One memory for all: the engine has a row for every member, the node of an agent one for its own
agent and those of the others as it has heard them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.flight_statistics.agent_statistics import Figures
from soliton_encirclement_ros.core.flight_statistics.filter_tally import FilterTally
from soliton_encirclement_ros.core.flight_statistics.near_misses import Encounters
from soliton_encirclement_ros.core.states.received_states import CachedAgents
from soliton_encirclement_ros.swarm.memory_rows import (
    AdversaryMemory, AgentMemory, Doubt, External, FilterResult, GossipBody, Health, KnownBody,
    Link, MessageCounts, RelayedReport, Status, TargetMemory, TargetReport
)

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Ticks = NDArray[np.int32]
"""For tables of all members by all members."""

X, Y, Z, VX, VY, VZ = range(6)
"""Position [m] and velocity [m/s] in map: of bodies, and of states."""

POSE = 6
"""How many numbers these are."""

# bodies: the command [m/s]; rotation to map (x, y, z, w), velocity [m/s] and angular velocity
# [rad/s] in the body frame; age of the measurement [s]
CX, CY, CZ = 6, 7, 8
ATTITUDE, ROTATION_W, FORWARD, LEFT, UP, ANGULAR = 9, 12, 13, 14, 15, 16
ATTITUDE_COLUMNS = 10
POSE_AGE = ATTITUDE + ATTITUDE_COLUMNS
BODY_COLUMNS = POSE_AGE + 1

# states: sequence number, number in the memory of states (0: none), time of the measurement [ns];
# then the message of the law
SEQ, NUMBER, MADE_NS = 6, 7, 8

RELAYED_NUMBER = -1
"""Number of a report of the target that another agent has relayed."""

FINE, RAISED, NO_NUMBER = range(3)
"""Statuses of a law's step."""


def cyclic_size(least: int) -> int:
    """Return the size of a cyclic buffer that holds at least so many entries."""
    return 1 << (least - 1).bit_length()


def slot_of(number: int, size: int) -> int:
    """Return the index of an entry in a cyclic buffer of a ``cyclic_size``.

    It is the remainder. A division takes as long as all else that is done with a message.
    """
    return number & (size - 1)


class RingArrays(NamedTuple):
    """The agents on the ring, equal for all members that received the same messages.

    By agent: ``theta``, ``rate``, ``place`` in the order (-1: absent). In order: ``order``,
    ``ids`` (numbers of ``uav_k``), ``thetas``, ``rates``, ``weights``. The others are space for an
    agent's own ring.
    """

    theta: Floats
    rate: Floats
    place: Counts
    order: Counts
    ids: Counts
    thetas: Floats
    rates: Floats
    weights: Floats
    own_rows: Counts
    own_ids: Counts
    own_thetas: Floats
    own_rates: Floats
    own_weights: Floats


class Links(NamedTuple):
    """Messages received by every member, if reception differs; 1 x 1 if it does not.

    ``rows`` are those of every receiver, by sender; ``order`` and ``sizes`` an agent's ring of the
    last tick. ``arriving`` are the numbers of the states that reach one agent at a tick, or all.
    ``places`` are the positions of all members, ``within`` is whether agents and target are surely
    in reach of each other there, ``loss`` and ``jitter`` are keys of messages; both
    with the states of the last ticks.
    """

    rows: list[list[Link]]
    order: Ticks
    sizes: Counts
    arriving: Counts
    places: Floats
    within: NDArray[np.bool_]
    loss: NDArray[np.uint64]
    jitter: NDArray[np.uint64]


class Schedule(NamedTuple):
    """Schedules: failing draws and outages by agent, partitions, byzantine agents.

    ``fails[fail_from[i] : fail_from[i + 1]]`` are the positions in the stream of agent i whose
    draw is a failure; ``outages`` are [begin, end) [s], alike. ``splits`` are windows with the
    group of every member in ``groups``. ``byzantine``: begin, end, member, kind, two numbers (or
    another member), ``frozen`` the state that a frozen agent or one that repeats another sends
    (its last column: whether there is one).
    """

    fails: Counts
    fail_from: Counts
    outages: Floats
    outage_from: Counts
    splits: Floats
    groups: Counts
    byzantine: Floats
    frozen: Floats


class ScratchSpace(NamedTuple):
    """Scratch space, free again when the function that uses it returns."""

    a: Floats
    b: Floats
    c: Floats
    d: Floats
    e: Floats
    order: Counts
    spare: Counts


class ObservedRows(NamedTuple):
    """Space for the recorded data until the flight returns.

    ``attitudes`` are of all members, none if all are level; ``gossip`` are the silent agents in
    states, none if they are not recorded; ``truth`` is the true motion of all members and the age
    of their measurements, none if they measure exactly. ``before`` is every agent's row of
    ``note_health``, ``ring`` space for the metrics. The study arrays have a row per tick, or none.
    ``events`` are time, agent index, failed. ``named`` are the agents that others named: first
    time, by which agent, how often, last time [s], why.
    """

    times: Floats
    agents: Floats
    target: Floats
    adversary: Floats
    metrics: Floats
    alive: Floats
    separation: Floats
    attitudes: Floats
    gossip: Floats
    truth: Floats
    events: Floats
    named: Floats
    before: Floats
    ring: Floats
    by_x: Counts
    by_theta: Counts
    errors: Floats
    failed: Floats
    speeds: Floats


class GuardArrays(NamedTuple):
    """The separation filter: space for one call, and results by agent.

    A result is command, pusher and turn; the turn is the memory for the next call. ``adversary``
    is the adversary's last state by agent; ``done`` is the filter's change of the last command,
    ``tally`` the counts of all commands, ``settings`` space for the numbers of an agent whose pose
    is old.
    """

    others: Floats
    scratch: Floats
    wanted: Floats
    in_effect: Floats
    results: Floats
    adversary: list[TargetReport]
    done: list[FilterResult]
    tally: FilterTally
    settings: Floats


class CommonBodies(NamedTuple):
    """States that are the same for all agents that were up at reception, with shared reception.

    ``came`` are the ticks at which the ``states`` were received (NOBODY_YET: nothing was sent,
    NOT_COMMON: agents know different states). ``rows`` are the filter's inputs for the time of the
    first agent's pose, with two more for target and adversary.
    """

    states: list[KnownBody]
    came: Counts
    rows: Floats


class SensingArrays(NamedTuple):
    """Commands and measurements on their way, by member; empty where everything is perfect.

    ``orders`` are the commands [m/s] of the last ticks, ``readings`` the last measurements,
    ``states`` those of the sensors.
    """

    orders: Floats
    readings: Floats
    states: Floats


class EstimatorArrays(NamedTuple):
    """Estimators of the target, by agent; empty where the target broadcasts its state.

    ``memories`` are those of the estimator, ``progress`` the numbers of ``EstimatorProgress``,
    ``estimates`` the values of ``telemetry.ESTIMATE_NAMES``, ``errors`` the rows of
    ``estimate_error``. ``others`` is space for the messages that an agent has received, ``out``
    for one estimate, ``message`` for the message of one.
    """

    memories: Floats
    progress: Floats
    estimates: Floats
    errors: Floats
    others: Floats
    out: Floats
    message: Floats


class Doubts(NamedTuple):
    """Senders that agents doubt, by receiver, the first ``AgentMemory.doubts`` of MAX_DOUBTS.

    ``believed`` are position and velocity of the state that the receiver believed last, ``heard``
    those of the last one that came.
    """

    rows: list[list[Doubt]]
    believed: Floats
    heard: Floats


class RelayArrays(NamedTuple):
    """Reports of the target that agents pass on; empty where none do or reception is shared.

    ``gossip`` are the reports in the messages in ``sent``; ``weights`` those of the arcs that an
    agent last received, where its report was relayed.
    """

    gossip: list[list[RelayedReport]]
    weights: Floats


class FlightMemory(NamedTuple):
    """All memory of a flight. Members in order: agents, target, adversary.

    ``bodies`` are what odometry reports of the vehicles and their commands, ``truth`` how they
    move and the commands in effect: the same array where everything is perfect. ``vehicles`` are
    their whole states; ``speeds`` is space for those of the agents [m/s], update by update.

    ``external`` are the last states of members that are flown elsewhere, by member.

    ``spin`` is the memory of the spin law, and at its end the rate that it asks for.

    ``path_rows`` are the rows of the leaders of members on paths.

    ``known`` are the last states of all others by agent, which never expire, where ``common`` does
    not hold; ``gossip`` the silent agents in the messages in ``sent``; they are empty without the
    separation filter.

    ``sent`` are the states sent, with a layer per tick that is still needed (one with shared
    reception); so have ``weights`` (of arcs, by agent; NaN: not sent) and ``omega`` (the
    target's omega_ref). ``reports`` are the agents' data of the target, ``laws`` the memories of
    the law and ``messages`` the messages to send; ``decision`` is space for the decision of one
    agent, ``outgoing`` for a state being built; ``rows`` are the states of all layers, one agent
    per row, and the same memory as ``sent``.

    ``met`` are the encounters of agents, ``efforts`` the rows of ``command_effort``.
    """

    status: Status
    figures: Figures
    bodies: Floats
    truth: Floats
    sensing: SensingArrays
    estimator: EstimatorArrays
    relay: RelayArrays
    vehicles: Floats
    speeds: Floats
    sent: Floats
    rows: Floats
    weights: Floats
    omega: Floats
    reports: list[TargetReport]
    agents: list[AgentMemory]
    laws: Floats
    messages: Floats
    decision: Floats
    outgoing: Floats
    counted: MessageCounts
    health: list[Health]
    target: TargetMemory
    spin: Floats
    new_weights: Floats
    adversary: AdversaryMemory
    path_rows: Counts
    external: list[External]
    known: list[list[KnownBody]]
    common: CommonBodies
    gossip: list[list[list[GossipBody]]]
    doubts: Doubts
    guard: GuardArrays
    ring: RingArrays
    links: Links
    schedule: Schedule
    target_cache: CachedAgents
    observer_cache: CachedAgents
    record: ObservedRows
    met: Encounters
    efforts: Floats
    scratch: ScratchSpace


def layer_of(flight: FlightMemory, number: int) -> int:
    """Return the layer of the states that were sent under a number."""
    return number & (len(flight.sent) - 1)  # as ``slot_of``, which takes as long again to call
