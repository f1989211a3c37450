"""Everything that a flight is: constants in ``Rules``, memory in ``Flight``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from velocity_mobility_ros.core.model import Limits

from soliton_encirclement_ros.core.pursuit import PursuitGains
from soliton_encirclement_ros.core.soliton import SolitonGains
from soliton_encirclement_ros.core.spin import SpinGains
from soliton_encirclement_ros.core.two_channel import TwoChannelGains
from soliton_encirclement_ros.propagation.advection import AdvectionGains
from soliton_encirclement_ros.propagation.alarm import AlarmGains
from soliton_encirclement_ros.propagation.burgers import BurgersGains
from soliton_encirclement_ros.propagation.excitable import ExcitableGains
from soliton_encirclement_ros.propagation.kdv import KdvGains
from soliton_encirclement_ros.propagation.wave import WaveGains

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Ticks = NDArray[np.int32]
"""For tables of everybody by everybody."""

SOLITON, TWO_CHANNEL, SOLITON_V1 = range(3)
LAWS = ('soliton', 'two_channel', 'soliton_v1')

BASELINE, ADVECTION, WAVE, EXCITABLE, KDV, ALARM, BURGERS = range(7)
LAYER_NAMES = ('baseline', 'advection', 'wave', 'excitable', 'kdv', 'alarm', 'burgers')

SPIN_NAMES = ('v1', 'v3', 'filtered')


class LayerGains(NamedTuple):
    """The gains of every layer; only one is in use."""

    advection: AdvectionGains
    wave: WaveGains
    excitable: ExcitableGains
    kdv: KdvGains
    alarm: AlarmGains
    burgers: BurgersGains


class SwarmRules(NamedTuple):
    """What all members share, and how the laws read their numbers."""

    agents: int
    adversary: int
    law: int
    layer: int
    period: float
    substeps: int
    update_period: float
    radius: float
    agent_timeout: float
    target_timeout: float
    prune: bool
    in_turn: bool


class LawRules(NamedTuple):
    """Gains of the laws."""

    pursuit: PursuitGains
    seed: SolitonGains
    channels: TwoChannelGains
    layers: LayerGains
    hysteresis: float
    r_min: float
    k_r: float
    k_dr: float
    k_tau: float
    k_omega_damp: float
    hops: int
    acc_filter: float
    target_hold: float
    neighbour_hold: float


class FailureRules(NamedTuple):
    """When agents fail by chance."""

    enable: bool
    period: float
    off_time: float


class TargetRules(NamedTuple):
    """How the target moves and what it asks for."""

    constant: bool
    heading_deg: float
    motion_period: float
    speed: float
    bound: float
    protection_deg: float
    always_fresh: bool
    spin: bool
    spin_law: int
    omega_ref: float
    spin_gains: SpinGains


class AdversaryRules(NamedTuple):
    """How the adversary roams."""

    bound: float
    keep: float
    speed: float


class RadioRules(NamedTuple):
    """What the radio does; times in ns."""

    seed: np.uint64
    range_sq: float
    loss: float
    delay_ns: int
    jitter: float
    jitter_ns: int


class RecordRules(NamedTuple):
    """What is recorded: every n-th tick, room for events, and the study's numbers or not."""

    every: int
    study: bool


class Rules(NamedTuple):
    """All constants of a flight."""

    swarm: SwarmRules
    laws: LawRules
    limits: Limits
    failure: FailureRules
    target: TargetRules
    adversary: AdversaryRules
    radio: RadioRules
    record: RecordRules


class Ring(NamedTuple):
    """The agents on the ring as all who heard the same see it.

    By agent: ``theta``, ``rate``, ``place`` in the order (-1: not there). In order: ``order``,
    ``thetas``, ``rates``, ``weights``. The others are room for one agent's own ring.
    """

    theta: Floats
    rate: Floats
    place: Counts
    order: Counts
    thetas: Floats
    rates: Floats
    weights: Floats
    own_ids: Counts
    own_thetas: Floats
    own_rates: Floats
    own_weights: Floats


class Links(NamedTuple):
    """What everybody heard from whom, where that differs; 1 x 1 where it does not.

    ``said`` and ``received`` are ticks (0: nothing), ``tracked`` is the number of the words that
    our law counts with (-1: none), ``order`` and ``sizes`` an agent's ring of the last tick.
    ``places`` is where everybody was, ``loss`` and ``jitter`` are the keys of messages; both with
    the words of the last ticks.
    """

    said: Ticks
    received: Ticks
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


class Kept(NamedTuple):
    """What a listener that remembers an order of hearing keeps; ``order`` lists the agents."""

    rows: Floats
    order: Counts


class Room(NamedTuple):
    """Room for work that is over with the function that does it."""

    a: Floats
    b: Floats
    c: Floats
    d: Floats
    order: Counts
    spare: Counts


class Record(NamedTuple):
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


class Flight(NamedTuple):
    """All memory of a flight. Members in order: agents, target, adversary.

    ``words`` has a layer per tick that is still of interest (one where all hear alike); so have
    ``weights`` (of arcs, by agent; NaN: not told) and ``omega`` (the target's omega_ref).
    ``prop`` and ``saying`` hold words while they are made.
    """

    counters: Counts
    figures: Floats
    bodies: Floats
    words: Floats
    weights: Floats
    omega: Floats
    told: Floats
    agents: Floats
    laws: Floats
    layer: Floats
    prop: Floats
    saying: Floats
    health: Floats
    target: Floats
    new_weights: Floats
    adversary: Floats
    ring: Ring
    links: Links
    schedule: Schedule
    target_keeps: Kept
    observer_keeps: Kept
    record: Record
    room: Room
