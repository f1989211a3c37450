"""The memory of a swarm: rows of named numbers, and arrays of what laws and vehicles define.

One memory for all: the engine has a row for every member, the node of an agent one for its own
agent and those of the others as it has heard them.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.ring.edge_weights import NO_TOKEN
from soliton_encirclement_ros.core.ring.ring_neighbours import NOBODY
from soliton_encirclement_ros.core.run.separation.filter_tally import FilterTally
from soliton_encirclement_ros.core.run.separation.near_misses import Encounters
from soliton_encirclement_ros.core.states.message_acceptance import NEVER
from soliton_encirclement_ros.core.states.target_relay import NOTHING_TOLD
from soliton_encirclement_ros.swarm.rows import row

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
"""Number of a report of the target that another agent has told."""

FINE, RAISED, NO_NUMBER = range(3)
"""Statuses of a law's step."""


@row
class Status:
    """Where a flight is.

    Attributes:
        tick: The present tick; ``updates`` those of the bodies.
        broadcast_due: Whether the states of this tick have to be sent yet.
        shared: Whether all members receive the same messages.
        links_due: Whether the links have to be filled yet with what was received until now.
        ring_size: Agents on the shared ring, ``oldest`` the tick of the oldest state on it.
        senders: Agents that sent at this tick.
        samples: Recorded so far, as ``events``.
        on_ring: Agents in the order of the last sample.
        uniform_for: Ticks for which reception has been uniform.
        faulty: Number of the first agent whose law failed, negative if its estimator did, 0: none.
        outside: Positions outside the fence or the heights.
        beyond_limits: Commands beyond their limits.
        not_finite: Commands that are not finite.
        common_since: The earliest of ``CommonBodies.came``.
        silent: How many agents are silent to all that were up when they last sent.
        due: When the states were sent that arrive now, of links without jitter; 0: none do.
        alike: Whether every agent receives the same states at this tick, its own aside.
    """

    tick: int = 0
    updates: int = 0
    broadcast_due: bool = False
    shared: bool = True
    links_due: bool = False
    ring_size: int = 0
    oldest: int = 0
    senders: int = 0
    samples: int = 0
    events: int = 0
    on_ring: int = 0
    uniform_for: int = 0
    faulty: int = 0
    outside: int = 0
    beyond_limits: int = 0
    not_finite: int = 0
    common_since: int = 0
    silent: int = 0
    due: int = 0
    alike: bool = False


@row
class Figures:
    """Running figures: switches of neighbours, time up [s], smallest distance of two agents [m].

    That was at a time [s], of two agents by their indices.
    """

    switches: float = 0.0
    uptime: float = 0.0
    separation: float = math.inf
    nearest_at: float = 0.0
    nearer: int = 0
    further: int = 0


@row
class AgentMemory:
    """What an agent remembers besides its law.

    Attributes:
        number: Number k of ``uav_k``.
        pred: Its neighbours, numbers; ``e_tau`` its spacing error.
        next_seq: Number of its next message; ``sends`` is whether it sends at this tick.
        last_cx: Its last command [m/s].
        receives_since: Tick since which it receives; ``last_received`` the last at which it did.
        was_down: Whether it was down at its last tick.
        lost: Counts of messages that it missed, and of those it got.
        sent_x: Its pose when it last sent [m, m/s], at ``last_sent`` [s], if it ``has_sent``.
        hears_all: Whether it hears all others; ``timeouts`` is how often one came back
            that had been silent for longer than its timeout.
    """

    number: int = 0
    pred: int = NOBODY
    succ: int = NOBODY
    e_tau: float = 0.0
    next_seq: int = 1
    last_cx: float = 0.0
    last_cy: float = 0.0
    last_cz: float = 0.0
    receives_since: int = 0
    last_received: int = 0
    was_down: bool = False
    sends: bool = False
    lost: float = 0.0
    got: float = 0.0
    sent_x: float = 0.0
    sent_y: float = 0.0
    sent_z: float = 0.0
    sent_vx: float = 0.0
    sent_vy: float = 0.0
    sent_vz: float = 0.0
    has_sent: bool = False
    last_sent: float = 0.0
    hears_all: bool = False
    timeouts: int = 0


@row
class TargetReport:
    """An agent's data of the target, or of the adversary.

    Attributes:
        x: Position [m] and velocity [m/s] in map.
        number: Number of the state in the memory of states.
        received_at: Time of reception [s]; ``received_age`` is its age then [s].
        omega_ref: Desired rotation of the ring [rad/s].
        heard_seq: Number and reception of the last one from the target itself.
        relayed_until: Until when it has looked at what others tell [s].
        relayed: How many reports it took from them.
    """

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    vz: float = 0.0
    seq: int = 0
    number: int = 0
    received_age: float = 0.0
    omega_ref: float = 0.0
    received_at: float = NEVER
    heard_seq: int = 0
    heard_at: float = NEVER
    relayed_until: float = NEVER
    relayed: int = 0


@row
class ToldReport:
    """The target's report in an agent's message; ages [s], ``ahead`` that of the pose."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    vz: float = 0.0
    omega_ref: float = 0.0
    age: float = NOTHING_TOLD
    ahead: float = 0.0


@row
class KnownBody:
    """What an agent knows of another one for ever, if ``known``: its last state, received at [s].

    ``seq`` is ``NOT_YET`` if others told of it; ``age`` is that at reception [s].
    """

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    vz: float = 0.0
    seq: int = 0
    received: float = 0.0
    age: float = 0.0
    known: bool = False


@row
class ToldBody:
    """What a message tells of a silent agent: its index and its state of an age [s]."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    vz: float = 0.0
    who: int = NOBODY
    age: float = 0.0


@row
class FilterDone:
    """What the filter did to a command: code of the reason, who caused it, the change [m/s]."""

    reason: int = 0
    pusher: int = NOBODY
    change: float = 0.0


@row
class External:
    """A member that is flown elsewhere, if ``is_external``: as last heard, at [s]; NaN: never."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    vz: float = 0.0
    heard_at: float = math.nan
    omega_ref: float = 0.0
    is_external: bool = False


@row
class Health:
    """Whether an agent is down, and why.

    Attributes:
        broken: Whether it is down at random or by an operator, until ``back_at`` [s].
        checked_since: Its checks since a time [s] when it was well, ``checks`` of them.
        out: Whether it is down by schedule.
        drawn: Draws made, and the next one that means failure.
        life: How often it failed, for a flight by events.
    """

    broken: bool = False
    back_at: float = math.inf
    checked_since: float = 0.0
    checks: int = 0
    out: bool = False
    drawn: int = 0
    next_fail: int = 0
    life: int = 0


@row
class TargetMemory:
    """The target: choices of motion made, token, next message, the adversary as last received."""

    motion_fired: int = 0
    holder: int = int(NO_TOKEN.holder)
    switched: float = NO_TOKEN.switched
    weight: float = NO_TOKEN.weight
    next_seq: int = 1
    omega_ref: float = 0.0
    adversary_x: float = math.nan
    adversary_y: float = math.nan
    adversary_seq: float = 0.0
    adversary_at: float = NEVER


@row
class AdversaryMemory:
    """The adversary: its goal [m], the target as last received, its next message.

    ``in_reach`` is whether the target was in range of its last message.
    """

    goal_x: float = math.nan
    goal_y: float = math.nan
    prey_x: float = 0.0
    prey_y: float = 0.0
    prey_seq: float = 0.0
    prey_at: float = NEVER
    next_seq: int = 1
    in_reach: bool = False


@row
class KeptAgent:
    """An agent in a receiver with an order of reception, if ``kept``."""

    x: float = 0.0
    y: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    seq: int = 0
    received: float = NEVER
    kept: bool = False


@row
class Size:
    """How many entries of a list count."""

    count: int = 0


@row
class Link:
    """What an agent has received of another one.

    Attributes:
        number: Under which number the state was sent: the tick, or in a flight by events the seq;
            0: nothing.
        tracked: Seq of the state that the law uses, -1: the other one does not count as present.
        received: When it was received [s].
        age: Its age then [s].
    """

    number: np.int32 = 0
    tracked: np.int32 = -1
    received: float = NEVER
    age: float = 0.0


@row
class MessageCounts:
    """An agent's counts of messages before and after an update, for the next one with the same."""

    lost: float = math.nan
    got: float = math.nan
    next_lost: float = math.nan
    next_got: float = math.nan
    messages: int = -1


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
    group of every member in ``groups``. ``byzantine``: begin, end, member, kind, two numbers,
    ``frozen`` the first state of a frozen agent (its last column: whether there is one).
    """

    fails: Counts
    fail_from: Counts
    outages: Floats
    outage_from: Counts
    splits: Floats
    groups: Counts
    byzantine: Floats
    frozen: Floats


class KeptAgents(NamedTuple):
    """Agents in a receiver with an order of reception: a row each, and ``size`` of the order."""

    rows: list[KeptAgent]
    order: Counts
    size: Size


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

    ``attitudes`` are of all members, none if all are level; ``told`` is what the states tell of
    silent agents, none if it is not wanted; ``truth`` is the true motion of all members and the
    age of what they measure, none if they measure exactly. ``before`` is every agent's last
    telemetry: failed, pred, succ, recorded or not. The study arrays have a row per tick, or none.
    ``events`` are time, agent index, failed.
    """

    times: Floats
    agents: Floats
    target: Floats
    adversary: Floats
    metrics: Floats
    alive: Floats
    separation: Floats
    attitudes: Floats
    told: Floats
    truth: Floats
    events: Floats
    before: Floats
    by_x: Counts
    by_theta: Counts
    errors: Floats
    failed: Floats
    speeds: Floats


class GuardArrays(NamedTuple):
    """The separation filter: space for one call, and results by agent.

    A result is command, pusher and turn; the turn is the memory for the next call. ``adversary``
    is the adversary's last state by agent; ``done`` is what the filter did to the last command,
    ``tally`` the counts of all commands, ``settings`` space for the numbers of an agent whose pose
    is old.
    """

    others: Floats
    scratch: Floats
    wanted: Floats
    in_effect: Floats
    results: Floats
    adversary: list[TargetReport]
    done: list[FilterDone]
    tally: FilterTally
    settings: Floats


class CommonBodies(NamedTuple):
    """What all agents know alike that were up when another one last sent, with shared reception.

    ``came`` are the ticks at which the ``states`` were received (NOBODY_YET: nothing was sent,
    NOT_COMMON: what agents know differs). ``rows`` is the same at the time of the first agent's
    pose as the filter takes it, with two more for target and adversary.
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


class SightArrays(NamedTuple):
    """Estimators of the target, by agent; empty where the target broadcasts its state.

    ``memories`` are those of the estimator, ``progress`` the numbers of ``Progress``,
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


class RelayArrays(NamedTuple):
    """Reports of the target that agents pass on; empty where none do or reception is shared.

    ``told`` are the reports in the messages in ``sent``; ``weights`` those of the arcs as every
    agent last heard them, where what it holds was relayed.
    """

    told: list[list[ToldReport]]
    weights: Floats


class FlightMemory(NamedTuple):
    """All memory of a flight. Members in order: agents, target, adversary.

    ``bodies`` are what odometry reports of the vehicles and their commands, ``truth`` how they
    move and the commands in effect: the same array where everything is perfect. ``vehicles`` are
    their whole states; ``speeds`` is space for those of the agents [m/s], update by update.

    ``external`` is what members that are flown elsewhere last said, by member.

    ``spin`` is the memory of the spin law, and at its end the rate that it asks for.

    ``path_rows`` are the rows of the leaders of members on paths.

    ``known`` is what every agent knows of every other one for ever, where ``common`` does not
    hold, ``told`` what the messages in ``sent`` tell of silent agents; they are empty without the
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
    sight: SightArrays
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
    told: list[list[list[ToldBody]]]
    guard: GuardArrays
    ring: RingArrays
    links: Links
    schedule: Schedule
    target_keeps: KeptAgents
    observer_keeps: KeptAgents
    record: ObservedRows
    met: Encounters
    efforts: Floats
    scratch: ScratchSpace


def layer_of(flight: FlightMemory, number: int) -> int:
    """Return the layer of the states that were sent under a number."""
    return slot_of(number, len(flight.sent))
