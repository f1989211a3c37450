"""The memory of a flight: arrays, by subject."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soliton_encirclement_ros.core.run.separation.filter_tally import FilterTally
from soliton_encirclement_ros.core.run.separation.near_misses import Encounters

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Ticks = NDArray[np.int32]
"""For tables of all members by all members."""


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

    ``numbers`` are the numbers under which states were sent: the tick, or in a flight by events
    the seq (0: nothing); ``received`` is the time [s] of reception and ``ages`` the age [s] then,
    ``tracked`` the seq of the state that the law uses (-1: none), ``order`` and ``sizes`` an
    agent's ring of the last tick. ``arriving`` are the numbers of the states that reach
    one agent at a tick, or all of them.
    ``places`` are the positions of all members, ``within`` is whether agents and target are surely
    in reach of each other there, ``loss`` and ``jitter`` are keys of messages; both
    with the states of the last ticks.
    """

    numbers: Ticks
    received: Floats
    ages: Floats
    tracked: Ticks
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


class CachedStates(NamedTuple):
    """Cache of a receiver with an order of reception; ``order`` lists the agents."""

    rows: Floats
    order: Counts


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
    is the adversary's last state, by agent, in the columns of ``target_messages``; ``done`` is
    what the filter did to the last command, ``tally`` the counts of all commands, ``settings``
    space for the numbers of an agent whose pose is old.
    """

    others: Floats
    scratch: Floats
    wanted: Floats
    in_effect: Floats
    results: Floats
    adversary: Floats
    done: Floats
    tally: FilterTally
    settings: Floats


class CommonBodies(NamedTuple):
    """What all agents know alike that were up when another one last sent, with shared reception.

    ``states`` are rows as in ``known``, ``came`` the ticks at which they were received
    (NOBODY_YET: nothing was sent, NOT_COMMON: what agents know differs). ``rows`` is the same at
    the time of the first agent's pose as the filter takes it, with two more for target and
    adversary.
    """

    states: Floats
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
    for one estimate.
    """

    memories: Floats
    progress: Floats
    estimates: Floats
    errors: Floats
    others: Floats
    out: Floats


class RelayArrays(NamedTuple):
    """Reports of the target that agents pass on; empty where none do or reception is shared.

    ``told`` are the reports in the messages in ``sent``; ``weights`` those of the arcs as every
    agent last heard them, where what it holds was relayed.
    """

    told: Floats
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
    target's omega_ref). ``laws`` are the memories of the law and ``messages`` the messages to
    send; ``decision`` is space for the decision of one agent, ``outgoing`` for a state being
    built; ``rows`` are the states of all layers, one agent per row, and the same memory as
    ``sent``.

    ``loss`` are counts of messages as ``count_messages`` last made them. ``met`` are the
    encounters of agents, ``efforts`` the rows of ``command_effort``.
    """

    counters: Counts
    figures: Floats
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
    target_messages: Floats
    agents: Floats
    laws: Floats
    messages: Floats
    decision: Floats
    outgoing: Floats
    loss: Floats
    health: Floats
    target: Floats
    spin: Floats
    new_weights: Floats
    adversary: Floats
    path_rows: Counts
    external: Floats
    known: Floats
    common: CommonBodies
    told: Floats
    guard: GuardArrays
    ring: RingArrays
    links: Links
    schedule: Schedule
    target_keeps: CachedStates
    observer_keeps: CachedStates
    record: ObservedRows
    met: Encounters
    efforts: Floats
    scratch: ScratchSpace
