"""The memory of members: rows of named numbers."""

import math

import numpy as np

from soliton_encirclement_ros.core.named_rows import row
from soliton_encirclement_ros.core.ring.edge_weights import NO_TOKEN
from soliton_encirclement_ros.core.ring.ring_geometry import NOBODY
from soliton_encirclement_ros.core.states.received_states import NEVER, NO_REPORT


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
        doubtful: Whether a state is about to be sent that some agent may refuse.
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
    doubtful: bool = False


@row
class AgentMemory:
    """The memory of an agent besides that of its law.

    Attributes:
        number: Number k of ``uav_k``.
        pred: Its neighbours, numbers; ``e_tau`` its spacing error.
        next_seq: Number of its next message; ``sends`` is whether it sends at this tick.
        last_cx: Its last command [m/s].
        receives_since: Tick since which it receives; ``last_received`` the last at which it did.
        was_down: Whether it was down at its last tick.
        lost: Counts of messages that it missed, and of those it got.
        sent_x: Its pose when it last sent [m, m/s], at ``last_sent`` [s], if it ``has_sent``.
        hears_all: Whether it receives all others; ``timeouts`` is how often one came back
            that had been silent for longer than its timeout; ``doubts`` how many it doubts.
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
    doubts: int = 0


@row
class TargetReport:
    """An agent's data of the target, or of the adversary.

    Attributes:
        x: Position [m] and velocity [m/s] in map, up to ``vz``.
        number: Number of the state in the memory of states.
        received_at: Time of reception [s]; ``received_age`` is its age then [s].
        omega_ref: Desired rotation of the ring [rad/s].
        heard_seq: Number and reception of the last one from the target itself, even if a younger
            one of another agent is in use.
        relayed_until: Until when it has processed relayed reports [s].
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
class RelayedReport:
    """The target's report in an agent's message; ages [s], ``ahead`` that of the pose."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    vz: float = 0.0
    omega_ref: float = 0.0
    age: float = NO_REPORT
    ahead: float = 0.0


@row
class KnownBody:
    """The last state of another agent, if ``is_known``, received at [s]; it never expires.

    ``seq`` is ``NOT_YET`` if another agent forwarded it; ``age`` is that at reception [s].
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
    is_known: bool = False


MAX_DOUBTS = 8
"""Most senders that an agent doubts at once."""


@row
class Doubt:
    """A sender whose states an agent refused.

    Attributes:
        who: Its index.
        fault: Why its last refused state was (``neighbour_checks``).
        refused: How many were; ``refused_at`` is the time of the last [s].
        is_named: Whether it counts as one that lies, since ``named_at`` [s].
        steady_since: Since when its states follow each other as those of a vehicle do [s].
        beside_since: Since when it is where the receiver is [s].
        heard_made: When its last state was made [s], ``believed_made`` that last believed.
    """

    who: int = NOBODY
    fault: int = 0
    refused: int = 0
    is_named: bool = False
    named_at: float = 0.0
    refused_at: float = 0.0
    steady_since: float = 0.0
    beside_since: float = 0.0
    heard_made: float = 0.0
    believed_made: float = 0.0


@row
class GossipBody:
    """A silent agent in a message: its index and its state of an age [s]."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    vx: float = 0.0
    vy: float = 0.0
    vz: float = 0.0
    who: int = NOBODY
    age: float = 0.0


@row
class FilterResult:
    """The filter's change of a command: code of the reason, id of the cause, the change [m/s]."""

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
class Link:
    """Reception of another agent.

    Attributes:
        number: Under which number the state lies in the memory of states: the tick at which it was
            sent, in a flight by events its seq, in a node a count of its own; 0: nothing.
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
