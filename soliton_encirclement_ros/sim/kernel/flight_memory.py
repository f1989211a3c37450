"""The memory of a flight: arrays, by subject."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Ticks = NDArray[np.int32]
"""For tables of everybody by everybody."""


class RingArrays(NamedTuple):
    """The agents on the ring as all who heard the same see it.

    By agent: ``theta``, ``rate``, ``place`` in the order (-1: not there). In order: ``order``,
    ``ids`` (numbers of ``uav_k``), ``thetas``, ``rates``, ``weights``. The others are room for one
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
    """What everybody heard from whom, where that differs; 1 x 1 where it does not.

    ``said`` is the number under which words were said: their tick, or in a flight by events their
    seq (0: nothing); ``received`` is the time [s] when they came, ``tracked`` the seq of the words
    that our law counts with (-1: none), ``order`` and ``sizes`` an agent's ring of the last tick.
    ``places`` is where everybody was, ``loss`` and ``jitter`` are the keys of messages; both with
    the words of the last ticks.
    """

    said: Ticks
    received: Floats
    tracked: Ticks
    order: Ticks
    sizes: Counts
    places: Floats
    loss: NDArray[np.uint64]
    jitter: NDArray[np.uint64]


class Schedule(NamedTuple):
    """What is scheduled: failing draws and outages by agent, partitions, liars.

    ``fails[fail_from[i] : fail_from[i + 1]]`` are the positions in the stream of agent i whose
    draw means failure; ``outages`` are [begin, end) [s], alike. ``splits`` are windows with the
    group of every member in ``groups``. ``lies`` are begin, end, member, kind and two numbers,
    ``frozen`` what a frozen liar first said (its last column: whether it did).
    """

    fails: Counts
    fail_from: Counts
    outages: Floats
    outage_from: Counts
    splits: Floats
    groups: Counts
    lies: Floats
    frozen: Floats


class CachedStates(NamedTuple):
    """What a listener that remembers an order of hearing keeps; ``order`` lists the agents."""

    rows: Floats
    order: Counts


class ScratchSpace(NamedTuple):
    """Room for work that is over with the function that does it."""

    a: Floats
    b: Floats
    c: Floats
    d: Floats
    order: Counts
    spare: Counts


class ObservedRows(NamedTuple):
    """Room for what is recorded until the flight comes back.

    ``before`` is every agent's last telemetry: failed, pred, succ, seen or not. The study's arrays
    have a row per tick, or none. ``events`` are time, agent index, failed.
    """

    times: Floats
    agents: Floats
    target: Floats
    adversary: Floats
    metrics: Floats
    alive: Floats
    separation: Floats
    events: Floats
    before: Floats
    by_x: Counts
    by_theta: Counts
    errors: Floats
    failed: Floats
    speeds: Floats


class FlightMemory(NamedTuple):
    """All memory of a flight. Members in order: agents, target, adversary.

    ``bodies`` are what odometry tells of the vehicles and their commands, ``vehicles`` their whole
    states; ``speeds`` is room for those of the agents [m/s], update by update.

    ``spin`` is the memory of the spin law, and at its end the rate that it asks for.

    ``words`` has a layer per tick that is still of interest (one where all hear alike); so have
    ``weights`` (of arcs, by agent; NaN: not told) and ``omega`` (the target's omega_ref).
    ``laws`` are the memories of the law and ``messages`` what it has everybody say; ``decision``
    is room for what one agent decides, ``saying`` for its words while they are made; ``rows`` are
    the words of all layers, one agent per row, and the same memory as ``words``.

    ``loss`` are counts of messages as ``update_shared_loss`` last made them.
    """

    counters: Counts
    figures: Floats
    bodies: Floats
    vehicles: Floats
    speeds: Floats
    words: Floats
    rows: Floats
    weights: Floats
    omega: Floats
    told: Floats
    agents: Floats
    laws: Floats
    messages: Floats
    decision: Floats
    saying: Floats
    loss: Floats
    health: Floats
    target: Floats
    spin: Floats
    new_weights: Floats
    adversary: Floats
    ring: RingArrays
    links: Links
    schedule: Schedule
    target_keeps: CachedStates
    observer_keeps: CachedStates
    record: ObservedRows
    room: ScratchSpace
